"""soulsync convert：格式之间的转换。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Memories of a soul, of OxSoul and of .agent/memory into each other.": "在灵魂、OxSoul 与 .agent/memory 的记忆之间转换。",
    "Write the memories of SRC into DST in another format: a soul's folder or one memories file, a folder of OxSoul memories, an .agent/memory store.": "把 SRC 的记忆以另一种格式写入 DST：灵魂的文件夹或一个记忆文件、OxSoul 记忆的文件夹、.agent/memory 库。",
    "What is in DST stays as it is; a name that is taken gets a number. What DST can't hold is kept in x_ fields or named as lost; a text that is too long is refused, not cut. Exit code 1 when a memory was refused or could not be read.": "DST 中已有的保持不变；名字被占用时加上编号。DST 存不下的保留在 x_ 字段中，或报告为丢失；过长的文本会被拒绝，而不是截断。有记忆被拒或无法读取时退出码为 1。",
    "The format of SRC.": "SRC 的格式。",
    "The format of DST.": "DST 的格式。",
    "Only say what would be written, memory by memory.": "只逐条说明会写入什么。",
    "The formats are missing.": "缺少格式。",
    "Name them with --from and --to.": "请用 --from 和 --to 指定。",
    "Both formats are {format}.": "两种格式都是 {format}。",
    "Name two different ones.": "请给出两种不同的格式。",
    "{path} is not there.": "{path} 不存在。",
    "Name the file or folder to convert.": "请指定要转换的文件或文件夹。",
    "the memory has no name or no description": "这条记忆没有 name 或没有 description",
    "there already": "已有",
    "kept in x_ fields: {fields}": "保留在 x_ 字段中：{fields}",
    "What does not come back from there:": "从那里转换回来时会丢失的：",
    "{field}: {value} is dropped": "{field}: {value} 会丢失",
    "{field}: {value} becomes {other}": "{field}: {value} 变为 {other}",
    "a line of the text is a lone §, which separates entries": "文本中有一行只有 §，那是条目的分隔符",
}
