#!/usr/bin/python3
"""Runs a command that writes to a pipe with a name: through-pipe.py FILE COMMAND...

The name is added to the command; what arrives goes into the file. A command that
opens the pipe more than once would wait for ever.
"""
import os
import pathlib
import subprocess
import sys

target, *command = sys.argv[1:]
pipe = "pipe.fifo"
os.mkfifo(pipe)
with open(target, "wb") as file, subprocess.Popen(["cat", pipe], stdout=file) as reader:
    try:
        subprocess.run([*command, pipe], check=True, timeout=60)
        reader.wait(60)
    finally:
        reader.kill()
left = [path.name for path in pathlib.Path(".").glob("pipe.*")]
if left != [pipe]:
    sys.exit(f"beside the pipe there is {left}")
os.remove(pipe)
