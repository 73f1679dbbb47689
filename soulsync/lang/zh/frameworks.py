"""soulsync.formats.claude_settings、soulsync.body.bridge 的 OpenClaw 与 Claude Code 部分。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # formats.claude_settings
    "hooks is no object": "hooks 不是对象",
    "an event of hooks is no list": "hooks 中某个事件的值不是列表",
    # body.bridge.openclaw_place
    "{name} is no profile of OpenClaw.": "{name} 不是 OpenClaw 的配置档。",
    "Give its name alone.": "请只写它的名称。",
    # body.bridge.openclaw_hook
    "{folder} is not a hook that soulsync wrote.": "{folder} 不是 soulsync 写入的钩子。",
    "Move it away, or do without `--hooks`.": "请将它移开，或不用 `--hooks`。",
    # body.bridge.openclaw
    "A workspace of OpenClaw has no projects.": "OpenClaw 的工作区没有项目之分。",
    "Leave out `--project`.": "请去掉 `--project`。",
    # body.bridge.claude_code
    "Claude Code keeps memories by project, and each machine has its own path for one.": (
        "Claude Code 按项目保存记忆，而同一项目在每台机器上的路径都不同。"
    ),
    "Name it with `--project NAME`, the same on every machine.": (
        "请用 `--project NAME` 给它取名，在每台机器上都用同一个名称。"
    ),
    "{name} can't be the name of a folder.": "{name} 不能用作文件夹名。",
    "{clean} can.": "可以用 {clean}。",
    "Name the project's with `--path DIR`.": "请用 `--path DIR` 指明项目的文件夹。",
    # body.bridge.claude_hook
    "{path} can't be read: {reason}.": "无法读取 {path}：{reason}。",
    "Correct it; nothing was written.": "请更正；什么都没有写入。",
}
