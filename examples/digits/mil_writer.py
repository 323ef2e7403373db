"""Writers for the two files of a MIL program: its text and its weights."""

from __future__ import annotations

import struct

import numpy as np


def hex_float(value: float) -> str:
    """Hexadecimal literal with the shortest mantissa, like 0x1.8p+1."""
    mantissa, exponent = float(value).hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') or mantissa}p{exponent}"


def tensor_type(dtype: str, shape: tuple[int, ...]) -> str:
    return f"tensor<{dtype}, [{', '.join(map(str, shape))}]>"


def string(text: str) -> str:
    return f'{tensor_type("string", ())}("{text}")'


class BlobWriter:
    """Blob storage version 2: 64-byte records, each before its payload."""

    ALIGNMENT = 64
    VERSION = 2
    SENTINEL = 0xDEADBEEF
    FP16 = 1
    HEADER = struct.Struct("<II56x")
    RECORD = struct.Struct("<IIQQQ32x")

    def __init__(self) -> None:
        self.count = 0
        self.data = bytearray(self.HEADER.size)

    def add(self, array: np.ndarray) -> int:
        """Appends an array as fp16; returns the offset of its record."""
        if np.abs(array).max() > np.finfo(np.float16).max:
            raise ValueError("a weight is too large for fp16")
        payload = array.astype("<f2").tobytes()
        offset = len(self.data)
        self.data += self.RECORD.pack(self.SENTINEL, self.FP16, len(payload),
                                      offset + self.RECORD.size, 0)
        self.data += payload
        self.data += bytes(-len(self.data) % self.ALIGNMENT)
        self.count += 1
        return offset

    def finish(self) -> bytes:
        self.HEADER.pack_into(self.data, 0, self.count, self.VERSION)
        return bytes(self.data)


class MilWriter:
    """Prints one MIL function in the layout that coremlc uses."""

    # Smaller constants stand in the text, larger ones in the weight file.
    BLOB_ELEMENTS = 10

    def __init__(self, source: str) -> None:
        """`source` goes into buildInfo: who wrote the program."""
        self.source = source
        self.lines: list[str] = []
        self.blobs = BlobWriter()

    def statement(self, kind: str, name: str, dtype: str,
                  shape: tuple[int, ...], operands: dict[str, str],
                  **attributes: str) -> str:
        def sorted_list(items: dict[str, str]) -> str:
            return ", ".join(f"{key} = {items[key]}" for key in sorted(items))

        attributes["name"] = string(name)
        self.lines.append(f"{tensor_type(dtype, shape)} {name} = "
                          f"{kind}({sorted_list(operands)})"
                          f"[{sorted_list(attributes)}];")
        return name

    def constant(self, name: str, value: object) -> str:
        """Emits a const; arrays are fp16, the rest takes its Python type."""
        shape: tuple[int, ...] = ()
        if isinstance(value, str):
            dtype, literal = "string", f'"{value}"'
        elif isinstance(value, bool):
            dtype, literal = "bool", str(value).lower()
        elif isinstance(value, int):
            dtype, literal = "int32", str(value)
        elif isinstance(value, list):
            dtype, shape = "int32", (len(value),)
            literal = f"[{', '.join(map(str, value))}]"
        elif isinstance(value, float):
            dtype, literal = "fp16", hex_float(np.float16(value))
        elif isinstance(value, np.ndarray):
            if value.size < self.BLOB_ELEMENTS:
                raise ValueError(f"{name}: {value.size} elements belong into "
                                 "the text, which only takes scalars here")
            dtype, shape = "fp16", value.shape
            path = string("@model_path/weights/weight.bin")
            offset = f'{tensor_type("uint64", ())}({self.blobs.add(value)})'
            literal = f"BLOBFILE(path = {path}, offset = {offset})"
        else:
            raise TypeError(f"no MIL constant for {type(value).__name__}")
        return self.statement("const", name, dtype, shape, {},
                              val=f"{tensor_type(dtype, shape)}({literal})")

    def op(self, kind: str, name: str, result: str, shape: tuple[int, ...],
           x: str, /, **constants: object) -> str:
        """Emits the constants of an op and the op itself.

        `result` and `shape` are the type of the result, `constants` the
        arguments beside x by their MIL names. Returns the result's name.
        """
        operands = {"x": x}
        for key, value in constants.items():
            operands[key] = self.constant(f"{name}_{key}_0", value)
        return self.statement(kind, name, result, shape, operands)

    def program(self, parameter: str, result: str) -> str:
        """The whole text; like coremlc's, it ends without a newline."""
        text = tensor_type("string", ())
        body = "".join(f"{' ' * 12}{line}\n" for line in self.lines)
        return ("program(1.0)\n"
                f"[buildInfo = dict<{text}, {text}>"
                f'({{{{"source", "{self.source}"}}}})]\n'
                "{\n"
                f"    func main<ios16>({parameter}) {{\n"
                f"{body}"
                f"        }} -> ({result});\n"
                "}")
