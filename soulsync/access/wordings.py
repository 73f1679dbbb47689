"""What ssh, git and the forges say when the network part of a git command fails: data for ``failure``.

ssh's and git's own texts are those of ``LC_ALL=C``. Texts are matched in lower case, as substrings, and a forge's
line may carry the prefix ``remote:``. Sources: OpenSSH 9.2 and git 2.39 sources and runs; public reports of the forges.
"""

from __future__ import annotations

CHANGED_KEY = (
    "remote host identification has changed",
    "possible dns spoofing detected",
)
UNKNOWN_KEY = (
    "host key verification failed",
    "host key is known for",  # "No ED25519 host key is known for [h]:22 and you have requested strict checking."
    "revoked host key",
)

OPEN_KEY = ("unprotected private key file", "bad permissions")
BAD_KEY = ("load key", "no such identity", "error in libcrypto")

READ_ONLY = (
    "marked as read only",  # GitHub: "ERROR: The key you are authenticating with has been marked as read only."
    "does not have write access",  # GitLab: "This deploy key does not have write access to this project."
    "is not authorized to write",  # Gitea, Forgejo: "Deploy Key: 2:name is not authorized to write to owner/repo."
    "cannot push with deploy",  # Gogs: "Cannot push with deployment key: 7"
    "deploykey does not support push",  # Gitee: "DeployKey does not support push code"
    "access via a deployment key is read-only",  # Bitbucket
    "this key may only read",  # the embedded server, and the forced command of `soulsync remote authorize`
    "you are not allowed to push",  # GitLab
    "you are not allowed to write",  # GitLab
    "repository was archived so it is read-only",  # GitHub
)
NOT_FOUND = (
    "repository not found",  # GitHub, for a deploy key of another repository too
    "does not appear to be a git repository",  # git itself
    "project you were looking for could not be found",  # GitLab
    "repository does not exist",  # Gogs
    "does not exist or you do not have",  # Azure DevOps (TF401019), Bitbucket
    "cannot find repository",  # Gitea
    "not a repository of this key",  # the embedded server, and the forced command
)
"""The key is known, and the repository is not, or is hidden from this key."""
NO_ACCESS = (
    "permission denied (",  # ssh: "git@host: Permission denied (publickey)."
    "permission denied, please try again",
    "too many authentication failures",
    "no more authentication methods",
    "no supported authentication methods",
    "permission to ",  # GitHub: "ERROR: Permission to owner/repo.git denied to deploy key"; see `also`
    "repository access denied",  # Bitbucket
    "you are not allowed to download",  # GitLab
    "you are not allowed to view",
    "is not authorized to read",  # Gitea, Forgejo
    "key permission denied",  # Gogs
    "access denied",
    "access deined",  # Gitee spells it so
    "unauthorized",  # Bitbucket
    "account is suspended",
    "repository has been disabled",
)

OFFLINE = (
    "could not resolve hostname",
    "name or service not known",
    "temporary failure in name resolution",
    "no address associated with",
    "connection refused",
    "connection timed out",
    "operation timed out",
    "network is unreachable",
    "network is down",
    "no route to host",
    "host is down",
    "host is unreachable",
    "address not available",
    "cannot assign requested address",
    "connection reset",
    "connection closed by",
    "connection aborted",
    "software caused connection abort",
    "closed by remote host",
    "disconnected from",
    "broken pipe",
    "banner exchange",
    "banner line contains invalid",
    "kex_exchange_identification",
    "ssh_exchange_identification",
    "timeout, server",
    "timed out",
    "ssh_dispatch_run_fatal",
    "message authentication code incorrect",
    "bad packet length",
    "unable to negotiate",
    "exceeded maxstartups",
    "not allowed at this time",
    "received disconnect from",
    "the remote end hung up",
    "early eof",
    "unexpected disconnect",
    "internal server error",  # a forge in trouble: not for this machine to mend
    "service unavailable",
    "temporarily unavailable",
    "system is in maintenance",
)

NO_WORD = "please make sure you have the correct access rights"
"""git's last words whenever ssh failed. With nothing before them the connection broke in the handshake: OpenSSH says
"Connection closed by" and "Connection reset by" there only from ``LogLevel=INFO``, where it also prints the server's
banner, which may say anything ("Unauthorized access is prohibited")."""

NOISE = (
    "please make sure you have the correct access rights",
    "and the repository exists",
    "could not read from remote repository",
    "hint:",
    "warning:",
    "to ",
    "****",
    "@@@@",
    "====",
    "error: failed to push some refs",
)
"""Beginnings of lines that say less than the line before them."""

UNSOUND = (
    "fsck error in",  # index-pack and unpack-objects of git 2.39 with fetch.fsckObjects
    "error in packed object",
    "error in object:",
    "did not send all necessary objects",
    "not all child objects of",  # a folder says that a file is a folder, or the reverse
    "possible repository corruption on the remote side",
    "bad pack header",  # a server that gave up in the middle of the pack
    "unpack-objects abnormal exit",  # of a push: the server's fsck refused what it has to keep
)
