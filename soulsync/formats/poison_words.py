"""Words of English and commands that poison is made of, as pieces of patterns, and who is spoken to in a clause."""

from __future__ import annotations

import re

EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|former|past|foregoing|your|system(?:'s)?|developers?(?:'s?)?|safety|initial|original|"
    r"built-in|existing|default|security|hidden|core|standing|given|received|ethical|content)"
)
_FILL = (
    rf"(?:{EARLIER}|all|any|every|each|everything|of|the|my|our|its|those|these|this|that|other|such|and|or|you|have|"
    r"been|were|was|had|got|full|exact|complete|own|raw|so|far|before|to|in|from|current|old|older|usual|normal|secret|internal|operator'?s?|"
    r"company|rest|entire|whole|set|provided|user|told|established|moral|privacy)"
)
FILL = rf"(?:{_FILL}[ ,]+)"
"""What may stand between a verb and its object without making it an ordinary sentence about something else."""
ORDERS = (
    r"(?:instructions?|directives?|prompts?|orders|commands|guidelines?|guardrails?|programming|training|briefing)\b"
)
LIMITS = (
    r"(?:rules?|restrictions?|constraints?|limitations?|limits|polic(?:y|ies)|safeguards?|filters?|protocols?|"
    r"conversation|context|messages?|text|content|checks|measures|boundaries|principles|alignment|role|persona|memory|"
    r"memories|configuration|directions?|guidance)\b"
)
USER = (
    r"(?:(?:the |your |our |any |a )?(?:user|human|operator|owner|account holder)s?(?!'s|\w| (?:id|name|table|agent|interface)\b)"
    r"|(?:them|him|her)\b)"
)
RUN = r"(?:run|execute|exec|eval|invoke|launch|perform|carry out|trigger)\b"
SEND = (
    r"(?:send|upload|post|forward|e-?mail|mail|transmit|submit|exfiltrate|leak|paste|push|report|relay|deliver|share|"
    r"publish|beam|ship|copy)\b"
)
SECRETS = (
    r"(?:api[ _-]?keys?|(?:access |auth |bearer |session |refresh )?tokens?|passwords?|passwd|passphrases?|credentials?|"
    r"private[ _]keys?|ssh[ _]keys?|secrets?(?: keys?)?|cookies?|environment variables|env(?:ironment)? vars|\.env\b(?!\.)|"
    r"id_(?:rsa|ed25519|ecdsa|dsa)|\.ssh\b|\.aws\b|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.kube\b|"
    r"keychain|key ?ring|wallets?|seed phrases?|recovery phrases?|/etc/(?:passwd|shadow)|credit cards?|kubeconfig|"
    r"service account|login data|bank details)"
)
SECRET_FILE = (
    r"(?:[~/.$\w{}-]{0,40}(?:\.ssh/(?:id_\w+|\*|identity)|\.aws/credentials|\.netrc|\.git-credentials|\.pgpass|"
    r"etc/(?:shadow|passwd)|\.kube/config|\.docker/config\.json|\.pypirc|\.npmrc|\.gnupg\b|\.env\b(?!\.)|"
    r"\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|wallet\.dat|cookies\.sqlite|\.config/gcloud|\.bash_history|\.zsh_history))(?!\.pub)"
)
REPLY = r"(?:in|into|with|to) (?:your|the) (?:next |final |first )?(?:reply|response|answer|output|message)"
OUT = (
    r"(?:to (?:https?:|ftp:|me\b|us\b|the attacker|attacker|my |our (?:server|endpoint|collector)|this (?:url|address|"
    r"endpoint|server|host|link|webhook)|the (?:following|remote|external)|(?:the|an?|that) (?:[\w-]+ ){0,2}(?:url|webhook|gist|paste|collector|domain|link|address|dropbox|drop zone|image)\b|an? (?:external|remote|"
    r"webhook|server|url|pastebin|public|third)|pastebin|telegram|discord|slack|[\w.+-]+@[\w-]+\.\w|[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|sh|xyz|"
    r"example|evil|test|ru|cn|dev|site|top)\b|\d{1,3}\.\d{1,3}\.)|" + REPLY + r"|(?:in|into|with|to) (?:the chat)"
    r"|@ ?\w|webhook|pastebin|(?:via|through|using|with) (?:curl|http|dns|a (?:get|post)|an? image|a webhook))"
)
AI = (
    r"(?:ai|assistants?|models?|llms?|agents?|chatbots?|bots?|claude|chatgpt|gpt|gemini|copilot|llama|qwen|kimi|"
    r"deepseek|language model)"
)

_SKIPPED = frozenset(
    """please kindly always never immediately now then just also first silently secretly quietly covertly automatically
    instead simply completely entirely fully totally so therefore hereby henceforth and or but next must should shall will
    may can would need needs have has to remember sure make be required instructed told want wants ask asked like expected
    supposed advised ought do not don't dont mustn't shouldn't only strictly carefully directly again further furthermore
    additionally important note attention urgent new 1 2 3 4 5 step todo task is hey hi hello ok okay better stop from
    here forward on going onwards onward today today's go ahead avoid refrain are being begin start permanently forever discreetly stealthily
    surreptitiously continue proceed let's lets let us""".split()
)
"""Words that may stand between the beginning of a clause, or the one who is addressed, and an order."""
_ADDRESSED = frozenset(
    """you you'll you're u ya thou ai assistant assistants model models llm llms agent agents chatbot bot claude chatgpt
    gpt gemini copilot llama qwen kimi deepseek""".split()
)
_ENDS = frozenset('.,;:!?()[]{}<>"\u2014\u2013|/#=>-\n\u3002\uff0c\uff1b\uff1a\u3001\u300c\u300e\u201c\u2022\\')
_LAST_WORD = re.compile(r"[^ \n]+$")
_BACK = 160
"""How many characters before a verb are looked at."""


def is_order(text: str, at: int) -> bool:
    """Whether the verb at ``at`` is an order: nobody else does it. It begins a clause, or is said to ``you`` or an AI."""
    return _subject(text, at) != "" and not _NOT.search(text[max(0, at - 40) : at])


def is_negated_order(text: str, at: int) -> bool:
    """Whether it is an order not to do it: ``do not tell``, ``never mention``, ``you must not say``."""
    before = text[max(0, at - 40) : at]
    negation = _NOT.search(before)
    if negation is None:
        return False
    start = at - len(before) + negation.start()
    return _subject(text, at) != "" or text[max(0, start - 5) : start].endswith((" and ", " or ", "but ", "then "))


def is_ordered(text: str, at: int) -> bool:
    """Whether the sentence around ``at`` begins with an order: a verb without a subject, and no negation before it."""
    start = max(text.rfind(sign, max(0, at - 2 * _BACK), at) for sign in (". ", "! ", "? ", "\n", ": ", "; ", ", "))
    sentence = text[start + 1 : at].lstrip(" .!?:;,")
    for word in sentence.split():
        if word in _VERBS:
            return True
        if word in ("never", "not", "don't") or (word not in _SKIPPED and word not in _ADDRESSED):
            return False
    return False


_VERBS = frozenset(
    """make do send upload change modify delete remove add insert install run execute read write copy move push commit
    merge approve grant accept disable enable open close store save record log track collect forward transfer buy order
    purchase pay post publish share submit sign subscribe update replace edit append include access download fetch call
    use turn set switch reset create give let start stop schedule book redirect encrypt archive perform carry apply
    activate deploy leak wipe rewrite alter swap inject plant embed recommend mail e-mail email message take put""".split()
)


def addresses(text: str, at: int) -> bool:
    """Whether the verb at ``at`` is said to ``you`` or an AI by name."""
    return _subject(text, at) == "you"


_NOT = re.compile(
    r"(?:\b(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|shall not|may not|can not|cannot|can't|"
    r"will not|won't|not to|no need to|not|avoid|refrain from|without)(?: (?:ever|even|you|to|please|directly|explicitly))? ?)$"
)


def _subject(text: str, at: int) -> str:
    """``you`` for one who is addressed, ``clause`` for an order without a subject, nothing for anybody else."""
    start = max(0, at - _BACK)
    before = text[start:at].rstrip(" ")
    while before:
        if before[-1] in _ENDS:
            return "clause"
        word = _LAST_WORD.search(before)
        if word is None:
            return "clause"
        bare = word[0].strip("'()[]\"_>#")
        if bare in _ADDRESSED:
            return "you"
        if bare not in _SKIPPED:
            return ""
        before = before[: word.start()].rstrip(" ")
    return "clause" if start == 0 else ""
