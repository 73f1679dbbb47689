"""演示。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "Done in {seconds:.1f} seconds.": "完成，用时 {seconds:.1f} 秒。",
    "Two bodies, each with its own key": "两个身体，各有自己的密钥",
    "Both write at the same time": "两边同时写入",
    "phone writes:": "phone 写入：",
    "trip note edited": "编辑了 trip 笔记",
    "color changed": "改了 color",
    "a journal section": "一节日记",
    "laptop writes:": "laptop 写入：",
    "description changed": "改了 description",
    "The memories now, on both:": "两边现在的记忆：",
    "agent.json, a field from each:": "agent.json，各取一个字段：",
    "Plain git merge: the same bytes": "普通的 git merge：逐字节相同",
    "soulsync sync: {tree}": "soulsync sync：{tree}",
    "git merge:     {tree}": "git merge：    {tree}",
    "Undo one commit, keep the rest": "撤销一个提交，保留其余",
    "phone undoes {target}, of the laptop:": "phone 撤销 laptop 的 {target}：",
    "One tree everywhere:": "各处的目录树一致：",
    "Everything is still in {keep}.": "一切都还在 {keep} 中。",
    "The autobiography": "自传",
    "{name}: key made, not known yet (exit {returncode})": "{name}：密钥已生成，服务器尚不认识（退出码 {returncode}）",
    "{name}: key added, connected": "{name}：密钥已添加，已接入",
    "{name} syncs: {outcome}": "{name} 同步：{outcome}",
    "The two merges differ.": "两次合并的结果不同。",
    "This is a fault of soulsync; please report it.": "这是 soulsync 的缺陷，请报告。",
    "The bodies and the remote are not in step.": "身体与远端不同步。",
    "{keep} is not empty.": "{keep} 不是空的。",
    "Give a new folder.": "请给一个新文件夹。",
    "soulsync {command} failed on {name}: {said}": "soulsync {command} 在 {name} 上失败：{said}",
}
