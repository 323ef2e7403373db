#!/usr/bin/python3
"""Copies a container with fields changed: patch.py IN OUT FIELD=VALUE...

Written from the description of the format, not from the library under test.
Fields are header.NAME, command.INDEX.NAME, section.NAME.FIELD, program.NAME,
symtab.NAME; text.OFFSET is a word of the task descriptors, cut the length of
the file.
"""
import struct
import sys

source, target, *edits = sys.argv[1:]
data = bytearray(open(source, "rb").read())

header = ["magic", "cputype", "cpusubtype", "filetype", "ncmds", "sizeofcmds"]
fields = {f"header.{name}": (4 * i, "I") for i, name in enumerate(header)}
place = 32
for index in range(struct.unpack_from("<I", data, 16)[0]):
    command, size = struct.unpack_from("<II", data, place)
    fields[f"command.{index}.cmd"] = (place, "I")
    fields[f"command.{index}.cmdsize"] = (place + 4, "I")
    if command == 0x19:
        for section in range(struct.unpack_from("<I", data, place + 64)[0]):
            at = place + 72 + 80 * section
            name = data[at : at + 16].rstrip(b"\0").decode()
            layout = [("addr", 32, "Q"), ("size", 40, "Q"), ("offset", 48, "I")]
            layout += [("reloff", 56, "I"), ("nreloc", 60, "I")]
            for field, offset, form in layout:
                fields[f"section.{name}.{field}"] = (at + offset, form)
    elif command == 4 and struct.unpack_from("<I", data, place + 8)[0] == 1:
        fields["program.bar4"] = (place + 0x10 + 4 * 8, "Q")
        fields["program.entry"] = (place + 0x810, "Q")
        fields["program.words"] = (place + 0x818, "I")
        fields["program.tasks"] = (place + 0x81C, "I")
    elif command == 2:
        names = ["symoff", "nsyms", "stroff", "strsize"]
        for i, name in enumerate(names):
            fields[f"symtab.{name}"] = (place + 8 + 4 * i, "I")
    place += size

for edit in edits:
    name, _, value = edit.partition("=")
    if name == "cut":
        del data[int(value, 0) :]
        continue
    if name.startswith("text."):
        start = struct.unpack_from("<I", data, fields["section.__text.offset"][0])[0]
        offset, form = start + int(name[5:], 0), "I"
    else:
        offset, form = fields[name]
    struct.pack_into("<" + form, data, offset, int(value, 0))
with open(target, "wb") as file:
    file.write(data)
