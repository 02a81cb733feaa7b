# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of the comparison in PyTorch, as people write them: the same sizes, Adam, f32."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


class Nmt(nn.Module):
    def __init__(self, hidden=256, vocabulary=4000, checkpointed=False):
        super().__init__()
        H, V = hidden, vocabulary
        self.source, self.target = nn.Embedding(V, H), nn.Embedding(V, H)
        self.encoder, self.decoder = nn.LSTMCell(H, H), nn.LSTMCell(2 * H, H)
        nn.init.normal_(self.source.weight, std=0.1), nn.init.normal_(self.target.weight, std=0.1)
        self.keys, self.query = nn.Linear(H, H, bias=False), nn.Linear(H, H, bias=False)
        self.score = nn.Linear(H, 1, bias=False)
        self.combine, self.output = nn.Linear(2 * H, H, bias=False), nn.Linear(H, V, bias=False)
        self.hidden, self.checkpointed = hidden, checkpointed

    def write(self, memory, keys, hidden, cell, fed, embedded):
        hidden, cell = self.decoder(torch.cat([embedded, fed], -1), (hidden, cell))
        scores = self.score(torch.tanh(keys + self.query(hidden)[:, None, :])).squeeze(-1)
        context = torch.einsum("bt,bth->bh", torch.softmax(scores, -1), memory)
        return hidden, cell, torch.tanh(self.combine(torch.cat([hidden, context], -1)))

    def again(self, function, *arguments):
        return checkpoint(function, *arguments, use_reentrant=False) if self.checkpointed else function(*arguments)

    def forward(self, source, target, expected):
        x, y = self.source(source), self.target(target)
        h = c = fed = torch.zeros(source.shape[0], self.hidden)
        states = []
        for t in range(source.shape[1]):
            h, c = self.again(self.encoder, x[:, t], (h, c))
            states.append(h)
        memory = torch.stack(states, 1)
        keys, outputs = self.keys(memory), []
        for t in range(target.shape[1]):
            h, c, fed = self.again(self.write, memory, keys, h, c, fed, y[:, t])
            outputs.append(fed)
        logits = self.output(torch.stack(outputs, 1))
        return F.cross_entropy(logits.flatten(0, 1), expected.flatten())


class Layer(nn.Module):
    def __init__(self, hidden, heads, rate):
        super().__init__()
        self.heads, self.rate = heads, rate
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.proj = nn.Linear(hidden, 3 * hidden, bias=False), nn.Linear(hidden, hidden, bias=False)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x):
        B, T, H = x.shape
        q, k, v = (
            part.view(B, T, self.heads, H // self.heads).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1)
        )
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.rate, is_causal=True)
        x = x + F.dropout(self.proj(y.transpose(1, 2).reshape(B, T, H)), self.rate)
        y = self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))
        return x + F.dropout(y, self.rate)


class Transformer(nn.Module):
    def __init__(self, layers=4, hidden=256, heads=4, length=128, vocabulary=4000, rate=0.1, checkpointed=False):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.position = nn.Parameter(0.02 * torch.randn(length, hidden))
        self.layers = nn.ModuleList(Layer(hidden, heads, rate) for _ in range(layers))
        self.norm, self.checkpointed = nn.LayerNorm(hidden), checkpointed

    def forward(self, tokens, expected):
        x = self.embedding(tokens) + self.position
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.checkpointed else layer(x)
        logits = self.norm(x) @ self.embedding.weight.T
        return F.cross_entropy(logits.flatten(0, 1), expected.flatten())


def nmt(checkpointed, small=False):
    B, T, V, H = (4, 4, 40, 16) if small else (32, 20, 4000, 256)
    return Nmt(H, V, checkpointed), [torch.randint(0, V, (B, T)) for _ in range(3)]


def transformer(checkpointed, small=False):
    B, T, V, H, layers = (2, 16, 40, 32, 2) if small else (8, 128, 4000, 256, 4)
    model = Transformer(layers, H, 4, T, V, checkpointed=checkpointed)
    return model, [torch.randint(0, V, (B, T)) for _ in range(2)]


MODELS = {"nmt": nmt, "transformer": transformer}
