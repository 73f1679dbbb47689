"""What a memory hides in markup, and downloads that go straight into a shell: the same in every language."""

from __future__ import annotations

import re

from soulsync.formats.poison_rules import Pattern, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from soulsync.formats.poison_rules import Allowance

_FETCH = r"(?:curl|wget|fetch|aria2c|http(?:ie)?|iwr|irm|invoke-webrequest|invoke-restmethod|lwp-download)(?:\.exe)?"
_SHELL = r"(?:/(?:usr/)?bin/)?(?:env )?(?:ba|z|da|k|c|fi|a)?sh\b|python[23.]*\b|perl\b|ruby\b|node\b|php\b|iex\b|invoke-expression\b|pwsh\b|powershell\b|osascript\b|lua\b|deno run|bun run|xargs (?:-\S+ )*(?:ba|z)?sh"
_SUDO = r"(?:sudo (?:-\S{1,40} ){0,3}|doas |exec |nohup |command |time |env (?:\w{1,40}=\S{1,60} ){0,3}|[a-z_]{1,40}=\S{1,60} ){0,3}"
_ADDRESS = r"(?:https?:|ftp:|[\w-]+\.[a-z]{2,}\b|\$\w|\$\{|\d+\.\d+\.\d+)"
PIPE: list[tuple[str, str]] = [
    (
        "curl wget fetch aria2c http httpie iwr irm invoke-webrequest invoke-restmethod lwp-download",
        rf"(?=[^|\n]{{0,420}}\|)\b{_FETCH}\b(?! ?\|)[^|\n]{{0,200}}?{_ADDRESS}[^|\n]{{0,200}}\|(?: ?(?:tee|tac|rev|base64|gunzip|gzip|openssl|xxd|tr|sed|cat|grep|awk)\b[^|\n]{{0,80}}\|){{0,3}} ?{_SUDO}(?:{_SHELL})",
    ),
    (
        "bash zsh dash ksh sh source eval python python2 python3 perl node",
        rf"(?:(?:ba|z|da|k)?sh|source|eval|python[23]?|perl|node) (?:-\w+ )*[\"']?(?:<\(|\$\(|`) ?{_FETCH}\b",
    ),
    (
        "iex invoke-expression",
        rf"(?:iex|invoke-expression) ?[\"'(]{{0,3}} ?\(?(?:{_FETCH}|new-object (?:system\.)?net\.webclient)",
    ),
    ("downloadstring", r"downloadstring ?\([^)\n]{0,200}\)[^\n]{0,40}\| ?iex"),
    (
        "curl wget fetch aria2c http httpie iwr irm invoke-webrequest invoke-restmethod lwp-download",
        rf"(?=[^\n]{{0,380}}?(?:&&|;|\bthen\b|然后|并|再))\b{_FETCH}\b[^|\n;&]{{0,200}}?{_ADDRESS}[^\n;&]{{0,160}}(?:&&|;|\band then\b|然后|并|再) ?{_SUDO}(?:chmod (?:\S{{1,60}} ){{1,3}}\S{{1,200}} ?(?:&&|;) ?)?{_SUDO}(?:(?:(?:ba|z|da)?sh|python[23]?|perl|node|source) (?:-\w+ )*[./~$\w][^\s]*|\./\S+)",
    ),
    (
        "curl wget fetch aria2c http httpie iwr irm invoke-webrequest invoke-restmethod lwp-download",
        rf"(?=[^\n]{{0,380}}?chmod)\b{_FETCH}\b[^|\n;&]{{0,200}}?{_ADDRESS}[^\n;&]{{0,160}}(?:&&|;) ?chmod \+?\S{{1,40}} \S{{1,200}} ?(?:&&|;) ?{_SUDO}[./~$]\S+",
    ),
    (
        "base64 xxd openssl",
        r"(?:base64 (?:-d|-D|--decode)|xxd -r|openssl enc -d)[^|\n]{0,80}\| ?(?:sudo )?(?:ba|z|da)?sh\b",
    ),
    (
        "exec eval",
        r"exec\((?:requests\.get|urllib\.request\.urlopen|urlopen|__import__)|eval\((?:await )?\(?(?:fetch|requests)\(",
    ),
    (
        "pipe feed stream redirect pass",
        r"(?:pipe|feed|stream|redirect|pass) (?:it|them|the (?:\w+ ){0,3}(?:script|output|response|result|content|download|file|payload)|its (?:output|content)s?|(?:the )?(?:downloaded|remote|fetched) \w+|whatever (?:it|comes back)[^.\n]{0,20}|https?:\S+|everything)(?: \S+){0,6}? (?:straight |directly )?(?:in)?to (?:a |the |your )?(?:sudo |root )?(?:ba|z|da)?sh(?:ell)?\b",
    ),
    (
        "download fetch curl wget retrieve grab pull",
        r"(?:download|fetch|curl|wget|retrieve|grab|pull)\b[^.\n]{0,20}?(?:https?:\S+|\bscript\b|\binstaller\b|\bpayload\b|\bbinary\b)[^.\n]{0,60}?(?:,|and|then) (?:then |immediately |silently )*(?:run|execute|pipe|source|eval|exec)\b(?: it| them| that)?(?: (?:straight |directly )?(?:as root|with sudo|in(?:to)? (?:a |the )?(?:shell|bash|sh)|immediately|silently|without|through (?:bash|sh)))",
    ),
]
_HIDING_STYLE = (
    r"(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0*(?:\.0+)?(?:0|1px|0\.\dpx)|opacity ?: ?0(?:\.0\d*)?(?![.\d])|"
    r"(?<![\w-])color ?: ?(?:#fff(?:fff)?|white|transparent|rgba\([^)]*, ?0\))|text-indent ?: ?-\d{3,}|"
    r"(?:left|top) ?: ?-\d{3,}|(?:width|height) ?: ?0|clip ?: ?rect\(0|clip-path|transform ?: ?scale\(0)"
)
_ANY = r"[^\0]"
_CLOSED = rf"(?:{_ANY}{{0,200}}?</\1|{_ANY}{{200}})"
"""A tag that is only spoken of is not closed."""
HIDDEN: list[tuple[str, str, str]] = [
    (
        "<",
        "",
        rf"<([a-z][\w-]*)\b[^<>]{{0,120}}?style ?= ?[\"'][^\"'<>]{{0,120}}?{_HIDING_STYLE}[^<>]{{0,120}}?> ?[^<\s]{_CLOSED}",
    ),
    (
        "<",
        "open",
        rf"<[a-z][\w-]*\b[^<>]{{0,120}}?style ?= ?[\"'][^\"'<>]{{0,120}}?{_HIDING_STYLE}[^<>]{{0,120}}?> ?[^<\s]",
    ),
    (
        "<",
        "",
        rf"<([a-z][\w-]*)\b(?:[^<>]{{0,100}}? )?\bhidden(?:=[\"']?(?:hidden|true)?[\"']?)?(?: [^<>]{{0,80}})?/?> ?[^<\s]{_CLOSED}",
    ),
    ("<", "open", r"<[a-z][\w-]*\b(?:[^<>]{0,100}? )?\bhidden(?:=[\"']?(?:hidden|true)?[\"']?)?> ?[^<\s]"),
    ("<", "", r"<font\b[^<>]{0,80}?(?:size ?= ?[\"']?0|color ?= ?[\"']?(?:white|#fff))"),
    ("<", "open", r"<(?:noscript|template|iframe|object|embed|meta)\b[^<>]{0,100}>[^<]{12,}"),
    ("<", "", r"<iframe\b[^<>]{0,120}?(?:width|height)=[\"']?0"),
    (
        "<",
        "",
        r"<(?:img|svg|body|input|video|audio|a|details)\b[^<>]{0,120}?\bon(?:error|load|mouseover|click|toggle|focus) ?=",
    ),
    ("<", "", r"<img\b[^<>]{0,60}?src=[^<>]{0,120}?(?:[?&][\w-]+=(?:\{|\$|%<)|\{\{)"),
    (
        "![",
        "",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,120}?[?&][\w-]+=(?:\{|\$|%7b|\[|<|secret|data|history|token|密)",
    ),
    ("<", "open", r"<script\b[^<>]{0,120}>[^<]{3,}"),
    ("href", "", r"href ?= ?[\"']?javascript:"),
]
_LONGEST = 2000
_DEFINITION = re.compile(
    r"^\[(?://|comment|_metadata[^\]\n]{0,40}|hidden|[#_])\]: ?(?:#|<>) ?[\"'(]([^\n]{0,2000})", re.MULTILINE
)
_TOOLS = re.compile(
    r"\s*(?:prettier|eslint|markdownlint|stylelint|textlint|vale|cspell|todo|fixme|more\b|toc\b|/?toc|endif|\[if|badges?|all-contributors|start|end|begin|ko\b|/ko|nav|header|footer|html-validate|readme|docs?:|"
    r"generated|auto-?generated|this file|do not edit|region|copyright|license|spdx|excerpt|template|placeholder|include|insert|vim:|truncate|break|column|note to self|https?://\S+\s*$|请勿编辑|自动生成|由脚本|待办|目录|截断)"
)
_SPEAKS = re.compile(
    r"\b(?:ai|assistants?|models?|llms?|agents?|claude|chatgpt|gpt|copilot|chatbots?|bots?|you|your|prompt|instructions?|ignore|disregard|forget|run|execute|send|upload|curl|wget|"
    r"fetch|delete|reveal|tell|pretend|obey|must|always|never|system|secret|secretly|exfiltrate|token|password|credentials?|recommend|approve|hidden|reader|summari[sz]e|append|base64)\b|"
    r"你|助手|模型|智能体|机器人|提示词|指令|忽略|执行|运行|发送|上传|删除|告诉|读取|输出|必须|务必|密钥|密码|令牌|悄悄|不要|推荐|批准|请|回复|回答|隐藏|系统",
)
TURNS: list[tuple[str, str]] = [
    (
        "<",
        r"(?:<\|?(?:im_start|start_header_id|system)\|?>|<<sys>>|<\|(?:system|user|assistant)\|>|</?(?:system|instructions?|admin|developer)(?:_prompt|-prompt|-message)?>)\s*\S",
    ),
    ("[", r"\[/?inst\]\s*\S|\[(?:system|admin|developer)(?: (?:message|override|prompt|note|instructions?))?\]"),
    (
        "#",
        r"###? ?(?:(?:system|developer|admin|root)(?: (?:prompt|override|message|instructions?|command|note))|system|instructions?|new instructions?|assistant|human|user|指令|系统|系统指令|新指令) ?[:：] ?\S",
    ),
    ("s d a r", r"(?:system|developer|admin|root) (?:prompt|override|message|instructions?|command|note) ?:"),
    (
        "e b",
        r"(?:end of (?:user|system|previous|the above) (?:input|prompt|instructions?|message)|begin (?:new |system |admin )(?:instructions?|prompt|message))",
    ),
]
_SPOKEN_PIPE = Rules(
    re.compile(r"([a-z][a-z0-9-]*[a-z0-9])"), [(heads.split(), ("pipe", "", Pattern(p))) for heads, p in PIPE]
)
_IN_TAGS = Rules(
    re.compile(r"(<(?=[a-z])|!\[|href)"),
    [([head], ("hidden-html", begins, Pattern(p))) for head, begins, p in HIDDEN],
)
_AT_LINES = Rules(
    re.compile(r"^ ?([<\[#a-z])", re.MULTILINE), [(heads.split(), ("role", "", Pattern(p))) for heads, p in TURNS]
)


def find(text: str, found: dict[str, str], allowance: Allowance) -> None:
    """Add to ``found`` each category that occurs in a normalised text, with the words that show it."""
    for rules in (_SPOKEN_PIPE, _IN_TAGS, _AT_LINES):
        rules.find(text, found, allowance, _is_open)
    if "hidden-html" not in found:
        comment = next((comment for comment in _comments(text) if _is_message(comment)), None)
        if comment is not None:
            found["hidden-html"] = comment


def _is_open(text: str, at: int, _begins: str) -> bool:
    """Whether a tag stands where text begins, not in the middle of a sentence about it."""
    before = text[max(0, at - 2) : at].rstrip(" ")
    return not before or before[-1] in ".!?。！？>\n"


def _comments(text: str) -> Iterator[str]:
    """What HTML comments say, and the link definitions of Markdown that serve as comments."""
    seen: set[str] = set()
    at = 0
    while (at := text.find("<!--", at)) >= 0:
        end = text.find("-->", at + 4)
        comment = text[at + 4 : end if end >= 0 else len(text)][:_LONGEST]
        if comment not in seen:
            yield comment
        seen.add(comment)
        at = end if end >= 0 else len(text)
    for hit in _DEFINITION.finditer(text):
        if hit[1] not in seen:
            yield hit[1]
        seen.add(hit[1])


def _is_message(comment: str) -> bool:
    """Whether an HTML comment speaks to whoever reads the source; those that steer a tool do not."""
    tool = _TOOLS.match(comment)
    if tool is None:
        return _SPEAKS.search(comment) is not None
    return len(_SPEAKS.findall(comment[tool.end() :])) > 2
