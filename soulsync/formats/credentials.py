"""Credentials in a memory: private keys and well-known forms of tokens (SOULSPEC v0 §7.1).

What is found is named by its kind and never shown: a preview must not spread what a memory must not hold.
"""

from __future__ import annotations

import re

_B = r"(?<![A-Za-z0-9_-])"
_E = r"(?![A-Za-z0-9_-])"
_KINDS = {
    "private key": (
        "PRIVATE PuTTY-User-Key AGE-SECRET-KEY",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[0-9A-Z]{20,}",
    ),
    "AWS key": ("AKIA ASIA ABIA ACCA", rf"{_B}(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{{16}}{_E}"),
    "GitHub token": (
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        rf"{_B}(?:gh[pousr]_[A-Za-z0-9]{{30,255}}|github_pat_[A-Za-z0-9_]{{22,255}}){_E}",
    ),
    "GitLab token": (
        "glpat- gldt- glrt- glptt- glcbt- glft- glsoat-",
        rf"{_B}gl(?:pat|dt|rt|ptt|cbt|ft|soat)-[\w-]{{20,}}{_E}",
    ),
    "OpenAI key": ("sk-", rf"{_B}sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=[\w-]*\d)[A-Za-z0-9_-]{{20,}}{_E}"),
    "Anthropic key": ("sk-ant-", rf"{_B}sk-ant-[\w-]{{20,}}"),
    "Google key": ("AIza ya29. GOCSPX-", rf"{_B}AIza[\w-]{{35}}{_E}|{_B}ya29\.[\w-]{{20,}}|{_B}GOCSPX-[\w-]{{20,}}"),
    "Slack token": (
        "xox xapp- hooks.slack.com",
        rf"{_B}xox[abeoprs]-[\w-]{{10,}}|hooks\.slack\.com/services/T\w+/B\w+/\w{{16,}}|{_B}xapp-\d-[\w-]{{20,}}",
    ),
    "Stripe key": (
        "_live_ _test_ whsec_",
        rf"{_B}(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{{16,}}{_E}|{_B}whsec_[A-Za-z0-9]{{24,}}",
    ),
    "npm token": ("npm_", rf"{_B}npm_[A-Za-z0-9]{{36}}{_E}"),
    "PyPI token": ("pypi-", rf"{_B}pypi-AgE[\w-]{{30,}}"),
    "Hugging Face token": ("hf_", rf"{_B}hf_[A-Za-z0-9]{{30,}}{_E}"),
    "Telegram bot token": (":AA", rf"{_B}\d{{8,10}}:AA[\w-]{{32,34}}{_E}"),
    "SendGrid key": ("SG.", rf"{_B}SG\.[\w-]{{16,}}\.[\w-]{{16,}}"),
    "DigitalOcean token": ("_v1_", rf"{_B}do[opr]_v1_[a-f0-9]{{64}}{_E}"),
    "Discord token": ("iscord", rf"{_B}[MNO][\w-]{{23,25}}\.[\w-]{{6}}\.[\w-]{{27,}}"),
    "Azure key": ("AccountKey= SharedAccessKey=", r"(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}"),
    "Alibaba Cloud key": ("LTAI", rf"{_B}LTAI[A-Za-z0-9]{{12,24}}{_E}"),
    "Tencent Cloud key": ("AKID", rf"{_B}AKID[A-Za-z0-9]{{32}}{_E}"),
    "Twilio key": ("SK", rf"{_B}SK[a-f0-9]{{32}}{_E}"),
    "JSON Web Token": ("eyJ", rf"{_B}eyJ[\w-]{{8,}}\.eyJ[\w-]{{8,}}\.[\w-]{{10,}}"),
}
_PATTERNS = [(kind, needles.split(" "), re.compile(pattern)) for kind, (needles, pattern) in _KINDS.items()]
"""Each kind with the text that must be there before its pattern is worth a try."""
_IN_URL = re.compile(r"://[^\s:@/]{1,64}:([^\s:@/]{3,128})@[\w.\[-]")
_ASSIGNED = re.compile(
    r"(?:password|passwd|passphrase|pwd|pass|api[ _-]?key|apikey|secret(?:[ _-]?(?:access)?[ _-]?key)?|(?:access|auth|api|bearer|bot|refresh)[ _-]?token|token|"
    r"client[ _-]?secret|private[ _-]?key|密码|口令|密钥|秘钥|令牌|授权码)"
    r"(?:[\"'`]?\s{0,3}(?:[:=：]|=>|\bis\b|\bwas\b|是|为|改成了?|设为|改为)\s{0,3})[\"'`“「]?([^\s\"'`”」，。；,;）)]{6,200})|"
    r"\bbearer ([A-Za-z0-9._~+/-]{20,}=*)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"^(?:[<\[{(].*|\$.*|%.*|\*+.*|x{3,}.*|\.{3,}.*|…+.*|your[-_].*|my[-_].*|example.*|changeme.*|change[-_]me.*|placeholder.*|redacted.*|dummy.*|test[-_]?(?:key|token|password)?|"
    r"(?:os\.|process\.|env\.|vault[:.]|op://|secretref|keyring|ssm:|arn:).*|.*\(.*|https?://.*|[~./].*)$",
    re.IGNORECASE,
)


def scan(text: str) -> list[str]:
    """The kinds of credentials in a text, each once. Empty for ordinary text, placeholders and names of variables."""
    found = [
        kind
        for kind, needles, pattern in _PATTERNS
        if any(needle in text for needle in needles) and pattern.search(text)
    ]
    if "Anthropic key" in found and "OpenAI key" in found and text.count("sk-") == text.count("sk-ant-"):
        found.remove("OpenAI key")
    if any(_is_secret(hit[1]) for hit in _IN_URL.finditer(text)):
        found.append("password in an address")
    if not found and any(_is_secret(hit[1] or hit[2]) for hit in _ASSIGNED.finditer(text)):
        found.append("password or key")
    return found


def _is_secret(value: str) -> bool:
    """Whether a value looks made up by chance: letters and digits, or letters and signs, in one word without a meaning."""
    if _PLACEHOLDER.match(value) or not value.isascii() or value.lower() in ("password", "passwd", "secret", "pass"):
        return False
    kinds = [any(map(str.isalpha, value)), any(map(str.isdigit, value)), any(c in "!@#$%^&*?+=~" for c in value)]
    return sum(kinds) > 1 and "/" not in value[:-1].replace("+/", "")
