"""soulsync.body.bridge、soulsync.cli.bridge：桥接。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # body.bridge.record
    "Correct it, or delete it and build the bridges again.": "请更正它，或将它删除后重新建立桥接。",
    "There is no bridge {name}.": "没有名为 {name} 的桥接。",
}
