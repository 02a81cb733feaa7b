# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps with random graphs, as text of the model stage: layers whose operands are any earlier values."""
import random


def random_step(seed, layers, batch=8192, hidden=1024, classes=256):
    """A module whose graph is random and whose sizes are not: the same for the same seed."""
    draw = random.Random(seed)
    wide, tall = f"tensor<{batch}x{hidden}xf32>", f"tensor<{hidden}x{hidden}xf32>"
    weights, body = [], []

    def weight(type_):
        weights.append(type_)
        return f"%w{len(weights) - 1}"

    values = ["%x"]
    for i in range(layers):
        # Mostly the youngest value, sometimes any: chains with shortcuts of all lengths.
        x = values[-1] if draw.random() < 0.7 else draw.choice(values)
        y = draw.choice(values)
        kind = draw.choice(["linear", "linear", "tanh", "logistic", "add", "multiply"])
        if kind == "linear":
            body.append(f'%v{i} = "nn.linear"({x}, {weight(tall)}) : ({wide}, {tall}) -> {wide}')
        elif kind in ("add", "multiply"):
            body.append(f"%v{i} = stablehlo.{kind} {x}, {y} : {wide}")
        else:
            body.append(f"%v{i} = stablehlo.{kind} {x} : {wide}")
        values.append(f"%v{i}")
    out, logits = f"tensor<{hidden}x{classes}xf32>", f"tensor<{batch}x{classes}xf32>"
    body.append(f'%logits = "nn.linear"({values[-1]}, {weight(out)}) : ({wide}, {out}) -> {logits}')
    labels = f"tensor<{batch}xi32>"
    body.append(f'%loss = "nn.softmax_cross_entropy"(%logits, %labels) : ({logits}, {labels}) -> tensor<f32>')
    n = len(weights)
    names, types = ", ".join(f"%w{i}" for i in range(n)), ", ".join(weights)
    gradients = ", ".join(f"%g{i}" for i in range(n))
    body.append(f'{gradients} = "nn.gradient"(%loss, {names}) : (tensor<f32>, {types}) -> ({types})')
    for i, type_ in enumerate(weights):
        body.append(f'%n{i} = "nn.sgd"(%w{i}, %g{i}, %rate) : ({type_}, {type_}, tensor<f32>) -> {type_}')
    arguments = [f"%x: {wide}", f"%labels: {labels}", "%rate: tensor<f32>"]
    arguments += [f"%w{i}: {t} {{tf.aliasing_output = {i} : i32}}" for i, t in enumerate(weights)]
    results = ", ".join(f"%n{i}" for i in range(n)) + ", %loss"
    lines = "\n    ".join(body + [f"return {results} : {types}, tensor<f32>"])
    return (f"func.func @main({', '.join(arguments)}) -> ({types}, tensor<f32>) {{\n    {lines}\n}}\n")
