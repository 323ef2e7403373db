#!/usr/bin/python3
"""Compiles each function of a file as a program: functions.py FILE COMMAND...

The program is NAME.mil, whose third line is the first of the function.
"""
import re
import subprocess
import sys

path, *command = sys.argv[1:]
for text in re.findall(r"(?ms)^func .*?^\} -> \(\w+\);$", open(path).read()):
    name = re.match(r"func (\w+)", text)[1] + ".mil"
    with open(name, "w") as file:
        file.write(f"program(1.3)\n{{\n{text}\n}}\n")
    subprocess.run([*command, name, "-o", "out.hwx"], check=True)
