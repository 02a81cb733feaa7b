# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of WAV files under the folder named: two good files in each, and one or more that are named for what they are."""

import math
import pathlib
import struct
import sys

ROOT = pathlib.Path(sys.argv[1])


def pcm(n_values, bits=16):
    values = [int(0.3 * (1 << (bits - 1)) * math.sin(0.5 * i)) for i in range(n_values)]
    if bits == 8:
        return bytes(v + 128 for v in values)
    return b"".join(struct.pack("<i", v << (32 - bits))[4 - bits // 8:] for v in values)


def wav(path, data, tag=1, channels=1, rate=8000, bits=16, claimed=None, between=b""):
    form = struct.pack("<HHIIHH", tag, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    claimed = len(data) if claimed is None else claimed
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + between + b"data" + struct.pack("<I", claimed) + data
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def folder(name):
    for label in "12":
        wav(ROOT / name / f"{label}_a.wav", pcm(4000))
    return ROOT / name


folder("good")
kinds = folder("kinds")
wav(kinds / "3_stereo.wav", pcm(8000), channels=2)
wav(kinds / "4_eight.wav", pcm(4000, 8), bits=8)
wav(kinds / "5_twentyfour.wav", pcm(4000, 24), bits=24, between=b"LIST\x03\0\0\0abc\0")
wav(kinds / "6_float.wav", struct.pack("<4000f", *(0.3 * math.sin(0.5 * i) for i in range(4000))), tag=3, bits=32)
bad = folder("bad")
(bad / "3_text.wav").write_text("no sound at all")
wav(bad / "4_cut.wav", pcm(100), claimed=1000)
wav(bad / "5_empty.wav", b"")
wav(bad / "6_alaw.wav", bytes(4000), tag=6, bits=8)
wav(bad / "7_twelve.wav", bytes(4000), bits=12)
wav(bad / "8_rate.wav", pcm(4000), rate=16000)
wav(bad / "9_ragged.wav", bytes(4001))
wav(bad / "_nameless.wav", pcm(4000))
wav(bad / "a_nan.wav", struct.pack("<3f", 0, math.nan, 0), tag=3, bits=32)
wav(bad / "11223344_short.wav", pcm(600))
wav(bad / "4567890123456_many.wav", pcm(4000))
wav(bad / "b_long.wav", pcm(9000))
wav(folder("letters") / "abc_x.wav", pcm(4000))
(ROOT / "nothing").mkdir(exist_ok=True)
