"""把一台机器接上来：init、密钥、设置页面、主机密钥。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # 密钥文件
    "The deploy key has a passphrase, and nobody is there to type it: {path}.": "部署密钥设有口令，而没有人在场输入：{path}。",
    "Take it off: ssh-keygen -p -N '' -f {path}.": "请去掉口令：ssh-keygen -p -N '' -f {path}。",
    "The deploy key is of the type {kind}; a body's key is {wanted}: {path}.": "部署密钥的类型是 {kind}；身体的密钥应为 {wanted}：{path}。",
}
