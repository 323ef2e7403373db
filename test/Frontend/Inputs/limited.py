"""Runs a command with at most SECONDS of processor time and MEGABYTES of memory.

usage: limited.py SECONDS MEGABYTES COMMAND..."""
import os
import resource
import sys

seconds, megabytes = map(int, sys.argv[1:3])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
os.execvp(sys.argv[3], sys.argv[3:])
