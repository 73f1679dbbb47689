"""各命令说的话与它们的错误。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # 任何命令
    "{message} See `{command} --help`.": "{message} 请看 `{command} --help`。",
    "Stopped. Run the same command again to continue.": "已停止。再次运行同一命令即可继续。",
    "{problem}. Nothing was lost; try again.": "{problem}。没有丢失任何内容；请重试。",
    "Something went wrong inside soulsync: {name}: {e}. Run again with SOULSYNC_DEBUG=1.": "soulsync 内部出错：{name}：{e}。请加 SOULSYNC_DEBUG=1 重新运行。",
    "The editor left no text, or did not save it.": "编辑器没有留下内容，或没有保存。",
    "The text is over 16 MiB.": "内容超过 16 MiB。",
    "The editor failed: {reason}.": "编辑器出错：{reason}。",
    # init
    "in step with {where}": "与 {where} 同步",
    "without a remote so far": "尚无远端",
    "{agent} now lives here as {body}, {where}.": "{agent} 现在以 {body} 之身住在这里，{where}。",
    "  soul: {soul}": "  灵魂：{soul}",
    "  note: {warning}": "  注意：{warning}",
    # 命令行给出的文件夹
    "Give a folder with `--root DIR`.": "请用 `--root DIR` 给出一个文件夹。",
    "Choose another place.": "请换一个地方。",
    "Name a folder as DST.": "请以文件夹作为 DST。",
    # install, uninstall
    "Installed.": "已安装。",
    "Everything is installed already.": "一切都已安装。",
    "Give the top folder of a clone.": "请给出克隆的顶层文件夹。",
    "Uninstalled.": "已移除。",
    "Nothing was installed.": "原本就没有安装。",
    # memory, journal, note, search, log, diff
    "Replaced: {text}": "已替换：{text}",
    "Removed: {text}": "已删除：{text}",
    "Added.": "已添加。",
    "It is there already.": "已经有了。",
    "Written to {path}.": "已写入 {path}。",
    "Nothing was written that day.": "那天没有写日记。",
    "Moved {old} to {new}.": "已把 {old} 移到 {new}。",
    "Nothing found.": "没有找到。",
    "No commit matches.": "没有符合的提交。",
    "Nothing differs.": "没有差异。",
    # key
    "The new key is in use.": "新密钥已启用。",
    "Delete the old deploy key at the server: {fingerprint}": "请在服务器上删除旧的部署密钥：{fingerprint}",
    "Pinned {key}.": "已固定 {key}。",
    "The key may read and write.": "这个密钥可读可写。",
    "The key may only read.": "这个密钥只能读。",
    "The server does not let this key in.": "服务器不接受这个密钥。",
    # lease
    "{body} holds the lease until {time}.": "{body} 持有租约，到 {time} 为止。",
    "The lease is free.": "租约空闲。",
    "This body held no lease.": "这个身体没有持有租约。",
    "Free; {body} let it run out at {time}.": "空闲；{body} 的租约已于 {time} 到期。",
    "Free.": "空闲。",
    # remote
    "{agent} ({body}) is in step with {remote}.": "{agent}（{body}）已与 {remote} 同步。",
    "{agent} ({body}) now stands on {head}; the old tip is kept as a rescue ref.": "{agent}（{body}）现在位于 {head}；旧的末端保留为救援引用。",
    "Adopt {commit} as the history of {agent}?": "采纳 {commit} 作为 {agent} 的历史吗？",
    "No remote yet: this is a local soul.": "还没有远端：这是本地灵魂。",
    "This replaces the history of this body.": "这会替换这个身体的历史。",
    "Say --yes if that is meant.": "若确有此意，请加 --yes。",
    "Serving {root} at ssh://git@{host}:{port}/ (Ctrl-C ends it)": "正在 ssh://git@{host}:{port}/ 提供 {root}（按 Ctrl-C 结束）",
    "Stopped.": "已停止。",
    "Give a file with one public key.": "请给出含有一个公钥的文件。",
    # restore, undo
    "{path} is already as in {source}.": "{path} 已与 {source} 中的相同。",
    "{path} is back as in {source}, in the commit {commit}.": "{path} 已恢复成 {source} 中的样子，提交为 {commit}。",
    "would be set back": "将退回",
    "set back": "已退回",
    "changed since; --force sets it back": "后来又有改动；用 --force 退回",
    "journals, registry, lease and fixed files are not undone": "日记、登记、租约和固定文件不撤销",
    "the spec requires it": "规范要求它存在",
    "  left: {path} ({reason})": "  未动：{path}（{reason}）",
    "Undone in {new}. `soulsync sync` sends it; `soulsync undo {new}` takes it back.": "已在 {new} 中撤销。`soulsync sync` 发送它；`soulsync undo {new}` 收回它。",
    # 进度
    "counting": "计数",
    "compressing": "压缩",
    "sending": "发送",
    "receiving": "接收",
    "unpacking": "解包",
    "merging": "合并",
    "placing files": "放置文件",
}
