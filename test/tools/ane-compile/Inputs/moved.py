"""Whether a program moves less than so many times what it has to."""
import json
import sys

path, most = sys.argv[1:]
total = json.load(open(path))["total"]
moved = total["readBytes"] + total["writtenBytes"]
if moved >= float(most) * total["compulsoryBytes"]:
    sys.exit(f"{path}: {moved} bytes of {total['compulsoryBytes']}")
