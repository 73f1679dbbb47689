"""接入未完成时的文案：名字被占、灵魂还没有开始、重新运行 init。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Run `soulsync init` with another name, such as --body {free}; or with --replace-body: this machine takes its place.": "请换一个名字运行 `soulsync init`，例如 --body {free}；或加 --replace-body，由本机取而代之。",
    "with another key, last seen within the hour": "密钥不同，一小时内还出现过",
    "Correct it; or delete it and run `soulsync init ADDRESS --body NAME`.": "请改正；或删掉它，再运行 `soulsync init ADDRESS --body NAME`。",
    "not yet": "尚未",
    "`soulsync init` was cut off, run it again": "`soulsync init` 没有做完，请再运行一次",
    "Nothing was deleted. Give it a remote with `soulsync remote set ADDRESS`, or delete it by hand.": "没有删除任何内容。请用 `soulsync remote set ADDRESS` 给它一个远端，或手动删除。",
    "{value} is not from 0 to {most} seconds": "{value} 不在 0 到 {most} 秒之间",
}
