#!/usr/bin/python3
"""Compares a document with what the tool prints: walkthrough.py DOCUMENT KIND

Of kind `objdump`, the blocks of the document have to be the standard input; of
kind `conv`, lines of it in the same order.
"""
import difflib
import pathlib
import re
import sys

document, kind = sys.argv[1:]
text = pathlib.Path(document).read_text()
blocks = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)
shown = "".join(blocks).splitlines()
printed = sys.stdin.read().splitlines()
if kind == "objdump":
    difference = list(difflib.unified_diff(shown, printed, document, "ane-objdump", lineterm=""))
else:
    rest = iter(printed)
    difference = [line for line in shown if line not in rest]
if not blocks or difference:
    sys.exit("\n".join(difference) or f"no block of kind {kind}")
print(len(shown), "lines are current")
