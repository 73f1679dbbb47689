"""其他记忆格式的合并与安装。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Two memories were called {path}; the other one is now {other}.": "有两条记忆都叫 {path}；另一条现在是 {other}。",
}
