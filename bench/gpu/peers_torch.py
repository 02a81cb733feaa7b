# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The samples' steps in PyTorch, as people write them there: the layers of torch.nn, its optimizers, f32 at full precision.

A model is described as in peers.json (see peers.py): its arguments' names are the sample's, and `place` says where each weight
goes in a module of torch, whose layouts are others.
"""

import statistics

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

VARIANTS = {"eager": "PyTorch eager", "checkpoint": "torch.utils.checkpoint", "compile": "torch.compile"}
VERSION = torch.__version__


def again(module, function, *arguments):
    return checkpoint(function, *arguments, use_reentrant=False) if module.checkpointed else function(*arguments)


class Nmt(nn.Module):
    """B sentences of T tokens, time first; H hidden."""

    def __init__(self, model, checkpointed):
        super().__init__()
        self.checkpointed = checkpointed
        (source, E), (target, _), (_, H) = (model.shape(n) for n in ("source.embedding", "target.embedding", "attention.key"))
        self.source, self.target = nn.Embedding(source, E), nn.Embedding(target, E)
        self.encoder, self.decoder = nn.LSTM(E, H), nn.LSTMCell(E + H, H)
        self.key, self.query, self.score = (nn.Linear(H, n, bias=False) for n in (H, H, 1))
        self.combine, self.output = nn.Linear(2 * H, H, bias=False), nn.Linear(H, target)
        for name, parameter in self.named_parameters():
            if "bias_hh" in name:  # the sample has one bias a cell
                nn.init.zeros_(parameter).requires_grad_(False)

    def places(self):
        turned = {"encoder.0.weight_input": self.encoder.weight_ih_l0, "encoder.0.weight_hidden": self.encoder.weight_hh_l0,
                  "decoder.0.weight_input": self.decoder.weight_ih, "decoder.0.weight_hidden": self.decoder.weight_hh,
                  "attention.key": self.key.weight, "attention.query": self.query.weight,
                  "attention.combine": self.combine.weight, "output.weight": self.output.weight}
        kept = {"source.embedding": self.source.weight, "target.embedding": self.target.weight,
                "encoder.0.bias": self.encoder.bias_ih_l0, "decoder.0.bias": self.decoder.bias_ih, "output.bias": self.output.bias}
        return {**{n: (p, lambda w: w.T) for n, p in turned.items()}, **{n: (p, lambda w: w) for n, p in kept.items()},
                "attention.score": (self.score.weight, lambda w: w[None])}

    def write(self, memory, keys, hidden, mask, h, c, fed, embedded):
        h, c = self.decoder(torch.cat([embedded, fed], -1), (h, c))
        scores = self.score(torch.tanh(keys + self.query(h)[:, None, :])).squeeze(-1)
        shares = torch.softmax(scores.masked_fill(~mask, -1e30), -1)
        context = torch.bmm(shares[:, None, :], memory).squeeze(1)
        return h, c, torch.tanh(self.combine(torch.cat([context, h], -1)))

    def forward(self, batch):
        embedded = self.target(batch["target_in"])
        states, (h, c) = self.encoder(self.source(batch["source"]))
        memory = states.transpose(0, 1).contiguous()
        h, c, keys, outputs = h[0], c[0], self.key(memory), []
        fed = torch.zeros_like(h)
        for x in embedded:
            h, c, fed = again(self, self.write, memory, keys, h, batch["mask"], h, c, fed, x)
            outputs.append(fed)
        logits = self.output(torch.stack(outputs))
        losses = F.cross_entropy(logits.flatten(0, 1), batch["target_out"].flatten(), reduction="none")
        weight = batch["weight"].flatten()
        return (losses * weight).sum() / weight.sum().clamp(min=1)


class Layer(nn.Module):
    def __init__(self, H, heads, rate):
        super().__init__()
        self.heads, self.rate = heads, rate
        self.norm1, self.norm2 = nn.LayerNorm(H), nn.LayerNorm(H)
        self.query, self.key, self.value, self.output = (nn.Linear(H, H) for _ in range(4))
        self.up, self.down = nn.Linear(H, 4 * H), nn.Linear(4 * H, H)

    def forward(self, x):
        B, T, H = x.shape
        y = self.norm1(x)
        q, k, v = (f(y).view(B, T, self.heads, H // self.heads).transpose(1, 2) for f in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, H)
        x = x + F.dropout(self.output(y), self.rate)
        return x + F.dropout(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")), self.rate)


class Transformer(nn.Module):
    """B texts of T tokens, the table both ways."""

    def __init__(self, model, checkpointed):
        super().__init__()
        self.checkpointed, self.rate = checkpointed, model.dropout
        (V, H), (T, _) = model.shape("embedding.table"), model.shape("embedding.positions")
        self.embedding, self.positions = nn.Embedding(V, H), nn.Parameter(torch.zeros(T, H))
        self.layers = nn.ModuleList(Layer(H, model.heads, self.rate) for _ in range(model.count("attention")))
        self.norm = nn.LayerNorm(H)

    def places(self):
        found = {"embedding.table": (self.embedding.weight, lambda w: w), "embedding.positions": (self.positions, lambda w: w)}
        def norm(name, module):
            found[f"{name}.scale"], found[f"{name}.shift"] = (module.weight, lambda w: w), (module.bias, lambda w: w)
        norm("output", self.norm)
        for i, layer in enumerate(self.layers, 1):
            norm(f"attention{i}", layer.norm1), norm(f"mlp{i}", layer.norm2)
            for part, names in (f"attention{i}", ("query", "key", "value", "output")), (f"mlp{i}", ("up", "down")):
                for name in names:
                    linear = getattr(layer, name)
                    found[f"{part}.{name}.weight"], found[f"{part}.{name}.bias"] = (linear.weight, lambda w: w.T), (linear.bias, lambda w: w)
        return found

    def forward(self, batch):
        x = F.dropout(self.embedding(batch["data"]) + self.positions, self.rate)
        for layer in self.layers:
            x = again(self, layer, x)
        logits = F.linear(self.norm(x), self.embedding.weight)
        return F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())


class Normalized(nn.Sequential):
    def __init__(self, inputs, outputs, size, stride, padding):
        super().__init__(nn.Conv2d(inputs, outputs, size, stride, padding, bias=False), nn.BatchNorm2d(outputs))


class Bottleneck(nn.Module):
    def __init__(self, inputs, channels, stride, projects):
        super().__init__()
        self.parts = nn.ModuleList([Normalized(inputs, channels, 1, 1, 0), Normalized(channels, channels, 3, stride, 1),
                                    Normalized(channels, 4 * channels, 1, 1, 0)])
        self.shortcut = Normalized(inputs, 4 * channels, 1, stride, 0) if projects else None

    def forward(self, x):
        y = self.parts[2](F.relu(self.parts[1](F.relu(self.parts[0](x)))))
        return F.relu(y + (self.shortcut(x) if self.shortcut else x))


class Resnet(nn.Module):
    """B images, channels last."""

    def __init__(self, model, checkpointed):
        super().__init__()
        self.checkpointed = checkpointed
        size, _, _, width = model.shape("stem.weight")
        self.is_small = size == 3
        self.stem = Normalized(3, width, *((3, 1, 1) if self.is_small else (7, 2, 3)))
        self.blocks, inputs = nn.ModuleDict(), width
        for block in range(4):
            for i in range(model.count(f"block{block + 1}_")):
                channels = width << block
                self.blocks[f"block{block + 1}_{i + 1}"] = Bottleneck(inputs, channels, 2 if i == 0 and block > 0 else 1, i == 0)
                inputs = 4 * channels
        self.fc = nn.Linear(inputs, model.shape("fc.bias")[0])
        self.to(memory_format=torch.channels_last)

    def places(self):
        found = {"fc.weight": (self.fc.weight, lambda w: w.T), "fc.bias": (self.fc.bias, lambda w: w)}
        def both(name, module):
            found[f"{name}.weight"] = (module[0].weight, lambda w: w.permute(3, 2, 0, 1))
            for ours, theirs in ("scale", "weight"), ("shift", "bias"), ("mean", "running_mean"), ("variance", "running_var"):
                found[f"{name}.{ours}"] = (getattr(module[1], theirs), lambda w: w)
        both("stem", self.stem)
        for name, block in self.blocks.items():
            for i, part in enumerate(block.parts, 1):
                both(f"{name}.{i}", part)
            if block.shortcut:
                both(f"{name}.shortcut", block.shortcut)
        return found

    def forward(self, batch):
        x = F.relu(self.stem(batch["data"].permute(0, 3, 1, 2)))
        if not self.is_small:
            x = F.max_pool2d(x, 3, 2, 1)
        for block in self.blocks.values():
            x = again(self, block, x)
        return F.cross_entropy(self.fc(x.mean((2, 3))), batch["labels"])


MODELS = {"nmt": Nmt, "transformer": Transformer, "resnet50": Resnet}


class Peer:
    """A training step of `model` by one of VARIANTS; weights and the first batch from `arrays` (name: NumPy array)."""

    def __init__(self, model, variant, arrays, device):
        torch.manual_seed(0)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        self.device, self.variant, self.model = device, variant, model
        with torch.device(device):
            self.module = MODELS[model.kind](model, variant == "checkpoint")
        places = self.module.places()
        missing = set(places) ^ set(model.weights())
        if missing:
            raise ValueError(f"weights {sorted(missing)} are of one side only")
        with torch.no_grad():
            for name, (parameter, turn) in places.items():
                parameter.copy_(turn(torch.from_numpy(arrays[name])))
        trained = [p for p in self.module.parameters() if p.requires_grad]
        fused = {"fused": True} if device == "cuda" else {}
        rate = float(arrays["rate"])
        adam = model.optimizer == "adam"
        self.optimizer = torch.optim.Adam(trained, rate, **fused) if adam else torch.optim.SGD(trained, rate, momentum=0.9, **fused)
        self.loss = torch.compile(self.module) if variant == "compile" else self.module
        self.set_batch(arrays)
        self.n_compiles = 0

    def set_batch(self, arrays):
        self.batch = {name: self.tensor(arrays[name]) for name in self.model.batch_names()}

    def tensor(self, array):
        tensor = torch.from_numpy(array)
        return (tensor.long() if tensor.dtype == torch.int32 else tensor).to(self.device)

    def step(self):
        loss = self.loss(self.batch)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def losses(self, n):
        return [float(self.step()) for _ in range(n)]

    def times(self, n):
        """Seconds of each of n steps, by the device's events."""
        events = [torch.cuda.Event(enable_timing=True) for _ in range(n + 1)]
        events[0].record()
        for event in events[1:]:
            self.step()
            event.record()
        torch.cuda.synchronize()
        return [a.elapsed_time(b) / 1e3 for a, b in zip(events, events[1:])]

    def peak_bytes(self):
        """What the allocator has handed out at most in a step, weights and optimizer with it."""
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        self.step()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated()

    def fits(self, arrays, limit):
        """The peak of a step of that batch where the allocator has `limit` bytes; None when it runs out of them."""
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(min(limit / total, 1.0))
        try:
            self.set_batch(arrays)
            return self.peak_bytes()
        except torch.OutOfMemoryError:
            self.optimizer.zero_grad(set_to_none=True)
            return None
        finally:
            self.batch = None
            torch.cuda.empty_cache()
