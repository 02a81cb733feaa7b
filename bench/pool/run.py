# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""echo-plan pool --capacity beside MiniMalloc on its public challenge instances, in one run. Writes pool.json and pool.md.

Give the checkout of github.com/google/minimalloc and the program built from it. Each instance runs in both programs in
turn, a few times; times are of whole processes, reading and writing included, medians of all runs."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(command):
    """Standard output and error together, wall seconds and CPU seconds of one process."""
    with tempfile.TemporaryFile("w+") as out:
        begin = time.perf_counter()
        process = subprocess.Popen([str(c) for c in command], stdout=out, stderr=out, text=True)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}\n{text}")
    return text, wall, usage.ru_utime + usage.ru_stime


def measure(options, path, work):
    capacity = path.name.split(".")[1]
    ours = [options.bin / "echo-plan", "pool", path, f"--capacity={capacity}", "-o", work / "ours.csv"]
    theirs = [options.minimalloc_binary, f"--capacity={capacity}", f"--input={path}", f"--output={work / 'theirs.csv'}"]
    times = {"ours": [], "theirs": []}
    for _ in range(options.repeats):
        text, *ours_s = run(ours)
        times["ours"].append(ours_s)
        times["theirs"].append(run(theirs)[1:])
    found = dict(re.findall(r"(\w+)=(\d+)", text))
    row = {"instance": path.name, "blocks": int(found["blocks"]), "capacity_bytes": int(capacity),
           "load_bytes": int(found["load"]), "height_bytes": int(found["height"]), "nodes": int(found["nodes"])}
    for who, runs in times.items():
        row[f"{who}_wall_s"] = round(statistics.median(r[0] for r in runs), 4)
        row[f"{who}_cpu_s"] = round(statistics.median(r[1] for r in runs), 4)
    print(row, flush=True)
    return row


def git(folder, *arguments):
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return {"processor": names[0] if names else platform.machine(), "threads": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1)}


def table(document):
    machine_ = document["machine"]
    lines = ["# echo-plan pool --capacity beside MiniMalloc", "",
             f"`{document['command']}`, {document['date']}, commit {document['commit']}, MiniMalloc "
             f"{document['minimalloc_commit']}; {machine_['processor']}, {machine_['threads']} threads, load "
             f"{machine_['load']}. Whole processes, medians of {document['repeats']} runs in turn; on a busy machine the CPU "
             "times tell more than the wall's.", "",
             "| instance | blocks | load / capacity | nodes | echo-plan, s | MiniMalloc, s | echo-plan, CPU s | MiniMalloc, CPU s |",
             "| --- | --: | --: | --: | --: | --: | --: | --: |"]
    for row in document["rows"]:
        lines.append(f"| {row['instance']} | {row['blocks']} | {row['load_bytes'] / row['capacity_bytes']:.3f} | "
                     f"{row['nodes']:,} | {row['ours_wall_s']:.3f} | {row['theirs_wall_s']:.3f} | "
                     f"{row['ours_cpu_s']:.3f} | {row['theirs_cpu_s']:.3f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin", help="where echo-plan is")
    parser.add_argument("--minimalloc", type=pathlib.Path, required=True, help="its checkout")
    parser.add_argument("--minimalloc-binary", type=pathlib.Path, help="default: build/minimalloc in the checkout")
    parser.add_argument("--minimalloc-commit", help="where the checkout has no .git")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "bench/results", help="where the results go")
    options = parser.parse_args()
    options.minimalloc_binary = options.minimalloc_binary or options.minimalloc / "build/minimalloc"
    instances = sorted((options.minimalloc / "benchmarks/challenging").glob("*.csv"))
    if not instances:
        sys.exit(f"no benchmarks/challenging in {options.minimalloc}")
    with tempfile.TemporaryDirectory() as work:
        rows = [measure(options, path, pathlib.Path(work)) for path in instances]
    commit = options.minimalloc_commit or git(options.minimalloc, "rev-parse", "HEAD") or "unknown"
    document = {"date": str(datetime.date.today()), "machine": machine(), "commit": git(ROOT, "rev-parse", "--short", "HEAD"),
                "command": f"bench/pool/run.py --minimalloc=MINIMALLOC --repeats={options.repeats}",
                "minimalloc_commit": commit[:7], "repeats": options.repeats, "rows": rows}
    (options.out / "pool.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (options.out / "pool.md").write_text(table(document), encoding="utf-8")
    late = [row["instance"] for row in rows if row["ours_cpu_s"] >= row["theirs_cpu_s"]]
    sys.exit(f"slower than MiniMalloc on {', '.join(late)}" if late else 0)


if __name__ == "__main__":
    main()
