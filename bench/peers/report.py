# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table and the picture of a comparison."""

TITLES = {
    "nmt": "Attention NMT, unrolled: 20 steps, hidden 256, batch 32, vocabulary 4,000",
    "nmt_scan": "Attention NMT with lax.scan: the same sizes",
    "transformer": "Transformer: 4 layers, hidden 256, length 128, batch 8, vocabulary 4,000, dropout 0.1",
}
NOTES = {
    "nmt_scan": "What the stacks between the two loops hold, and so what Echo's peak is: the attention's `tanh` of every step"
    " (13.1 MB, 20 x 32 x 20 x 256) and twelve stacks of states and gates (7.9 MB); Echo drops the stacks whose slices it can"
    " compute from others, and adds none to compute them from. XLA compiles a loop's body once, and so does Echo: a fifth of its"
    " time to the first step is not reached here.",
    "transformer": "The aim of a fifth of XLA's time to the first step is not reached on this model: each of its some 200 kernels"
    " goes through LLVM, on two threads; with Echo the search comes on top.",
}
ORDER = {"JAX": 0, "PyTorch": 1, "Echo": 2}


def models_of(document):
    return [m for m in TITLES if any(r["model"] == m for r in document["rows"])]


def rows_of(document, model):
    return sorted((r for r in document["rows"] if r["model"] == model), key=lambda r: ORDER[r["system"]])


def beats(echo, peer):
    return echo["peak_bytes"] <= 0.8 * peer["peak_bytes"] and echo["step_s"] <= peer["step_s"]


def verdict(rows):
    """For every peer's point: is there one of Echo with at most 0.8 of its peak at no more than its time?"""
    ours = [r for r in rows if r["system"] == "Echo" and "error" not in r]
    for peer in rows:
        if peer["system"] == "Echo" or "error" in peer:
            continue
        better = [r for r in ours if beats(r, peer)]
        yield peer, min(better, key=lambda r: r["peak_bytes"]) if better else None


def first_steps(rows):
    """Echo's time to the first step as a share of XLA's."""
    xla = [r["first_step_s"] for r in rows if r["system"] == "JAX" and r["variant"] == "plain" and "error" not in r]
    for r in rows:
        if xla and r["system"] == "Echo" and r["variant"] in ("off", "echo=budget=min") and "error" not in r:
            yield f"- First step: Echo `{label_of(r)}` after {r['first_step_s'] / xla[0]:.2f} of XLA's time."


def markdown(document):
    machine = document["machine"]
    busy = machine["load"] > machine["threads"] + 1
    lines = [
        "# Echo against JAX and PyTorch",
        "",
        f"{document['date']}, {machine['processor']}, {machine['threads']} threads, load average {machine['load']:.1f}. Written by"
        " `bench/peers/run.sh`. Peak: bytes of a training step above its state (parameters, moments, batch): XLA's own account,"
        " PyTorch's allocator, Echo's device. Echo runs the StableHLO text that JAX wrote; its first step is compared with JAX's.",
        "",
        *(["**The machine was busy with other work: the peaks are exact, the times say little.**", ""] if busy else []),
        "![peak against step time](peers.svg)",
        "",
    ]
    for model in models_of(document):
        rows = rows_of(document, model)
        lines += [f"## {TITLES[model]}", "", "| | | peak, MB | step, s | first step after, s | as JAX |", "|---|---|--:|--:|--:|---|"]
        for r in rows:
            head = f"| {r['system']} | {label_of(r)} "
            if "error" in r:
                lines.append(head + f"| {r['error'][:80].replace('|', ' ')} | | | |")
                continue
            agrees = {None: "", True: "yes", False: "no"}[r.get("agrees_with_jax")]
            lines.append(head + f"| {r['peak_bytes'] / 1e6:.1f} | {r['step_s']:.3f} | {r['first_step_s']:.1f} | {agrees} |")
        lines.append("")
        for peer, better in verdict(rows):
            name = f"{peer['system']} {peer['variant']}"
            if better is not None:
                lines.append(f"- {name}: Echo `{label_of(better)}` takes {better['peak_bytes'] / peer['peak_bytes']:.2f} of its"
                             f" peak in {better['step_s'] / peer['step_s']:.2f} of its time.")
            else:
                lines.append(f"- {name}: no point of Echo has 0.8 of its peak at its time.")
        lines += first_steps(rows)
        lines += ["", NOTES[model], ""] if model in NOTES else [""]
    return "\n".join(lines)


WIDTH, PANEL, LEFT, RIGHT, TOP, BOTTOM = 760, 330, 70, 20, 44, 46
COLOURS = {"JAX": "#ef8e2c", "PyTorch": "#c2264b", "Echo": "#3b7dd8"}


def label_of(row):
    """ "echo=budget=188492611" -> "budget 188 MB"."""
    text = row["variant"].removeprefix("echo=").replace("=", " ")
    if text.startswith("budget ") and text[7:].isdigit():
        text = f"budget {int(text[7:]) / 1e6:.0f} MB"
    return text


def place_labels(points):
    """Beside each point where there is room, nearest the corner first; without room a label is left to the tooltip."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y, _ in points]
    for x, y, text in points:
        width = 5.6 * len(text)
        corners = [(x + 8, y - 5), (x + 8, y + 13), (x - 8 - width, y - 5), (x - 8 - width, y + 13)]
        for left, base in corners:
            box = (left, base - 9, left + width, base + 2)
            free = all(box[2] < b[0] or b[2] < box[0] or box[3] < b[1] or b[3] < box[1] for b in taken)
            if free and LEFT < left and left + width < WIDTH:
                taken.append(box)
                yield left, base, text
                break


def ticks(top):
    step = 10 ** len(str(int(top))) / 100
    while top / step > 6:
        step *= 2 if str(step)[0] in "15" else 2.5
    return [i * step for i in range(int(top / step) + 1)]


def panel(document, model, y0):
    rows = [r for r in rows_of(document, model) if "error" not in r]
    right, top = max(r["step_s"] for r in rows) * 1.15, max(r["peak_bytes"] for r in rows) * 1.1 / 1e6
    width, height = WIDTH - LEFT - RIGHT, PANEL - TOP - BOTTOM

    def place(r):
        return LEFT + width * r["step_s"] / right, y0 + TOP + height * (1 - r["peak_bytes"] / 1e6 / top)

    out = [f'<text class="title" x="{LEFT}" y="{y0 + 24}">{TITLES[model]}</text>']
    for value in ticks(top):
        y = y0 + TOP + height * (1 - value / top)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                   f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g} MB</text>')
    for value in ticks(right * 1000):
        x = LEFT + width * value / 1000 / right
        out.append(f'<text x="{x:.1f}" y="{y0 + PANEL - BOTTOM + 18}" text-anchor="middle">{value / 1000:g} s</text>')
    echo = sorted((r for r in rows if r["system"] == "Echo"), key=lambda r: -r["peak_bytes"])
    curve = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, echo))
    out.append(f'<polyline points="{curve}" fill="none" stroke="{COLOURS["Echo"]}" stroke-width="1.5" stroke-opacity=".5"/>')
    for r in rows:
        x, y = place(r)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{COLOURS[r["system"]]}"><title>{r["system"]} {label_of(r)}:'
                   f' {r["peak_bytes"] / 1e6:.1f} MB, {r["step_s"]:.3f} s</title></circle>')
    for left, base, text in place_labels([(*place(r), label_of(r)) for r in rows]):
        out.append(f'<text class="label" x="{left:.1f}" y="{base:.1f}">{text}</text>')
    return out


def svg(document):
    models = models_of(document)
    height = PANEL * len(models) + 40
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="system-ui,sans-serif" font-size="12">',
        "<style>text{fill:#5d6470}.title{fill:#1d2026;font-weight:600;font-size:13px}.label{font-size:10.5px}.grid{stroke:#e2e4e8}"
        "rect.page{fill:#fbfbfa}@media(prefers-color-scheme:dark){text{fill:#9aa2af}.title{fill:#e8eaee}.grid{stroke:#31363f}"
        "rect.page{fill:#14161a}}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
    ]
    for i, system in enumerate(COLOURS):
        out.append(f'<circle cx="{LEFT + 5 + 90 * i}" cy="20" r="5" fill="{COLOURS[system]}"/>'
                   f'<text x="{LEFT + 16 + 90 * i}" y="24">{system}</text>')
    out.append(f'<text x="{WIDTH - RIGHT}" y="24" text-anchor="end">peak above the state against time of a step</text>')
    for i, model in enumerate(models):
        out += panel(document, model, 40 + i * PANEL)
    out.append("</svg>\n")
    return "\n".join(out)
