#!/usr/bin/python3
"""Changes every other fp16 number in the weight files of a folder a little:
flip.py FOLDER"""
import pathlib
import struct
import sys

for path in pathlib.Path(sys.argv[1]).iterdir():
    data = bytearray(path.read_bytes())
    place = 64
    for _ in range(struct.unpack_from("<I", data)[0]):
        size, start = struct.unpack_from("<QQ", data, place + 8)
        for offset in range(start, start + size, 4):
            data[offset] ^= 0x05
        place = (start + size + 63) // 64 * 64
    path.write_bytes(data)
