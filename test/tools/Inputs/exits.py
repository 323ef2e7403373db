#!/usr/bin/python3
"""Runs a command and wants its exit status: exits.py STATUS [--full] COMMAND...

With --full its standard output is a device that has no room. A test does not
redirect to that device: of a step that fails lit reads what it wrote, and such
a device never ends.
"""
import subprocess
import sys

arguments = sys.argv[2:]
output = None
if arguments[0] == "--full":
    output = open("/dev/full", "w")
    arguments = arguments[1:]
got = subprocess.call(arguments, stdout=output)
if got != int(sys.argv[1]):
    sys.exit(f"exit status {got}, wanted {sys.argv[1]}: {arguments}")
