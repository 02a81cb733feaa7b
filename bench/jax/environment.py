# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The virtual environment in which JAX runs on Echo: what requirements.txt pins, and the wheel of `./dev wheel`."""

import pathlib
import subprocess
import venv

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"


def make(wheel, directory, *more):
    """Its Python. Packages `more` are installed beside those of requirements.txt."""
    python = directory.absolute() / "bin/python"
    if not python.exists():
        venv.create(directory, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "-r", REQUIREMENTS, *more], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel], check=True)
    return python
