"""Reaching the remote: address rules, deploy key, host keys, the ssh command, the embedded SSH server."""
