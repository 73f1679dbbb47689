"""Which addresses may be a soul's remote: SSH and nothing else (soul-repo-v4 §7).

Both spellings that git knows are read: ``[user@]host:path`` and ``ssh://[user@]host[:port]/path``. Beside them
``owner/name`` alone means the repository of that name at GitHub.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from soulsync.errors import RefusedError
from soulsync.lang import tr

FORM = "git@HOST:OWNER/NAME.git or ssh://git@HOST[:PORT]/OWNER/NAME.git"

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
"""``ext::sh -c …``: git would start the program ``git-remote-ext``."""
_AUTHORITY = re.compile(r"(?:(?P<user>[^@/]*)@)?(?:\[(?P<v6>[^\]/]*)\]|(?P<host>[^@:/\[\]]*))(?::(?P<port>[^/]*))?")
_SCP = re.compile(r"(?:(?P<user>[^@/:]*)@)?(?:\[(?P<v6>[^\]/]*)\]|(?P<host>[^@:/\[\]]*)):(?P<path>.*)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.+-]*")
_IPV6 = re.compile(r"[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9_.-]+)?")

_GITHUB = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}(?:\.git)?$)[A-Za-z0-9._-]{1,100}")
"""``owner/name`` as GitHub allows them."""


@dataclass(frozen=True, slots=True)
class Remote:
    """The one place a soul is synced with; ``url`` is what git is given, the rest its parts (None for a local path)."""

    url: str
    host: str | None
    port: int | None
    user: str | None
    path: str
    is_local: bool

    @property
    def repo_name(self) -> str:
        """The agent's name as the repository says it: ``kaoru`` of ``…/kaoru.soul.git``."""
        name = self.path.rstrip("/").rpartition("/")[2]
        return name.removesuffix(".git").removesuffix(".soul")

    @property
    def owner_path(self) -> str:
        """``owner/name`` without the slash at the front and the ``.git`` at the end."""
        return self.path.strip("/").removesuffix(".git")

    @property
    def where(self) -> str:
        """Host and port as a person reads them, or the local path."""
        if self.host is None:
            return self.path
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host


def parse_remote(text: str, *, allow_local: bool) -> Remote:
    """The remote that ``text`` names.

    ``allow_local`` lets a path on this machine pass, which only tests may ask for (``SOUL_ALLOW_LOCAL_REMOTE=1``).
    Raises RefusedError for any other transport, for a part that begins with ``-`` (ssh and git would read it as an
    option), for control characters and for missing parts.
    """
    text = text.strip()
    if not text:
        raise _refuse(tr("The remote address is empty."))
    _check_characters(text)
    if _HELPER.match(text):
        raise _refuse(tr("A remote helper (TRANSPORT::ADDRESS) is not an SSH address."))
    scheme = _SCHEME.fullmatch(text)
    if scheme:
        return _parse_url(scheme[1].lower(), scheme[2], text)
    colon, slash = text.find(":"), text.find("/")
    if colon >= 0 and (slash < 0 or colon < slash or text[0] == "["):
        return _parse_scp(text)
    if _GITHUB.fullmatch(text) and not (allow_local and Path(text).exists()):
        return _parse_scp(f"git@github.com:{text.removesuffix('.git')}.git")
    return _parse_local(text, allow_local)


def _parse_url(scheme: str, rest: str, text: str) -> Remote:
    if scheme != "ssh":
        raise _refuse(
            tr("{scheme}:// is not SSH, and a soul is reached through SSH only.", scheme=scheme), _ssh_form(text)
        )
    authority, slash, path = rest.partition("/")
    # git decodes the whole of an ssh:// address before it splits it, so the rules are applied to the decoded parts.
    authority, path = _decode(authority), slash + _decode(path)
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        raise _refuse(tr("The host of the remote address can't be read."))
    if match["user"] is not None and ":" in match["user"]:
        raise _refuse(tr("The remote address holds a password; access is by the deploy key alone."))
    host, user = _check_host(match["host"], match["v6"]), _check_user(match["user"])
    port = _check_port(match["port"])
    if not path.strip("/"):
        raise _refuse(tr("The remote address names no repository."))
    shown = f"[{host}]" if ":" in host else host
    url = "ssh://" + (f"{user}@" if user else "") + shown + (f":{port}" if port else "") + quote(path, safe="/~")
    return Remote(url=url, host=host, port=port, user=user, path=path, is_local=False)


def _parse_scp(text: str) -> Remote:
    match = _SCP.fullmatch(text)
    if match is None:
        raise _refuse(tr("The remote address can't be read."))
    host, user = _check_host(match["host"], match["v6"]), _check_user(match["user"])
    path = match["path"]
    if path.startswith("-"):
        raise _refuse(tr("The path of the remote address begins with '-'."))
    if not path.strip("/"):
        raise _refuse(tr("The remote address names no repository."))
    shown = f"[{host}]" if ":" in host else host
    url = (f"{user}@" if user else "") + f"{shown}:{path}"
    return Remote(url=url, host=host, port=None, user=user, path=path, is_local=False)


def _parse_local(text: str, allow_local: bool) -> Remote:
    if text.startswith("-"):
        raise _refuse(tr("The remote address begins with '-'."))
    if not allow_local:
        raise _refuse(tr("A path on this machine is not an SSH address."))
    path = str(Path(text).expanduser().absolute())
    return Remote(url=path, host=None, port=None, user=None, path=path, is_local=True)


def _check_characters(text: str) -> None:
    if any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" for c in text):
        raise _refuse(tr("The remote address holds a control character."))


def _check_host(name: str | None, v6: str | None) -> str:
    if v6 is not None:
        if not _IPV6.fullmatch(v6):
            raise _refuse(tr("The IPv6 address of the remote can't be read."))
        return v6
    if not name:
        raise _refuse(tr("The remote address names no host."))
    if name.startswith("-"):
        raise _refuse(tr("The host of the remote address begins with '-'."))
    if not _NAME.fullmatch(name):
        raise _refuse(tr("The host of the remote address holds a character that no host name has."))
    return name


def _check_user(user: str | None) -> str | None:
    if user is None:
        return None
    if user.startswith("-"):
        raise _refuse(tr("The user of the remote address begins with '-'."))
    if not _NAME.fullmatch(user):
        raise _refuse(tr("The user of the remote address is empty or holds a character that no user name has."))
    return user


def _check_port(text: str | None) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        raise _refuse(tr("The port of the remote address is not a number from 1 to 65535."))
    return int(text)


def _decode(text: str) -> str:
    try:
        decoded = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise _refuse(tr("The remote address holds bytes that are not UTF-8.")) from None
    _check_characters(decoded)
    return decoded


def _ssh_form(text: str) -> str:
    """The remedy for a web address: the same repository by SSH. A token in the address is not repeated."""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return ""
    path = parts.path.strip("/").removesuffix(".git")
    if parts.scheme not in ("http", "https") or not host or not _NAME.fullmatch(host) or path.count("/") < 1:
        return ""
    return tr("Use git@{host}:{path}.git.", host=host, path=path)


def _refuse(problem: str, remedy: str = "") -> RefusedError:
    return RefusedError(problem, remedy or tr("Use an SSH address: {form}.", form=FORM))
