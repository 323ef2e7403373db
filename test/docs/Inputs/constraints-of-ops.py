"""Prints the constraints of the target on ops that the table of ops does not
name, and fails if there are any. Arguments: the list of
constraints and the table.

What is about whole programs or about layers has no op.
"""
import re
import sys

WHOLE = ("h13-reduce", "h13-unroll", "h13-int", "h13-precision", "h13-port",
         "h13-partition", "h13-buffer", "h13-memory", "h13-l2", "h13-shape",
         "h13-type", "h13-wait")
with open(sys.argv[1], encoding="utf-8") as file:
    listed = re.findall(r"^\| `(h13-[\w-]+)` \|", file.read(), re.M)
with open(sys.argv[2], encoding="utf-8") as file:
    named = set(re.findall(r"`(h13-[\w-]+)`", file.read()))
missing = [name for name in listed
           if name not in named and not name.startswith(WHOLE)]
print("\n".join(missing))
sys.exit(1 if missing or not listed else 0)
