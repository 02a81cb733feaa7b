# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines of docs/jax.md under "From nothing to a trained model", typed one after the other in an empty folder as they stand there: a virtual environment,
JAX from PyPI, the wheel, one training program on XLA and on Echo. The first line, `./dev wheel`, has been done.

usage: check_jax.py

Then jax_callbacks.py in the same environment: it prints the same on XLA, on Echo, and with the least memory; jax_sharing.py; jax_memories.py; jax_layouts.py; jax_cache.py, twice; jax_devices.py, on four
devices of each; and torch_entry.py, which stands in for torch_xla.

The losses must be those that the page names on each platform; the temporaries those that it names, to a tenth: they depend on the number of cores.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMED = re.compile(
    r"The loss is ([\d.]+) after 30 steps on each of the three; the temporaries are ([\d,]+) bytes with XLA, ([\d,]+) with Echo, ([\d,]+) with `budget=min`"
)


def typed(block):
    """The commands of a console block; what follows one up to the next is its input."""
    commands = re.split(r"(?m)^\$ ", block)[1:]
    return [re.sub(r"  +# .*", "", command) if "<<" not in command else command for command in commands]


def printed_by(script, folder, **environment):
    environment = {**os.environ, **environment}
    command = [pathlib.Path(folder, "jax/bin/python"), ROOT / "tests/docs" / script]
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    return done.stdout if done.returncode == 0 else f"exit status {done.returncode}\n{done.stderr[-2000:]}"


def main():
    page = (ROOT / "docs/jax.md").read_text()
    section = page.split("\n## From nothing to a trained model\n", 1)[1].split("\n## ", 1)[0]
    commands, named = typed(section.split("```\n", 2)[1]), NAMED.search(section.replace("\n", " "))
    if commands[0].strip() != "./dev wheel" or named is None:
        sys.exit("docs/jax.md: the first line is not './dev wheel', or the figures are not named as this script reads them")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "build").symlink_to(ROOT / "build")
        script = "set -e\nexport PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore\n" + "".join(commands[1:])
        done = subprocess.run(["bash", "-c", script], cwd=folder, text=True, capture_output=True)
        callbacks = [
            printed_by("jax_callbacks.py", folder, JAX_PLATFORMS=platforms, ECHO_OPTIONS=options)
            for platforms, options in (("cpu", "off"), ("echo,cpu", "off"), ("echo,cpu", "budget=min"))
        ]
        sharing = [
            printed_by("jax_sharing.py", folder, JAX_PLATFORMS=platforms, JAX_COMPILATION_CACHE_DIR=str(pathlib.Path(folder, platforms)))
            for platforms in ("cpu", "echo")
        ]
        cached = [
            [printed_by("jax_cache.py", folder, JAX_PLATFORMS=platforms, JAX_COMPILATION_CACHE_DIR=f"{folder}/kept {platforms}") for _ in range(2)]
            for platforms in ("cpu", "echo")
        ]
        memories = [printed_by("jax_memories.py", folder, JAX_PLATFORMS=platforms) for platforms in ("cpu", "echo")]
        layouts = [printed_by("jax_layouts.py", folder, JAX_PLATFORMS=platforms) for platforms in ("cpu", "echo")]
        n_kept = len(list(pathlib.Path(folder, "echo/echo").glob("*.o")))
        entry = printed_by("torch_entry.py", folder)
        devices = [
            printed_by("jax_devices.py", folder, JAX_PLATFORMS="cpu", XLA_FLAGS="--xla_force_host_platform_device_count=4"),
            printed_by("jax_devices.py", folder, JAX_PLATFORMS="echo", ECHO_CPU_DEVICES="4"),
        ]
    if done.returncode != 0:
        sys.exit(f"docs/jax.md: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    temporaries = [int(number) for number in re.findall(r"(?m)^(\d+) bytes of temporaries$", done.stdout)]
    losses = [float(loss) for loss in re.findall(r"(?m)^30 ([\d.]+)$", done.stdout)]
    print(f"losses {losses}, temporaries {temporaries}")
    wanted = [int(number.replace(",", "")) for number in named.groups()[1:]]
    if len(temporaries) != 3 or len(losses) != 3:
        sys.exit("docs/jax.md: the program does not print three losses and three sizes")
    if any(abs(a - b) > b / 10 for a, b in zip(temporaries, wanted)) or any(abs(loss - float(named[1])) > 0.0015 for loss in losses):
        sys.exit(f"docs/jax.md names the loss {named[1]} and {wanted} bytes")

    if callbacks[0] != callbacks[1] or callbacks[0] != callbacks[2] or "exit status" in callbacks[0]:
        sys.exit("jax_callbacks.py prints, on XLA, on Echo, and with budget=min:\n" + "\n".join(callbacks))
    if sharing[0] != sharing[1] or "exit status" in sharing[0]:
        sys.exit("jax_sharing.py prints, on XLA and on Echo:\n" + "\n".join(sharing))
    if memories[0] != memories[1] or "exit status" in memories[0]:
        sys.exit("jax_memories.py prints, on XLA and on Echo:\n" + "\n".join(memories))
    if layouts[0] != layouts[1] or "exit status" in layouts[0]:
        sys.exit("jax_layouts.py prints, on XLA and on Echo:\n" + "\n".join(layouts))
    if cached[0] != cached[1] or not cached[0][1].startswith("loaded"):
        sys.exit("jax_cache.py prints, the first and the second time, on XLA and on Echo:\n" + "\n".join(cached[0] + cached[1]))
    if n_kept == 0:
        sys.exit("no kernels are kept in JAX_COMPILATION_CACHE_DIR")
    if devices[0] != devices[1] or "exit status" in devices[0]:
        sys.exit("jax_devices.py prints, on XLA and on Echo:\n" + "\n".join(devices))
    if entry != "echo True 1\n":
        sys.exit(f"torch_entry.py prints:\n{entry}")


main()
