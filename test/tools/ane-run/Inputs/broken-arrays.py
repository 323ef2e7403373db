#!/usr/bin/python3
"""Makes arrays that do not fit, from one that does: broken-arrays.py X.NPY

The list of their names is names.txt.
"""
import sys

import numpy as np

x = np.load(sys.argv[1])
bytes_ = open(sys.argv[1], "rb").read()
files = {
    "fp32": x.astype("<f4"),
    "narrow": x[..., :4].copy(),
    "rank": x.reshape(4, 3, 5),
    "fortran": np.asfortranarray(x),
    "big": x.astype(">f2"),
    "complex": x.astype("<c8"),
    "short": bytes_[:-3],
    "long": bytes_ + b"zz",
    "header": bytes_[:40],
    "empty": b"",
    "garbage": b"garbage!" * 20,
    "version": bytes_[:6] + b"\x09" + bytes_[7:],
}
shape = b"(4294967296, 4294967296, 3, 5), }"
start = bytes_.index(b"(1, 4, 3, 5)")
files["overflow"] = bytes_[:start] + shape.ljust(127 - start) + bytes_[127:]
for name, content in files.items():
    if isinstance(content, bytes):
        with open(name + ".npy", "wb") as file:
            file.write(content)
    else:
        np.save(name, content)
with open("names.txt", "w") as file:
    print(*(name + ".npy" for name in files), "absent.npy", "folder", file=file)
