# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The virtual environment in which a framework runs on Echo: what requirements.txt pins, and the wheel of `./dev wheel`."""

import pathlib
import subprocess
import venv

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"


def make(wheel, directory, *more, requirements=REQUIREMENTS):
    """Its Python. Packages `more` are installed beside those of the file of requirements, JAX's where none is named."""
    python = directory.absolute() / "bin/python"
    if not python.exists():
        venv.create(directory, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "-r", requirements, *more], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel], check=True)
    return python
