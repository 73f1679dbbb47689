"""soulsync.formats.claude_settings、soulsync.body.bridge 的 OpenClaw 与 Claude Code 部分。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # formats.claude_settings
    "hooks is no object": "hooks 不是对象",
    "an event of hooks is no list": "hooks 中某个事件的值不是列表",
}
