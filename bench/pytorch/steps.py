# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of published PyTorch models, which know nothing of Echo: steps.py NAME trains one for five steps on the device that
PJRT_DEVICE names, and prints losses, a hash of the trained state, seconds and the device's memory as JSON; without a name, the names.
"""

import functools
import hashlib
import json
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm

N_STEPS = 5


def classifier(model, optimizer, n_classes=10, shape=(8, 3, 64, 64)):
    def make(normal, integers):
        return model(), optimizer, [normal(*shape), integers(n_classes, shape[0])], lambda m, x, y: F.cross_entropy(m(x), y)

    return make


def vision(name, **options):
    def make():
        import torchvision

        return getattr(torchvision.models, name)(num_classes=10, **options)

    return make


def language(name, config, batch=4, length=64, labels=None):
    """A model of transformers that computes its own loss."""

    def make(normal, integers):
        import transformers

        settings = getattr(transformers, f"{config}Config")(**{"vocab_size": 1000, **SIZES[config]})
        model = getattr(transformers, name)(settings).train()
        text = integers(1000, batch, length)
        targets = integers(2, batch) if labels == "class" else text
        return model, functools.partial(torch.optim.AdamW, lr=1e-3), [text, targets], lambda m, x, y: m(input_ids=x, labels=y).loss

    return make


SIZES = {
    "GPT2": dict(n_positions=64, n_embd=128, n_layer=4, n_head=4),
    "Bert": dict(hidden_size=128, num_hidden_layers=4, num_attention_heads=4, intermediate_size=512),
    "Llama": dict(hidden_size=128, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, intermediate_size=256),
    "T5": dict(d_model=128, d_kv=32, d_ff=512, num_layers=2, num_heads=4, decoder_start_token_id=0),
}


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, 64)
        self.lstm = nn.LSTM(64, 64, num_layers=2, batch_first=True, bidirectional=True)
        self.output = nn.Linear(128, 100)

    def forward(self, text):
        return self.output(self.lstm(self.embedding(text))[0])


def tagger(normal, integers):
    optimizer = functools.partial(torch.optim.RMSprop, lr=1e-3)
    return Tagger(), optimizer, [integers(100, 16, 16), integers(100, 16, 16)], lambda m, x, y: F.cross_entropy(m(x).transpose(1, 2), y)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(500, 128)
        layer = nn.TransformerEncoderLayer(128, 4, 512, batch_first=True, norm_first=True, dropout=0.1)
        self.layers = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
        self.output = nn.Linear(128, 500)

    def forward(self, text):
        mask = nn.Transformer.generate_square_subsequent_mask(text.shape[1]).to(text.device)
        return self.output(self.layers(self.embedding(text), mask=mask, is_causal=True))


def decoder(normal, integers):
    optimizer = functools.partial(torch.optim.NAdam, lr=1e-3)
    data = [integers(500, 8, 64), integers(500, 8, 64)]
    return Decoder(), optimizer, data, lambda m, x, y: F.cross_entropy(m(x).flatten(0, 1), y.flatten())


SGD = functools.partial(torch.optim.SGD, lr=0.01, momentum=0.9, nesterov=True, weight_decay=1e-4)
STEPS = {
    "resnet18": classifier(vision("resnet18"), SGD),
    "mobilenet_v3_small": classifier(vision("mobilenet_v3_small"), functools.partial(torch.optim.RMSprop, lr=1e-3)),
    "vision_transformer": classifier(
        vision("VisionTransformer", image_size=64, patch_size=8, num_layers=4, num_heads=4, hidden_dim=128, mlp_dim=256),
        functools.partial(torch.optim.AdamW, lr=1e-3),
    ),
    "gpt2": language("GPT2LMHeadModel", "GPT2"),
    "bert": language("BertForSequenceClassification", "Bert", labels="class"),
    "llama": language("LlamaForCausalLM", "Llama"),
    "t5": language("T5ForConditionalGeneration", "T5"),
    "lstm_tagger": tagger,
    "transformer_decoder": decoder,
}


def main():
    if len(sys.argv) < 2:
        print(*STEPS)
        return
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    model, optimizer, inputs, loss_of = STEPS[sys.argv[1]](
        lambda *shape: torch.randn(*shape, generator=generator), lambda below, *shape: torch.randint(0, below, shape, generator=generator)
    )
    device = torch_xla.device()
    model, inputs = model.to(device), [x.to(device) for x in inputs]
    optimizer = optimizer(model.parameters())
    xm.set_rng_state(2)
    losses, seconds = [], []
    for _ in range(N_STEPS):
        start = time.monotonic()
        optimizer.zero_grad()
        loss = loss_of(model, *inputs)
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        losses.append(loss.item())
        seconds.append(time.monotonic() - start)
    try:
        peak = xm.get_memory_info(device)["peak_bytes_used"]
    except RuntimeError:  # XLA's CPU does not count
        peak = None
    state = hashlib.sha256()
    for value in model.state_dict().values():
        state.update(value.cpu().contiguous().numpy().tobytes())
    print(json.dumps({"losses": losses, "state": state.hexdigest(), "compile_s": sum(seconds[:2]), "step_s": min(seconds[2:]), "peak": peak}))


main()
