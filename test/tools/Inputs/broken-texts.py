#!/usr/bin/python3
"""Writes files that are no MIL text, into the current folder."""
megabyte = 1 << 20
files = {
    "empty": b"",
    "parentheses": b"(" * megabyte,
    "braces": b"program(1.3){" + b"{" * megabyte,
    "nul": bytes(megabyte),
    # Every byte value, 0xff first, in an order without a pattern.
    "noise": bytes((255 + 167 * i + (i >> 8)) % 256 for i in range(65536)),
}
for name, content in files.items():
    with open(name + ".mil", "wb") as file:
        file.write(content)
