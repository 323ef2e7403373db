#!/usr/bin/python3
"""Reads a text form with one mistake after the other: bad-yaml.py TOOL FILE"""
import pathlib
import subprocess
import sys

tool, source = sys.argv[1:]
text = pathlib.Path(source).read_text()
refused = pathlib.Path(__file__).parent.parent.parent / "Inputs" / "refused.py"
edits = [
    ("no such field", "InDim.Win", "InDim.Wan"),
    ("value too large", "InDim.Win: 8", "InDim.Win: 32768"),
    ("no multiple", "Src.RowStride.Stride: 0x40", "Src.RowStride.Stride: 0x41"),
    ("no value", "ReLU", "Relu6"),
    ("too many elements", "InDim.Win: 8", "InDim.Win: 8 8"),
    ("too few elements", "Common.InDim.Win: 8", "KernelDMASrc.CoeffDMAConfig.En: 1*15"),
    ("computed", "Header.0.EON", "Header.1.NextSize"),
    ("dialect", "v4.2.1", "v4.2.2"),
    ("no shape", "1x3x8x8", "3x8x8"),
    ("empty shape", "1x3x8x8", "1x3x0x8"),
    ("no interleave", "Shape: 1x3x8x8", "Shape: 1x3x8x8\n    Interleave: 5"),
    ("no strides", "Shape: 1x3x8x8", "Shape: 1x3x8x8\n    Interleave: 4"),
    ("unknown key", "Shape:", "Shapes:"),
    ("twice", "Shape: 1x3x8x8", "Shape: 1x3x8x8\n    Direction: input"),
    ("bars", "Shape: 1x3x8x8", "Shape: 1x3x8x8\n    Bar: 5"),
    ("same names", "Name: y\n    Direction: output", "Name: x\n    Direction: input"),
    ("record", "  - Header.0", "  - Records:\n      - NE 3 3\n    Header.0"),
    ("named bits", "Header.0.EON", "Unnamed.Common.0"),
    ("odd digits", None, "Constants:\n  - 012\n"),
    ("zeros", None, "Constants:\n  - zeros 0x100000001\n"),
    ("symbol", None, "Symbols:\n  - 0x40 K\n"),
    ("flow", None, "Constants: [00]\n"),
    ("second document", None, "---\nDialect: v9.509\n"),
    ("tab", "    Header.6.SPL", "\tHeader.6.SPL"),
]
for name, old, new in edits:
    assert old is None or old in text, name
    bad = text + new if old is None else text.replace(old, new, 1)
    pathlib.Path("bad.yaml").write_text(bad)
    command = [sys.executable, refused, tool, "--from-yaml", "bad.yaml", "-o", "bad.hwx"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: {run.stderr}")
    print(f"{name}: {run.stdout}", end="")
