"""把一台机器接上来：init、密钥、设置页面、主机密钥。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # 密钥文件
    "The deploy key has a passphrase, and nobody is there to type it: {path}.": "部署密钥设有口令，而没有人在场输入：{path}。",
    "Take it off: ssh-keygen -p -N '' -f {path}.": "请去掉口令：ssh-keygen -p -N '' -f {path}。",
    "The deploy key is of the type {kind}; a body's key is {wanted}: {path}.": "部署密钥的类型是 {kind}；身体的密钥应为 {wanted}：{path}。",
    # 名字
    "Choose another, such as --body {example}.": "请换一个，例如 --body {example}。",
    "Give one, such as --agent {example}.": "请起一个，例如 --agent {example}。",
    "{name!r} looks like a network address, which must not stand in a soul.": "{name!r} 看起来像网络地址，不得出现在灵魂里。",
    "Another machine is the body {body} already, {seen}.": "已有另一台机器是身体 {body}，{seen}。",
    "with another key": "密钥不同",
    "with another key, last seen {hours} hours ago": "密钥不同，上次出现是 {hours} 小时前",
    "with another key, last seen {days} days ago": "密钥不同，上次出现是 {days} 天前",
    "Name of this body (this machine)": "这个身体（本机）的名字",
    "Another name makes this machine a body of its own; the same name lets it take that one's place.": "换个名字，本机就是另一个身体；同一个名字，则由本机取代那台机器。",
    "Rename this one: soulsync init --agent {agent} --body {free}. Or say --replace-body.": "请给本机改名：soulsync init --agent {agent} --body {free}。或加 --replace-body。",
    "{bodies} use one and the same key: run `soulsync key rotate` on all but one.": "{bodies} 用的是同一个密钥：除其中一个外，请都运行 `soulsync key rotate`。",
    "{bodies} share one key: run `soulsync key rotate` on all but one": "{bodies} 共用一个密钥：除其中一个外，请都运行 `soulsync key rotate`",
    "keys": "密钥",
    # 够到服务器
    "First contact with {where}. Its host keys, pinned from now on:": "第一次连接 {where}。它的主机密钥如下，从现在起固定：",
    "Compare them with what the server's owner publishes.": "请与服务器主人公布的指纹核对。",
    "Port 22 is blocked here; {host}:{port} is used from now on.": "此处的 22 端口不通；从现在起改用 {host}:{port}。",
    "{where} has no repository {path}, or hides it from this key: {line}.": "{where} 上没有仓库 {path}，或者不让这个密钥看到：{line}。",
    "Check the address. If it is right, add this body's key to that repository; it opens no other one.": "请检查地址。若地址无误，请把这个身体的密钥添加到该仓库；它打不开别的仓库。",
    "listing its branches": "列出分支",
    # 钥匙框
    "Add it to the repository as a deploy key, and allow write access.": "请把它添加为该仓库的部署密钥，并允许写入。",
    "Add it to {repo} on {host} as a deploy key (an access key), and allow write access.": "请把它添加为 {host} 上 {repo} 的部署密钥（访问密钥），并允许写入。",
    "On a server of your own, put the line in a file there and run:": "若是自己的服务器，请在那里把这一行存成文件，然后运行：",
    "Where {forge} takes keys for one repository:": "{forge} 为单个仓库添加密钥的页面：",
    "Such a key may only read there, and a soul must write. Add it to an account or workspace instead, which opens all of its repositories, or host the soul elsewhere.": "那里的这种密钥只能读，而灵魂必须能写。请改为添加到账户或工作区（会打开其中所有仓库），或把灵魂放到别处。",
    "1. Open:": "1. 打开：",
    "2. Paste the line above as the key.": "2. 把上面那一行粘贴为密钥。",
    "3. Allow write access: tick “{word}”.": "3. 允许写入：勾选“{word}”。",
    "Waiting for it; this goes on by itself. Ctrl-C stops, the same command continues.": "正在等待密钥添加，之后会自动继续。Ctrl-C 停止，再次运行同一命令即可接着来。",
    "waiting, {minutes}:{seconds:02d} left": "等待中，还剩 {minutes}:{seconds:02d}",
    "The key, for a phone:": "密钥（供手机扫描）：",
    "The page:": "页面：",
    "The terminal is too narrow for the code: {width} columns are needed.": "终端太窄，放不下二维码：需要 {width} 列。",
    # gh
    "--add-key works with GitHub alone.": "--add-key 只适用于 GitHub。",
    "Leave it out, and add the key by hand.": "请去掉它，手动添加密钥。",
    "--add-key needs the program gh, which is not here.": "--add-key 需要程序 gh，而这里没有。",
    "Install it (https://cli.github.com), or leave --add-key out and add the key by hand.": "请安装它（https://cli.github.com），或去掉 --add-key，手动添加密钥。",
    "gh is not logged in.": "gh 没有登录。",
    "Run `gh auth login`, then this again; or add the key by hand.": "请运行 `gh auth login`，再运行本命令；或手动添加密钥。",
    "gh could not add the key: {said}.": "gh 没能添加密钥：{said}。",
    "Add the key by hand, then run this again.": "请手动添加密钥，再运行本命令。",
    "gh added the key to {repo}, with write access.": "gh 已把密钥添加到 {repo}，可以写入。",
    # 接好之后
    "Sync every 5 minutes from now on?": "从现在起每 5 分钟同步一次吗？",
    "It syncs by itself ({backend}); `soulsync status` shows how it stands.": "它会自动同步（{backend}）；`soulsync status` 显示现状。",
    "Next: `soulsync schedule install` keeps it in step; `soulsync sync` does so once.": "下一步：`soulsync schedule install` 让它一直保持同步；`soulsync sync` 只同步一次。",
    "Next: `soulsync remote set ADDRESS` joins it to a repository.": "下一步：`soulsync remote set ADDRESS` 把它接到一个仓库。",
    # 更换密钥
    "The new key; the old one works until the server lets this one write.": "这是新密钥；在服务器允许它写入之前，旧密钥仍然有效。",
    "The new key can't be used yet, the old one stays: {why}": "新密钥还不能用，旧密钥保持不变：{why}",
    "Add it with write access, then run `soulsync key rotate` again; it keeps this new key.": "请添加它并允许写入，然后再次运行 `soulsync key rotate`；新密钥不会变。",
    # 帮助
    "Make URL the address of the soul, checked like in init, and sync with it.": "把 URL 设为灵魂的地址，像 init 一样检查，并与它同步。",
    "REMOTE is the SSH address of the agent's private repository, or OWNER/NAME at GitHub. Without it a local soul begins; give it an address later with `soulsync remote set`. Running init again continues where it stopped, and changes nothing that is done.": "REMOTE 是智能体私有仓库的 SSH 地址，或 GitHub 上的 OWNER/NAME。不给则从本地灵魂开始；以后用 `soulsync remote set` 补上地址。再次运行 init 会从停下的地方继续，已完成的不会改动。",
    "Let GitHub's program gh add the key, with its own login.": "让 GitHub 的程序 gh 用它自己的登录来添加密钥。",
    "Show the key and the page as QR codes too, for a phone.": "同时把密钥和页面显示为二维码，供手机扫描。",
    "Take the name over from another machine, which is gone.": "从另一台已不在的机器接过这个名字。",
    "Let the machine sync every 5 minutes (default: asked on a terminal).": "让本机每 5 分钟同步一次（默认：在终端上询问）。",
}
