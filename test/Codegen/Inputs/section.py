"""Prints a section of a container as rows of 16 bytes, little-endian units.

usage: ane-objdump --commands FILE | section.py FILE SECTION BYTES
"""
import re
import sys


def read_section(path, section, listing):
    """The bytes of a section, found in the section table of the listing."""
    found = re.search(
        rf"section \d+ {section}\n.*?size +(0x[0-9a-f]+)\b.*?offset +(0x[0-9a-f]+)\b",
        listing,
        re.S,
    )
    size, offset = (int(number, 16) for number in found.groups())
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(size)


def units(data, size):
    return [
        int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)
    ]


if __name__ == "__main__":
    path, section, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
    data = read_section(path, section, sys.stdin.read())
    for row in range(0, len(data), 16):
        values = units(data[row : row + 16], size)
        print(f"{row:05x}:", *(f"{value:0{2 * size}x}" for value in values))
