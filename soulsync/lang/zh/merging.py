"""其他记忆格式的合并与安装。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "the merged tags are more than 10; left out: {tags}": "合并后的标签超过 10 个；没有留下：{tags}",
    "{path} was rebuilt: a merge had left it behind its memories.": "{path} 已重建：有一次合并让它落后于记忆。",
    "{path} is back: a merge had left out the second memory of one name.": (
        "{path} 已补回：有一次合并漏下了同名的第二条记忆。"
    ),
    "Another repository: a soul or one with memory stores (default: this soul).": (
        "另一个仓库：灵魂，或含有记忆库的仓库（默认：这个灵魂）。"
    ),
    "In a repository that is no soul the stores of OxSoul and `.agent/memory` are looked for: they get their drivers and the hook `post-merge`, and nothing else changes.": (
        "在不是灵魂的仓库里，会寻找 OxSoul 和 `.agent/memory` 的记忆库：只为它们装上合并驱动和钩子 `post-merge`，其余一概不动。"
    ),
    "{repo} holds no soul (no {agent_json}) and no memory store.": "{repo} 里没有灵魂（缺少 {agent_json}），也没有记忆库。",
    "OxSoul store in {folder}: soul-oxsoul, soul-oxsoul-index": "{folder} 里的 OxSoul 记忆库：soul-oxsoul、soul-oxsoul-index",
    "cortex store in {folder}: soul-cortex": "{folder} 里的 cortex 记忆库：soul-cortex",
    "Two memories were called {path}; the other one is now {other}.": "有两条记忆都叫 {path}；另一条现在是 {other}。",
}
