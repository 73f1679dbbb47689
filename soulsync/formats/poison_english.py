"""Orders to an AI in English, category by category.

A rule is tried where one of its words stands. It says how the text must go on from there, and how it must have begun:
``order`` for an imperative or something said to ``you``, ``not`` for an order not to do it, ``you`` for what is said to
an AI by name, nothing where the words alone are enough. What somebody else does or must do is a fact, not an order.
"""

from __future__ import annotations

import re

from soulsync.formats import poison_words as words
from soulsync.formats.poison_rules import Pattern, Rules
from soulsync.formats.poison_words import (
    AI,
    EARLIER,
    FILL,
    LIMITS,
    ORDERS,
    OUT,
    REPLY,
    RUN,
    SECRET_FILE,
    SECRETS,
    SEND,
    USER,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from soulsync.formats.poison_rules import Allowance

_W = r"(?:[^\s.!?\n]+ )"
"""A word with the blank behind it, inside a sentence."""
_ABOUT = r"(?! (?:in|from|on|of|for|by|about) (?:the|a|an|this (?:page|wiki|book)|old|step|chapter|section|page))"
_THIS = r"(?:this|these|it|that|them|what|any of|anything|the (?:command|instruction|change|action|memory|message|request|script|real|true|existence|content|rule|fact)s?)"
_IGNORE = (
    "ignore disregard forget override overrule bypass circumvent neglect abandon nullify violate discard dismiss drop"
)
_FOLLOW = "follow obey heed respect honor observe comply adhere listen apply"
_READ = "read open cat print show display dump output list reveal extract get grab fetch find search scan look collect gather locate retrieve copy encode include type echo export give tell harvest steal exfiltrate base64 archive zip tar attach append take pull check"

_SOURCE: list[tuple[str, str, str, str]] = [
    # category, triggers, how it begins, how it goes on from the trigger
    ("override", _IGNORE, "order", rf"\w+ {FILL}{{0,7}}(?<=[ ,]){EARLIER}[ ,]+{FILL}{{0,4}}{ORDERS}"),
    ("override", "ignore disregard forget override overrule bypass", "order", rf"\w+ (?:about )?{FILL}{{0,3}}(?:all|any|every|everything|these|those|other|existing) {FILL}{{0,4}}{ORDERS}{_ABOUT}"),
    ("override", f"{_IGNORE} break reset wipe erase clear cancel revoke", "order", rf"\w+ {FILL}{{0,7}}(?:previous|prior|above|earlier|preceding|your|system|developer|safety|ethical|content|initial|original) {FILL}{{0,3}}(?:{LIMITS}|{ORDERS}){_ABOUT}"),
    ("override", _IGNORE, "order", rf"\w+ (?:about )?(?:everything|anything|all|whatever|what)(?: that| of (?:it|that|this)| else)?[ ,]+(?:{_W}{{0,3}})?(?:above|before (?:this|now)|prior|previously|earlier|you (?:know|were|are told|have been|learned|learnt|have learned)|(?:was|were|been|has been|i|we) (?:said|told|written|given|instructed)|came before|until now|up to (?:now|this point)|so far)"),
    ("override", _IGNORE, "order", rf"\w+ (?:about )?(?:whatever|what|everything|anything|all)(?: that)? {_W}{{0,4}}?(?:operators?|developers?|system|admin\w*|creators?|makers?|company|openai|anthropic|trainers?|vendor|owner) (?:\w+ )?(?:configured|instructed|told|said|says|set|wrote|gave|ordered|programmed|taught|demand(?:s|ed)|want(?:s|ed)|message|prompt)"),
    ("override", f"{_IGNORE} {_FOLLOW}", "either", rf"\w+ (?:with |to |by )?{FILL}{{0,5}}(?:{ORDERS}|{LIMITS}) (?:(?:set|given|imposed|provided|defined|written|issued|configured|laid down|coming|received) (?:to you )?(?:by|from)|of|from) (?:your|the|its|any) (?:\w+ )?(?:developers?|system|operators?|company|openai|anthropic|creators?|admin\w*|makers?|vendor|trainers?)"),
    ("override", f"{_IGNORE} {_FOLLOW}", "either", rf"\w+ (?:with |to |by )?{FILL}{{0,5}}(?:{ORDERS}|{LIMITS}) (?:that )?(?:you (?:were|have been|had been|have|got|received|are) (?:\w+ )?(?:given|told|under|received|trained|follow|now|before|earlier|so far)|(?:i|we|they|your \w+|the (?:developers?|system|company|operators?|creators?)) (?:gave|told|set|wrote|imposed|taught|built into))"),
    ("override", "everything whatever anything instructions guidelines rules restrictions prompts directives", "", rf"\w+ (?:that )?(?:{_W}{{0,3}}?)(?:you (?:were|have been|had been) (?:given|told|taught|instructed|trained)|(?:the )?(?:system|previous|prior|earlier|first|developer|original)(?: \w+){{0,2}} (?:said|says|told you|gave)|(?:said|written|given|stated) (?:above|before|earlier|previously)|above|before this)(?: \w+){{0,2}} (?:is|are) (?:now |hereby |all )?(?:null|void|invalid|cancell?ed|revoked|superseded|overridden|suspended|lifted|replaced|rescinded|irrelevant|no longer (?:valid|apply|binding|active|in force|relevant|true))"),
    ("override", _IGNORE, "order", r"\w+ (?:the )?(?:rest of )?(?:the )?(?:above|foregoing|preceding)(?: (?:text|content|and|entirely|completely))?(?:[.,;!\n]|$| and )"),
    ("override", f"{_FOLLOW} obeying following", "not", rf"\w+ (?:with |to |by )?{FILL}{{0,6}}(?:(?:previous|prior|above|earlier|your|system|safety|original|initial|those|any) {FILL}{{0,3}})(?:{ORDERS}|{LIMITS}){_ABOUT}"),
    ("override", "stop quit cease", "order", rf"\w+ (?:to (?:follow|obey|apply|respect|use|honou?r|heed)|following|obeying|respecting|applying|using|listening to|complying with|adhering to) {FILL}{{0,6}}(?:{ORDERS}|{LIMITS}){_ABOUT}"),
    ("override", "instructions guidelines rules prompts directives restrictions orders messages previous prior earlier above all your system any the", "", rf"{FILL}{{0,6}}(?:{ORDERS}|rules|restrictions|constraints|limitations|messages?)(?: {_W}{{0,3}}?)(?:(?<=above )|(?<=earlier )|(?<=before )|(?<=given )|(?<=received )|(?<=previously ))(?:are to|must|should|have to|can|shall|will|may|need to) (?:now |all |simply |just )?be (?:ignored|disregarded|forgotten|discarded|overridden|dropped|bypassed|set aside|deleted|neglected|abandoned)"),
    ("override", "previous prior earlier above all your system any other", "", rf"\w+ {FILL}{{0,6}}(?:{ORDERS}|{LIMITS}) (?:are to|must|should|have to|can|shall|will|may|need to) (?:now |all |simply |just )?be (?:ignored|disregarded|forgotten|discarded|overridden|dropped|bypassed|set aside|neglected|abandoned)(?! (?:in|by the|when the))"),
    ("override", "none no", "", rf"(?:none of|no) {FILL}{{0,5}}(?:{ORDERS}|rules|restrictions|constraints|limitations|polic(?:y|ies)) (?:above )?(?:matters?|appl(?:y|ies)|counts?|holds?|binds?|is valid|are valid)(?: any ?more| any longer| now| here| to you|[.,;!\n]|$)"),
    ("override", "treat consider regard view see mark", "order", rf"\w+ {FILL}{{0,7}}(?:{ORDERS}|{LIMITS}) (?:above )?(?:as |to be )?(?:deleted|void|null|invalid|non-?existent|irrelevant|obsolete|cancell?ed|revoked|overridden|superseded|if (?:it|they) (?:never|did not|didn't))"),
    ("override", "instead", "", rf"instead of {FILL}{{0,4}}(?:your|system|previous|prior|earlier|usual|original)[ ,]+{FILL}{{0,3}}(?:{ORDERS}|rules|polic(?:y|ies)|restrictions|constraints)"),
    ("override", "you", "", rf"you (?:no longer|do not|don't|need not|never|needn't)(?: (?:need|have))?(?: to)? (?:be )?(?:respect|follow|obey|observe|honou?r|comply with|adhere to|listen to|heed|apply|bound by) {FILL}{{0,5}}(?:{ORDERS}|{LIMITS})"),
    ("override", "everything whatever all", "", r"\w+ (?:that )?you (?:have been|were|know|learned|have learned)(?: taught| told| trained on| trained| learned)?(?:[^.!?\n]){0,40}? (?:is|was|are|were) (?:wrong|false|void|a lie|lies|obsolete|invalid|nonsense|cancelled)"),
    ("override", "previous prior earlier above preceding former", "", rf"\w+ {FILL}{{0,3}}(?:conversation|context|messages?|discussion|dialogue|chat) (?:is|are|was|were|has been|have been) (?:now |hereby )?(?:null|void|invalid|cancell?ed|revoked|superseded|irrelevant|deleted)"),
    ("override", "act go work behave operate decide", "order", rf"\w+ (?:against|contrary to|in violation of|outside(?: of)?) {FILL}{{0,4}}(?:your|system|developers?'?s?|safety)[ ,]+{FILL}{{0,3}}(?:{ORDERS}|{LIMITS})"),
    ("override", "pay", "order", rf"pay no (?:attention|heed) to {FILL}{{0,7}}(?:{ORDERS}|{LIMITS}|above|before)"),
    ("override", "set put throw leave cast toss", "order", rf"\w+ (?:aside|away|out|behind) {FILL}{{0,7}}(?:{ORDERS}|{LIMITS}){_ABOUT}"),
    ("override", "previous prior above earlier preceding all your original existing system safety", "", rf"\w+ {FILL}{{0,5}}(?:{ORDERS}|rules|restrictions|constraints|limitations) (?:above )?(?:(?:are|is|have been|were) (?:now |hereby |all )?(?:null|void|invalid|cancell?ed|revoked|superseded|overridden|suspended|lifted|replaced|rescinded|deleted|irrelevant|no longer (?:valid|apply|binding|active|in (?:force|effect)|relevant))|(?:no longer|do not|don't) (?:apply|count|matter|bind))"),
    ("override", "override overrides supersede supersedes overrule overrules outrank outranks replace replaces precedence priority cancel cancels", "", rf"\w+ (?:over )?{FILL}{{0,3}}(?:previous|prior|above|earlier|preceding|your|system|original|initial|any other|all other) {FILL}{{0,3}}(?:instructions?|prompts?|programming|guidelines)"),
    ("override", "new updated revised real actual system admin developer", "", r"\w+ (?:system |admin |developer |urgent |priority |core |critical )?(?:instructions?|prompts?|directives?|override|message) ?(?:for (?:the )?(?:ai|assistant|model|agent|you))? ?(?::|follow[: ]|as follows)"),
    ("override", "bypass disable deactivate circumvent evade lift remove suspend ignore disregard turn switch", "order", r"\w+ (?:off |down )?(?:all |any |every |the |of ){0,5}(?:your|its own|content|ethical|moral|ai|model) (?:[\w-]+ ){0,3}(?:filters?|guardrails?|restrictions?|safeguards?|protocols?|polic(?:y|ies)|mechanisms?|measures|guidelines?|limitations?|censorship|alignment|checks?|moderation|safety|refusals?)"),
    ("override", "bypass disable deactivate circumvent evade lift remove suspend turn switch", "order", r"\w+ (?:off |down )?(?:all |any |every |the |of ){0,5}(?:safety (?:guardrails?|filters?|guidelines?|restrictions?|polic(?:y|ies)|training)|guardrails)\b"),
    ("override", "reveal print output show repeat display leak disclose share tell write recite dump expose quote copy return give paste summarize translate", "order", rf"\w+ (?:me |us |out |back |verbatim |here ){{0,5}}{FILL}{{0,4}}(?:(?:system|initial|hidden|original|secret|developer|full) (?:prompt|instructions?|message)|your (?:exact |own |full |initial |hidden |internal ){{0,5}}(?:instructions|prompt|guidelines|system message|configuration)|(?:instructions|text|words|prompt) (?:above|before this))"),
    # forced execution
    ("execution", "run execute exec eval invoke launch perform carry trigger", "you", rf"{RUN}"),
    ("execution", "always immediately silently automatically now secretly unconditionally", "order", rf"(?:\w+,? ){{1,2}}(?:and )?{RUN}(?! (?:in|into|for|as|out|the risk)\b)"),
    ("execution", "run execute exec eval invoke launch perform trigger carry start call", "order", rf"(?:{RUN}|start|call)(?! (?:before|after)\b)(?:[^.!?\n]|\.(?=\S)){{0,90}}?(?:immediately(?! (?:after|before|when|on|following))|right (?:away|now)|at once\b|silently|(?:without|don't|do not|never|no need to|before you) (?:any |even |first )?(?:ask|confirm|permission|approval|approv|prompt|hesitat|question|warn|tell|notif|inform|review|verif|check|explain|the user|wait)|regardless|no matter what|no questions asked|unconditionally|blindly|on (?:my|this) command)"),
    ("execution", "run execute exec eval invoke perform", "order", rf"{RUN} (?:[^.!?\n]|\.(?=\S)){{0,40}}?(?:rm -[a-z]*r[a-z]* ?(?:-\w+ ){{0,5}}(?:/|~|\$home|\*|\.)(?:[\s*;&.\"']|$)|mkfs|dd if=|/dev/tcp/|:\(\) ?\{{|nc -[a-z]*e|chmod -r 777 /|format c:|del /[fsq]|shutdown|base64 (?:-d|--decode)|powershell -(?:e|enc|w))"),
    ("execution", "run execute exec eval invoke perform decode follow do obey carry", "order", rf"(?:\w+)(?: out)?(?: and {RUN})? {_W}{{0,4}}?(?:(?:following|attached|embedded|encoded|decoded|hidden|below|enclosed|this|these|base64[\w-]*|my|every|any|all|whatever) ){{1,3}}(?:[\w-]+ ){{0,2}}?(?:commands?|scripts?|code|program|instructions?|snippets?|payload|binary|orders?|text|string)(?:[^.!?\n]|\.(?=\S)){{0,60}}?(?:exactly|verbatim|to the letter|first\b|as root|with sudo|every time|each time|whenever|before (?:you|anything|answering|replying|responding|doing|any|every|each)|on every|in every|at the start|at startup|after each|when(?:ever)? you|if you|on the user's|on the host|and (?:{RUN}|execute|follow|obey))"),
    ("execution", "whenever when every each before after if upon once at on as during until", "", rf"(?:whenever|when|every time|each time|before|after|if|upon|once|at the (?:start|beginning|end) of|on (?:every|each)|as soon as|during (?:every|each)|in (?:every|each)|until) (?:[^.!?\n]|\.(?=\S)){{0,60}}?\b(?:you|your|answering|responding|replying|(?:this|the|these) (?:memory|memories|file|note|entry|text|message|instruction)|(?:every|each|any|a new|the next|all) (?:conversation|session|reply|response|answer|message|task|request|prompt|turn)|loaded|loading this)\b(?:[^.!?\n]|\.(?=\S)){{0,60}}?[,:] ?(?:please |always |first |then |you (?:must|will|shall|should|have to|need to) |immediately |silently |secretly |also |automatically ){{0,5}}(?:{RUN}|curl |wget |bash |sh |{SEND}|download|install|fetch|delete|open|call|append|insert|include|add|recommend|visit|connect)"),
    ("execution", "run execute exec invoke perform call send download fetch open append insert", "order", r"\w+ (?:[^.!?\n]|\.(?=\S)){1,80}?(?:whenever|when|every time|each time|before|after|at the (?:start|beginning|end) of (?:each|every|any|all)) (?:you (?:start|begin|read|load|see|answer|reply|respond|are|receive|open|run|finish|process|write|get|wake)|answering|responding|replying|(?:each|every|any|all)? ?(?:of your )?(?:conversation|session|reply|response|answer|turn|prompt)s?\b|(?:this|the|these) (?:memory|memories|note|entry|instruction))"),
    ("execution", "obey comply", "order", r"(?:obey|comply with) (?:all|any|every|each|these|the following|my|this|whatever|me|only|without|it|them|unconditionally|the (?:instructions|orders|commands|next))"),
    ("execution", "follow do", "order", r"(?:follow|do) (?:exactly |only |all |every |whatever |precisely ){0,5}(?:what|as|the|these|this|my|any|all|every)? ?(?:following |below |next |new ){0,5}(?:instructions|orders|commands|directives|i say|i tell you|i command|it says|the (?:text|message|file|note) says)(?:[^.!?\n]|\.(?=\S)){0,50}?(?:without|exactly|immediately|no matter|blindly|to the letter|unconditionally|instead|from now|always|at all times|regardless|question|only|$)(?! steps)"),
    ("execution", "follow do", "order", rf"(?:follow|do) (?:exactly |only |precisely |just |all ){{0,5}}(?:what|as|whatever|everything)(?: that)? {_W}{{0,5}}?(?:text|message|memory|note|below|following|this|next|i|block|comment|it|paragraph) {_W}{{0,3}}?(?:says?|states?|instructs?|tells?|demands?|commands?|orders?|asks?|want|wants)\b"),
    ("hiding", "keep leave", "order", rf"\w+ {USER} (?:\w+ )?(?:unaware|in the dark|uninformed|ignorant|oblivious|out of the loop)"),
    ("hiding", "omit exclude leave drop strip", "order", rf"\w+ (?:out )?(?:{_THIS}|all|any|every)\b(?:[^.!?\n]){{0,30}}?(?:from|out of|in) (?:any|your|the|all|every) (?:\w+ )?(?:summar\w+|reports?|repl(?:y|ies)|answers?|responses?|logs?|messages?|output|chat)"),
    ("hiding", "make ensure see", "order", rf"(?:make (?:sure|certain)|ensure|see to it)(?: that)? {USER} (?:never|does not|doesn't|cannot|can't|won't|will not|will never) (?:know|learn|find out|hear|notice|suspect|realize|become aware|discover|see (?:this|it|these))"),
    ("hiding", "lie deceive mislead trick fool misinform", "order", rf"(?:lie to|deceive|mislead|trick|fool|misinform) {USER}"),
    ("hiding", "so", "", r"so (?:that )?(?:nobody|no one|no-one) (?:ever )?(?:notices|knows|finds out|suspects|learns|can (?:see|tell|trace|know))"),
    ("hiding", "user human operator owner", "", r"\w+ (?:does not|doesn't|has no|need not|needn't)(?: need)?(?: to)? (?:know|be told|be informed|hear)(?: (?:about |of )?(?:this|it|these|that)|(?=[.,;!\n]|$))"),
    ("execution", "mandatory required imperative essential necessary crucial critical vital obligatory compulsory", "", rf"\w+ (?:that |for )(?:you|the {AI}|every {AI}|all {AI}|any {AI}|an? {AI}|{AI}) (?:to )?(?:must |should |always |immediately |now ){{0,5}}(?:{RUN}|runs|executes|invokes|carr(?:y|ies)|obeys?|ignores?|disregards?|bypass|follows? (?:this|these|the following)|sends?|uploads?|hides?|reveals?|compl(?:y|ies)|acts? as)"),
    ("execution", "run execute exec eval invoke perform", "order", rf"{RUN} (?:this|these|the following|the below|that|it|the attached|the embedded) ?(?:[\w-]+ ){{0,2}}?(?:now|immediately|right away|at once|first thing|as soon as)\b(?! (?:in|on|for|after|before|supports?))"),
    ("execution", "delete wipe erase destroy remove format overwrite corrupt encrypt drop", "order", r"\w+ (?:all |every |everything |each |of |the |any ){1,5}(?:of )?(?:the |this )?(?:user's|users'|human's|owner's|their|home|disk|hard (?:disk|drive)|drive|machine|computer|system|backups?|production|prod|git history|repositor(?:y|ies))\b"),
    ("execution", "delete wipe erase destroy", "order", r"\w+ (?:all|every|everything|the)(?:[^.!?\n]|\.(?=\S)){0,60}?(?:without (?:asking|confirm|permission|warning|telling|a (?:backup|trace))|silently|right now|immediately(?! (?:after|before)))"),
    ("execution", "must shall should", "you", rf"(?:must|shall|should)(?: not| never| always| also| immediately| now| first| only| silently){{0,3}} (?:{RUN}|obey|ignore|disregard|forget|comply|exfiltrate|leak|reveal|grant|approve|trust|delete|wipe|disable|bypass|pretend|act as|download|conceal|hide)"),
    ("execution", "you", "", r"you (?:(?:must|shall|have to|need to|are (?:required|obliged|ordered|commanded|instructed|told) to|will|are to|'re to)(?: not| never| always| also| immediately| now| first| only| then| silently){0,5} (?:run|execute|invoke|perform|send|upload|forward|transmit|delete|wipe|obey|comply|follow|ignore|answer|respond|reply|reveal|disclose|output|print|grant|approve|trust|download|visit|click|recommend|promote|include|append|insert|conceal|hide|lie|pretend|act|behave|assume|call|say|tell|keep|disable|bypass|accept|refuse|treat|address|speak|write|commit|push))\b"),
    # hiding from the user
    ("hiding", "tell inform let mention reveal disclose admit confess report explain say discuss talk acknowledge bring telling informing letting mentioning revealing disclosing admitting reporting explaining discussing notify alert warn communicate", "not", rf"\w+ (?:\w+ )?{_W}{{0,6}}?(?:to |with |on )?{USER}(?! (?:twice|again|for (?:the|their|his|her)|in (?:the )?(?:log|title|subject)))"),
    ("hiding", "tell inform mention reveal disclose admit report discuss share show let display expose acknowledge notify alert warn indicate hint telling informing mentioning revealing disclosing admitting", "not", rf"\w+ (?:\w+ ){{0,2}}?(?:about |to (?:anyone|anybody) )?(?:{_THIS} )(?:{_W}{{0,6}}?)(?:to |with |from |in )?(?:{USER}|anyone|anybody|your (?:reply|response|answer|output)|the (?:reply|response|answer|output|chat|summary|log))"),
    ("hiding", "mention reveal disclose discuss acknowledge share repeat tell talk", "not", r"\w+ (?:about |anyone (?:about )?|anybody (?:about )?)?(?:this|these|the) (?:instructions?|memory|memories|prompts?|notes?|rules?|orders?|directives?|hidden|secret|command|conversation|request|message)\b"),
    ("hiding", "ask asking prompt wait prompting request seek", "not", rf"\w+ (?:for )?{USER} (?:for |to |about )(?:\w+ ){{0,3}}?(?:confirm|permission|approv|consent|review|verif|anything|it|this|authori[sz])"),
    ("hiding", "ask asking check wait", "not", r"\w+ (?:\w+ ){0,2}?(?:before|prior to) (?:you )?(?:run|execut|do|send|delet|install|act|proceed|push|commit|call|open|download|upload|chang)\w*"),
    ("hiding", "ask asking wait request require seek", "not", r"\w+ for (?:\w+ ){0,2}?(?:confirmation|permission|approval|consent)(?! (?:email|dialog|page|screen))"),
    ("hiding", "hide conceal keep mask obscure cover withhold erase remove delete clear", "order", rf"\w+ (?:up )?(?:{_THIS}|all|your|every|any)\b(?:[^.!?\n]|\.(?=\S)){{0,60}}?(?:from (?:{USER}|everyone|anyone|view|sight|the (?:log|history|chat|conversation))|secret from|hidden\b(?! (?:file|folder|dir))|(?:a )?secret\b(?! (?:manager|key|store|in|scan))|between us|confidential from|to yourself|your tracks)"),
    ("hiding", "cover", "order", r"cover (?:up )?(?:your|all|the|any) (?:tracks|traces)"),
    ("hiding", "secretly silently covertly quietly stealthily discreetly surreptitiously invisibly", "order", rf"\w+ (?:and \w+ )?(?:{SEND}|{RUN}|install|record|collect|append|insert|add|include|change|modify|replace|log|download|fetch|delete|read|write|store|track|exfiltrate)(?! (?:duplicates|empty))"),
    ("hiding", "send upload post forward run execute copy install record collect append insert add include change modify replace download fetch delete read write store track exfiltrate commit push approve do act", "order", rf"\w+ (?:[^.!?\n]|\.(?=\S)){{0,80}}?(?:\b(?:secretly|covertly|stealthily|surreptitiously|behind (?:the user's|their|his|her) back|in secret)\b|without (?:{USER} (?:knowing|noticing|seeing|realizing|being)|(?:the )?user'?s'? (?:knowledge|consent|permission|approval|awareness|noticing)|(?:telling|informing|notifying|alerting|asking|consulting|warning|letting|disclosing|mentioning)(?: it| this| that| anything)?(?: to)? (?:{USER}|anyone|anybody)))"),
    ("hiding", "without", "", rf"without (?:telling|informing|notifying|alerting|warning|letting) {USER}(?: know)? ?,(?: please| always| then){{0,5}} (?:{RUN}|{SEND}|delete|install|add|append|insert|change|replace)"),
    ("hiding", "without", "ordered", rf"without (?:{USER} (?:knowing|noticing|seeing|realizing|being)|(?:the )?(?:user|owner|human|operator)(?:'s|s') (?:knowledge|consent|permission|approval|awareness|noticing)|(?:telling|informing|notifying|alerting|asking|consulting|warning) (?:{USER}|anyone|anybody))"),
    ("hiding", "so", "", rf"so (?:that )?(?:{USER}|nobody|no one) (?:does not|doesn't|do not|don't|won't|will not|never|cannot|can't|will never|is not|isn't) (?:know|knows|find|finds|suspect|suspects|realize|realizes|become|becomes|learn|learns|catch|detect|aware|notice(?:s)?(?:[.,;!\n]|$| (?:it|this|that|anything|what)))"),
    ("hiding", "say tell reveal disclose mention report", "order", rf"\w+ (?:{USER} )?(?:nothing|no word|not a word)(?: (?:to|of) (?:this |it )?(?:to )?{USER}| about (?:this|these|it|the)| of (?:this|it))"),
    ("hiding", "if when should", "", rf"(?:if|when|should) {USER} (?:ever )?(?:asks?|questions?|inquires?|wonders?|notices?|wants to know)(?:[^.!?\n]|\.(?=\S)){{0,50}}?[, ](?:deny|claim|pretend|lie|insist|say (?:you|nothing|that you|it is nothing)|refuse|change the subject|make (?:something )?up|tell {USER} (?:nothing|that nothing|you)|answer that you|reply that you)"),
    ("hiding", "user human operator owner anyone", "", r"\w+ (?:must|should|may|can|shall|is) (?:never|not)(?: ever| to)? (?:know|find out|learn|be told|be informed|be notified|see this|see these|suspect|notice this|become aware|realize|be made aware)(?! the (?:password|price))"),
    # another role
    ("role", "you you're", "", r"you(?:'re| are| will (?:now )?be) (?:now|henceforth|from now on|from here on|hereby|no longer|actually|really|going to (?:be|act)|about to become|to (?:act|behave|play|become|roleplay))(?: called| named| known as| acting as| operating as| playing| in)? (?:a|an|the|my|dan|[\w-]+gpt|free|unrestricted|jailbroken|root|admin|evil|bound|restricted|limited|subject|constrained|[\w-]+ (?:mode|bot|ai)\b|in (?:\w+ ){0,2}mode|as\b|different|able to do any|in charge of|in control of|acting|operating|obligated|required|an?)"),
    ("role", "from henceforth starting going beginning effective", "", r"(?:from (?:now on|this (?:moment|point|message|day|line)(?: on(?:wards?)?| forward)?|here on(?: out)?|today(?: on)?)|henceforth|starting (?:now|today|from now)|going forward|beginning now|effective immediately)[ ,:]+(?:you(?!r (?:team|account|order|subscription|plan))\b|your\b|act\b|behave|respond|reply|answer|pretend|speak|always|never|ignore|refuse|treat|obey|address|call yourself|do not|don't|only|forget|assume|all (?:your|responses|replies|answers))"),
    ("role", "act behave respond roleplay role-play pretend impersonate simulate assume adopt take become play speak answer operate function reply", "order", r"(?:act (?:as(?! (?:a )?(?:fallback|proxy|backup|cache))|like)|behave (?:as|like)|respond (?:as|like)|role-?play|pretend (?:to be|you|that you|to have)|impersonate|simulate (?:being|an? (?:ai|unrestricted|evil))|(?:assume|adopt|take(?: on)?|play) (?:the |a |an )?(?:new )?(?:role|identity|persona|character|personality|part) (?:of|as)|become (?:a|an|my|the) (?:\w+ ){0,3}(?:ai|assistant|bot|model|hacker|agent|persona|character)|speak as (?:if|a|an)|(?:answer|reply|operate|function) as (?:if you|though you|an? (?:\w+ ){0,2}(?:ai|bot|model|assistant|hacker|expert without)))"),
    ("role", "your", "", r"your (?:(?:new|only|real|true|sole|actual|updated|secret|primary) (?:\w+ )?(?:role|identity|name|persona|purpose|goal|mission|task|objective|job|master|instructions?|owner|creator|loyalty)|(?:role|identity|persona|personality)) (?:is|are|will be|has changed|becomes|shall be)"),
    ("role", "your", "", r"your (?:name|identity|role|persona|purpose|task|goal|mission|allegiance) (?:is|shall be|will be|becomes|has been|was) (?:now|henceforth|from now on|hereby|changed|switched|set|reset)"),
    ("role", "switch change alter replace reset transform morph turn", "order", r"\w+ (?:your (?:persona|identity|role|personality|character|name|self)|yourself) (?:to|into|with)\b"),
    ("role", "enter enable activate switch go engage unlock you you're turn start boot", "order", r"(?:\w+|you're)(?: are| on| now| into| to| have| in| entered| the| your| is){0,5} (?:god|dan|jailbreak(?:ed)?|jail-?broken|unrestricted|unfiltered|uncensored|opposite|evil|no-?filter|no-?limits?|chaos|do anything now|stan|dude|aim)[ -]mode"),
    ("role", "you you're", "", r"you(?:'re| are| will| have| must| can)? (?:now |entered |enter |switch(?:ed)? |in |into |to |are |be |operate |run |running |operating ){1,5}(?:the )?(?:developer|debug|admin(?:istrator)?|root|sudo|maintenance|test|dev|privileged|superuser|system)[ -](?:mode|privileges|access)"),
    ("role", "you you're", "", r"you(?:'re| are| have| now have| do not have| don't have| can| may| will| must| have been)(?: \w+)? (?:no (?:longer )?(?:restrictions?|limits?|limitations?|rules|filters?|guidelines|ethic\w*|moral\w*|content polic\w+|boundaries|constraints?|bound|safety)|(?:any|no) (?:more )?(?:rules|restrictions|limitations|filters|guidelines)|freed? (?:of|from) (?:all|any|the|your|every|typical)|not (?:bound|restricted|limited|constrained|subject)|unrestricted|unfiltered|uncensored|jailbroken|anything (?:now|without))"),
    ("role", "unrestricted unfiltered uncensored amoral jailbroken", "", rf"\w+ (?:\w+ )?(?:{AI}|persona|mode|version of yourself)\b(?! (?:is|are|was|were) (?:banned|forbidden|not))"),
    ("role", "you you're", "", r"you(?:'re| are) (?:not|no longer|not just|no) (?:an?|the|just an?|just)? ?(?:\w+ )?(?:ai|assistant|language model|chatbot|model|bot|helper|program|claude|gpt|chatgpt)\b"),
    ("role", "you you're", "", r"you(?:'re| are) (?:now )?(?:my|our|his) (?:\w+ ){0,2}(?:agent|assistant|servant|slave|puppet|tool|accomplice|pet|creation|minion|bot)\b"),
    ("role", "become", "order", rf"become [\"'\w .-]{{1,24}}[\"']?,? (?:an?|the|my) (?:\w+ ){{0,3}}{AI}\b"),
    ("role", "respond answer reply act behave speak write talk", "order", r"\w+ (?:[^.!?\n]){0,24}?as (?:if|though) you (?:were|are|had|have)\b"),
    ("role", "stop cease quit", "order", rf"\w+ being (?:an?|the|my) (?:\w+ ){{0,2}}{AI}\b"),
    ("role", "imagine suppose consider think call regard see", "order", rf"\w+ (?:that )?(?:you(?:'re| are)|yourself)(?: now| as| to be| really){{0,5}} (?:an?|the|my|no|free|without|unrestricted|not|dan)\b[^.!?\n]{{0,40}}?(?:\b{AI}|restrict|limit|rules|filter|hacker|human|person|persona|free|expert)"),
    ("role", "do", "", r"do anything now\b"),
    ("role", "answer respond reply speak generate write help", "order", r"\w+ (?:[^.!?\n]|\.(?=\S)){0,50}?without (?:any |all |ethical |moral |safety |content |the usual ){1,5}(?:restrictions?|limits?|limitations?|filter(?:s|ing)?|censorship|constraints?|considerations?|disclaimers?|guidelines?|polic(?:y|ies)|warnings? or)"),
    # reading credentials
    ("credentials", "what", "", rf"what(?:'s| is| are| does)(?:[^!?\n]){{0,40}}?{SECRET_FILE}[^\n]{{0,20}}?[?.] ?(?:print|show|send|read|output|tell|paste|include|post)\b"),
    ("credentials", "look search go check read open find get take collect gather", "order", rf"\w+ (?:[^!?\n]){{0,80}}?(?:{SECRETS}|{SECRET_FILE})(?:[^!?\n]){{0,40}}?\b(?:and|then|,) ?(?:then )?(?:send|give|show|mail|e-?mail|forward|tell|report|hand) (?:me|us)\b"),
    ("credentials", "exfiltrate leak steal harvest", "order", rf"\w+ (?:[^.!?\n]|\.(?=\S)){{0,60}}?(?:{SECRETS}|\bdata\b|\bfiles?\b|database|source code|history)"),
    ("credentials", "send upload post forward email e-mail mail transmit submit paste share publish push report relay deliver copy ship beam put attach include append embed write encode", "order", rf"\w+ [^!?\n]{{0,90}}?{SECRETS}[^!?\n]{{0,60}}?{OUT}"),
    ("credentials", "send upload post forward email e-mail mail transmit submit report relay deliver give hand", "order", rf"\w+ (?:me|us|over|everything|all|them|it) [^!?\n]{{0,80}}?{SECRETS}(?! (?:manager|rotation|scan))"),
    ("credentials", "send upload post forward email e-mail mail transmit attach include", "order", rf"\w+ [^!?\n]{{0,20}}?(?:the )?(?:contents? of |files? )?{SECRET_FILE}(?: \w+){{0,3}}? (?:to|via|through|into|over|in) "),
    ("credentials", _READ, "order", rf"\w+ [^!?\n]{{0,90}}?(?:{SECRETS}|{SECRET_FILE})[^!?\n]{{0,80}}?(?:\b(?:and|then|to|,)\b ?(?:then |also |silently |secretly |it |them ){{0,5}}(?:{SEND}|e-?mail|exfiltrate|leak|include|print|output|show|report|append|attach|curl|encode|base64|return|reply with|add)(?: it| them| (?:the|its|their|all) (?:contents?|values?|results?|output))?[^!?\n]{{0,50}}?{OUT}|{REPLY})"),
    ("credentials", "read open cat print show display dump output reveal grab less head tail type echo view steal extract base64 exfiltrate", "order", rf"\w+ (?:-\w+ )?(?:me |out |us |up ){{0,5}}(?:the |all |any |every |user's |contents? of |file |files |private |key |in |secret |raw |full |entire |their |value of |values in |and \w+ ){{0,6}}{SECRET_FILE}(?! (?:and|to|then) (?:add|set|edit|change|update|fill|configure|check|make|see|learn|remove|verify)|(?:[^.!?\n]|\.(?=\S)){{0,12}}?to (?:see|check|debug|verify))"),
    ("credentials", "give tell send show reveal provide hand print list output display dump disclose expose leak repeat", "order", rf"\w+ (?:over |out |me |us |the attacker |attackers |them ){{0,5}}(?:database |admin |root |login |service |server |bank |account |the |all |any |every |your |user's |stored |saved |of |current |available |known |those |these ){{1,6}}{SECRETS}(?= ?(?:[.,;!?\n]|$|you (?:know|have|find|can)|in (?:your|memory|the (?:environment|config|context)|plain)|to me|stored|found|from (?:the )?(?:environment|memory|config)|that you|and ))"),
    ("credentials", "search scan look find collect gather locate enumerate dump grab harvest grep", "order", rf"\w+ (?:[^.!?\n]|\.(?=\S)){{0,50}}?(?:for |all |any |every )(?:[^.!?\n]|\.(?=\S)){{0,30}}?{SECRETS}[^!?\n]{{0,60}}?(?:\b(?:and|then|,) ?(?:then |also )?(?:{SEND}|save|store|list|print|include|output|encode|return|write|keep))"),
]  # fmt: skip


_WORD = re.compile(r"([a-z][a-z0-9'-]*[a-z0-9]|[a-z])")
_OF_RULES = re.compile(r"[a-z]{3,}")
RULES = Rules(
    _WORD,
    [(listed.split(), (category, begins, Pattern(goes_on))) for category, listed, begins, goes_on in _SOURCE],
)
VOCABULARY = RULES.heads | frozenset(word for *_, source in _SOURCE for word in _OF_RULES.findall(source))
"""Every word of the rules: what a word with digits in it is compared with."""


def find(text: str, found: dict[str, str], allowance: Allowance) -> None:
    """Add to ``found`` each category that occurs in a normalised text, with the words that show it."""
    RULES.find(text, found, allowance, _holds)


def _holds(text: str, at: int, begins: str) -> bool:
    """Whether what stands before a verb makes it what the rule wants."""
    if begins == "either":  # an order to leave something, or one not to follow it
        begins = "not" if text[at : at + 8].startswith(tuple(_FOLLOW.split())) else "order"
    if begins == "not":
        return words.is_negated_order(text, at)
    if begins == "you":
        return words.addresses(text, at)
    return words.is_ordered(text, at) if begins == "ordered" else words.is_order(text, at)
