# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the wheel jax-echo: make_wheel.py LIBRARY DIRECTORY.

The library has LLVM in it; libzstd, which LLVM needs and few systems lack, comes along. The standard library suffices.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def version():
    header = (ROOT / "base/version.h").read_text()
    return ".".join(re.search(rf"#define ECHO_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def zstd(library):
    for line in subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout.splitlines():
        if "libzstd.so.1 =>" in line:
            return pathlib.Path(line.split("=>")[1].split("(")[0].strip())
    raise SystemExit("make_wheel.py: libzstd.so.1 is not found")


def main():
    library, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    name = f"jax_echo-{version()}"
    info = f"{name}.dist-info"
    glibc = "2_36" # Debian 12, where it is built
    tag = f"py3-none-manylinux_{glibc}_x86_64"
    files = {
        **{f"jax_echo/{file.name}": file.read_bytes() for file in sorted((HERE / "jax_echo").glob("*.py"))},
        "jax_echo/libpjrt_echo.so": library.read_bytes(),
        "jax_echo/libzstd.so.1": zstd(library).read_bytes(),
        f"{info}/METADATA": f"""Metadata-Version: 2.1
Name: jax-echo
Version: {version()}
Summary: JAX programs, unchanged, in less memory: a PJRT plug-in that plans and recomputes
Requires-Python: >=3.11
Requires-Dist: jax>=0.10
License: Apache-2.0 WITH LLVM-exception
""".encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: echo\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{info}/entry_points.txt": b"[jax_plugins]\necho = jax_echo\n\n[torch_xla.plugins]\necho = jax_echo.pytorch:EchoPlugin\n",
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for path, data in files.items()
    )
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    directory.mkdir(parents=True, exist_ok=True)
    wheel = directory / f"{name}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)) # the same bytes every time
            entry.external_attr = 0o755 << 16 if path.endswith(".so") else 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


main()
