"""Writes .npz, .npy without NumPy: make_npz.py OUT NAME=DESCR:SHAPE:VALUES ... ("arg0=<f4:2,3:1,2,3,4,5,6").

SHAPE may be empty (a scalar). One value fills the array.
"""

import struct
import sys
import zipfile

CODES = {"f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u4": "I", "b1": "?"}


def npy(descr, dims, values):
    count = 1
    for dim in dims:
        count *= dim
    values = values * count if len(values) == 1 else values
    assert len(values) == count, (dims, values)
    shape = "(" + "".join(f"{dim}, " for dim in dims) + ")"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    convert = float if descr[1] == "f" else int
    data = struct.pack("<" + CODES[descr[1:]] * count, *map(convert, values))
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def main():
    out, *arrays = sys.argv[1:]
    made = {}
    for array in arrays:
        name, text = array.split("=", 1)
        descr, shape, values = text.split(":")
        dims = [int(dim) for dim in shape.split(",") if dim]
        made[name] = npy(descr, dims, values.split(","))
    if out.endswith(".npy"):
        (content,) = made.values()
        with open(out, "wb") as file:
            file.write(content)
        return
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made.items():
            archive.writestr(name + ".npy", content)


main()
