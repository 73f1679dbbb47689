"""Where a forge takes a deploy key, and what it calls write access: data for the key box.

A forge is known by its host, or guessed from a word of the host's name (``gitlab.example.org``). Pages and words are
those of the forges' own documentation and interface.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from soulsync.access.address import Remote


@dataclass(frozen=True, slots=True)
class Forge:
    """A kind of forge: its name, the page below a repository, its word for write access.

    ``writes``: whether its deploy keys can be given write access at all.
    """

    name: str
    page: str
    write_word: str
    writes: bool = True


GITHUB = Forge("GitHub", "settings/keys/new", "Allow write access")
# https://docs.gitlab.com/user/project/deploy_keys/#create-a-project-deploy-key
GITLAB = Forge("GitLab", "-/settings/repository#js-deploy-keys-settings", "Grant write permissions to this key")
GITEA = Forge("Gitea, Forgejo", "settings/keys", "Enable Write Access")  # locale `settings.is_writable`
# https://confluence.atlassian.com/bbkb/difference-between-repository-project-and-workspace-access-keys-1188785759.html
BITBUCKET = Forge("Bitbucket", "admin/access-keys/", "", writes=False)
GITEE = Forge("Gitee", "deploy_keys", "", writes=False)  # "DeployKey does not support push code"

_HOSTS = {
    "github.com": GITHUB,
    "gitlab.com": GITLAB,
    "codeberg.org": GITEA,
    "gitea.com": GITEA,
    "bitbucket.org": BITBUCKET,
    "gitee.com": GITEE,
}
_GUESSES = {"gitlab": GITLAB, "gitea": GITEA, "forgejo": GITEA}
"""A word of a host's name that says what runs there."""


def forge_of(remote: Remote | None) -> Forge | None:
    """The forge that serves ``remote``; None where its host tells nothing."""
    host = _web_host(remote)
    known = _HOSTS.get(host)
    if known is not None:
        return known
    if host.endswith(".ghe.com"):  # GitHub Enterprise Cloud with data residency
        return GITHUB
    words = host.replace("-", ".").split(".")
    return next((forge for word, forge in _GUESSES.items() if word in words), None)


def settings_page(remote: Remote | None) -> str | None:
    """The page where the deploy key of ``remote`` is added; None where the forge is unknown."""
    forge = forge_of(remote)
    if forge is None or remote is None:
        return None
    return f"https://{_web_host(remote)}/{quote(remote.owner_path)}/{forge.page}"


def _web_host(remote: Remote | None) -> str:
    """The host as the browser knows it: SSH on port 443 has names of its own."""
    host = (remote.host or "").lower() if remote is not None else ""
    for prefix in ("ssh.", "altssh."):
        if host.removeprefix(prefix) in _HOSTS:
            return host.removeprefix(prefix)
    return host
