"""OxSoul 记忆：文件中的问题、oxsoul 命令的输出与帮助。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # 文件读不了的原因
    "without frontmatter": "没有 frontmatter",
    "without the line that closes its frontmatter": "frontmatter 没有结束行",
}
