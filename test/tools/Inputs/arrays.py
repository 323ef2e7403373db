#!/usr/bin/python3
"""Makes and compares .npy files.

arrays.py save FILE EXPRESSION    saves an array, cast to fp16 if it is fp64
arrays.py check EXPRESSION FILE...    fails unless the expression, in which x
    stands for the array in x.npy, is true
"""
import pathlib
import sys

import numpy as np

mode, *rest = sys.argv[1:]
if mode == "save":
    array = np.asarray(eval(rest[1]))
    np.save(rest[0], array.astype("<f2") if array.dtype == "<f8" else array)
else:
    names = {pathlib.Path(path).stem: np.load(path) for path in rest[1:]}
    if not np.all(eval(rest[0], {"np": np, **names})):
        for name, array in names.items():
            print(name, array.dtype, array.shape, array, sep="\n")
        sys.exit(f"not so: {rest[0]}")
