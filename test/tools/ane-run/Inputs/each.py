#!/usr/bin/python3
"""Runs a command for each file in names.txt, as the input x: each.py COMMAND..."""
import subprocess
import sys

for name in open("names.txt").read().split():
    subprocess.run([*sys.argv[1:], "x=" + name], check=True)
