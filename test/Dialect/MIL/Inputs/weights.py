#!/usr/bin/python3
"""Writes a weight file: weights.py FILE [BLOB...], BLOB = code:hex[*count][:padding].

Written from the description of the format, not from the library under test.
A blob of the form `raw:hex` is copied as it is.
"""
import struct
import sys

blobs = [argument.split(":") for argument in sys.argv[2:]]
data = struct.pack("<II56x", len(blobs), 2)
for kind, content, *padding in blobs:
    content, _, count = content.partition("*")
    payload = bytes.fromhex(content) * int(count or 1)
    if kind == "raw":
        data += payload
        continue
    data += struct.pack(
        "<IIQQQ32x",
        0xDEADBEEF,
        int(kind),
        len(payload),
        len(data) + 64,
        int(padding[0]) if padding else 0,
    )
    data += payload + b"\0" * (-len(payload) % 64)
with open(sys.argv[1], "wb") as file:
    file.write(data)
