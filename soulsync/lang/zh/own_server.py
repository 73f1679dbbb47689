"""自己的服务器：remote create 与 remote authorize。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Make PATH on this machine a repository for a soul: it refuses force-push and deletion.": "把本机的 PATH 建成灵魂的仓库：它拒绝强推和删除。",
    "One that is there already gets what it lacks. OpenSSH serves it, to the keys that `remote authorize` lets in.": "已有的仓库会补上缺少的设置。由 OpenSSH 提供服务，只对 `remote authorize` 放行的密钥开放。",
    "Let one deploy key reach the repository PATH through this machine's OpenSSH, and nothing else.": "让一把部署密钥经本机的 OpenSSH 访问仓库 PATH，别的都不行。",
    "The key gets one line in authorized_keys that forces git on that repository alone: no shell, no forwarding, no other path. --remove revokes it: no new connection begins.": "密钥在 authorized_keys 中得到一行，只能对那个仓库运行 git：没有 shell，没有转发，没有其他路径。--remove 撤销它：不再接受新连接。",
    "File with one public key; - reads it from stdin.": "含一把公钥的文件；- 从标准输入读取。",
    "Take the key's access to PATH away.": "取消这把密钥对 PATH 的访问。",
    "The key may read and not write.": "密钥只能读，不能写。",
    "The account's list of keys (default: ~/.ssh/authorized_keys).": "账户的密钥列表（默认：~/.ssh/authorized_keys）。",
    "Made {path}: it refuses force-push and deletion.": "已建好 {path}：它拒绝强推和删除。",
    "{path} is there already; it refuses force-push and deletion.": "{path} 已经存在；它拒绝强推和删除。",
    "Let a body in: soulsync remote authorize {path} --key FILE": "放行一个身体：soulsync remote authorize {path} --key FILE",
    "Its address for `soulsync init`: {address}": "供 `soulsync init` 使用的地址：{address}",
    "{path} is no bare repository.": "{path} 不是裸仓库。",
    "Make one: soulsync remote create {path}.": "请新建：soulsync remote create {path}。",
    "The key {fingerprint} opens {path} and nothing else.": "密钥 {fingerprint} 能打开 {path}，仅此而已。",
    "{told} It did so before.": "{told}此前已是如此。",
    "The key {fingerprint} opens {path} no more.": "密钥 {fingerprint} 不再能打开 {path}。",
    "The key {fingerprint} had no line for {path} in {keys}.": "密钥 {fingerprint} 在 {keys} 中没有 {path} 的条目。",
    "{file} holds a private key.": "{file} 里是私钥。",
    "Give its public half, the file with .pub.": "请给出公钥，即带 .pub 的文件。",
    "{file} holds {count} keys.": "{file} 里有 {count} 把密钥。",
    "Give one public key at a time.": "请一次给出一把公钥。",
    "Give the line that `soulsync key show` prints, without options.": "请给出 `soulsync key show` 打印的那一行，不带选项。",
    "{file} holds a certificate.": "{file} 里是证书。",
    "Give the public key itself.": "请给出公钥本身。",
    "{problem}.": "{problem}。",
    "sshd ignores the keys while others may write to {folder}: chmod go-w {folder}": "他人可写 {folder} 时 sshd 会忽略密钥：chmod go-w {folder}",
    "sshd runs the command with the login shell, and {shell} refuses: chsh -s /bin/sh": "sshd 用登录 shell 运行命令，而 {shell} 会拒绝：chsh -s /bin/sh",
}
