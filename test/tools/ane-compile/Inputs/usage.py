"""Runs a command with each of several last arguments: usage.py COMMAND... --
ARGUMENT... Prints the exit status and the first line of standard error.
"""
import subprocess
import sys

cut = sys.argv.index("--")
for argument in sys.argv[cut + 1:]:
    run = subprocess.run([*sys.argv[1:cut], argument], capture_output=True,
                         text=True)
    print(run.returncode, run.stderr.split("\n")[0])
