#!/usr/bin/python3
"""Runs a command with a terminal for its standard error: terminal.py COMMAND...

Prints what came there, each line that it wiped as one of its own.
"""
import os
import pty
import subprocess
import sys

master, slave = pty.openpty()
with subprocess.Popen(sys.argv[1:], stderr=slave) as run:
    os.close(slave)
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:  # the other end is closed
        pass
print(text.decode().replace("\r\033[K", "\nwipe "), end="")
sys.exit(run.returncode)
