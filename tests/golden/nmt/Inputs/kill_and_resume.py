"""Kills a training run over and over while it trains and saves, and resumes it until it is done.

usage: kill_and_resume.py CHECKPOINT N_KILLS COMMAND...

The command gets --save and --resume of the checkpoint. Each round waits for a checkpoint that this run wrote, then a moment
longer each time, and kills it: with a checkpoint after each step nearly all moments lie in a save. The last round runs to its
end. A checkpoint that cannot be resumed ends it with an error.
"""

import os
import pathlib
import subprocess
import sys
import time

checkpoint, n_kills, command = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
command += [f"--save={checkpoint}", f"--resume={checkpoint}", "--save-every=1"]
N_MOMENTS = 17  # a prime number of steps of 0.7 ms, walked through in another order than upwards


def stamp():
    try:
        facts = os.stat(checkpoint)
        return (facts.st_ino, facts.st_mtime_ns)
    except FileNotFoundError:
        return None


def run(kill_after_s):
    """True when the run ended by itself."""
    before = stamp()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while kill_after_s is not None and process.poll() is None and stamp() == before:
        time.sleep(0.0002)
    if kill_after_s is not None and process.poll() is None:
        time.sleep(kill_after_s)
        process.kill()
    error = process.communicate()[1].decode(errors="replace")
    if process.returncode == -9:
        return False
    if process.returncode != 0:
        sys.exit(f"exit status {process.returncode} with a checkpoint that a kill left: {error}")
    return True


n_killed = sum(not run(0.0007 * (5 * i % N_MOMENTS)) for i in range(n_kills))
run(None)
print(f"killed {n_killed} times")
left = sorted(path.name for path in checkpoint.parent.glob(f"{checkpoint.name}*"))
print("files: " + " ".join(left))
sys.exit(n_killed < n_kills // 2)
