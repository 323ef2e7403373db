#!/usr/bin/python3
"""Runs a command and wants its exit status: exits.py STATUS COMMAND..."""
import subprocess
import sys

got = subprocess.call(sys.argv[2:])
if got != int(sys.argv[1]):
    sys.exit(f"exit status {got}, wanted {sys.argv[1]}: {sys.argv[2:]}")
