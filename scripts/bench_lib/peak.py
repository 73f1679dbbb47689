"""Run a program and print the peak of its memory in kilobytes; started with ``-I -S``, so that it is small itself.

The system counts for a process also what the one that started it had (``ru_maxrss`` is kept across ``exec``).
"""

import os
import sys

null = os.open(os.devnull, os.O_RDWR)
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1))
sys.exit(os.waitstatus_to_exitcode(status))
