"""Prints the units of a network description: units.py NET.plist. A line each, in
their order: name, type, what it reads, parameters."""
import json
import plistlib
import sys

with open(sys.argv[1], "rb") as file:
    network = plistlib.load(file)["net"]
for name in network["Units"]:
    unit = network[name]
    reads = ", ".join(unit["Bottom"])
    params = json.dumps(unit["Params"], sort_keys=True).replace('"', "")
    print(f"{name}: {unit['Type']}({reads}) {params}")
