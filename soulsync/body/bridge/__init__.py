"""Bridges: what a framework's own files and the soul tell each other, by copying (bridges §1).

How a framework plugs in:

- ``registry.MODULES`` names its module, ``soulsync.body.bridge.<framework>``, loaded when it is needed. The module has
  ``locate``, ``mappings``, ``install_hooks`` and ``remove_hooks`` as :class:`registry.Framework` says.
- ``mappings`` gives the pairs of places that are held alike: :class:`mapping.Entries` for a list of memories,
  :class:`mapping.Text` for a single text, :class:`mapping.Folder` for a folder of files, file by file.
- What the files hold is read and written by pure functions of ``soulsync.formats``; a mapping names them.

The rest is the same for all: ``record`` knows which bridges there are, ``baseline`` what each was shown last,
``native`` reads and writes a framework's files, ``rounds`` carries, ``running`` does that as a part of a sync.
"""
