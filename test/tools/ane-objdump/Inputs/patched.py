#!/usr/bin/python3
"""Shows a container with one wrong field after the other.

patched.py ANE-OBJDUMP FILE RECORD, the place of a record's header in the text.
"""
import pathlib
import subprocess
import sys

tool, path, record = sys.argv[1:]
inputs = pathlib.Path(__file__).parent.parent.parent / "Inputs"
edits = """
header.magic=0xfeedfacf
header.cputype=7
header.ncmds=0xffffffff
header.sizeofcmds=0xffffffff
command.0.cmdsize=0
command.0.cmdsize=0x49
command.0.cmdsize=0xfffffff8
section.__text.offset=0x7fffff00
section.__text.size=0x10000000000
section.__text.addr=0xffffffffffffff00
section.__text.nreloc=0xffffff
program.entry=1
program.words=0xffffff
program.tasks=9
symtab.symoff=0x7fffff00
symtab.nsyms=0xffffff
symtab.strsize=0xffffff
""".split()
for edit in [*edits, f"text.{record}=0xffffffff"]:
    patch = [sys.executable, inputs / "patch.py", path, "bad.hwx", edit]
    subprocess.run(patch, check=True)
    refused = [sys.executable, inputs / "refused.py", tool, "bad.hwx"]
    run = subprocess.run(refused, check=True, capture_output=True, text=True)
    print(edit.partition("=")[0] + ":", run.stdout, end="")
