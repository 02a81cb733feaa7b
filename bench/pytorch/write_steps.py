# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of published PyTorch models at the sizes they are published with, as PyTorch/XLA writes them and before anything
runs: write_steps.py FOLDER [NAME...] writes NAME.mlir, which `bench/forms/run.py BUILD FOLDER` plans. In the environment that run.py makes.
"""

import os
import pathlib
import sys

os.environ["PJRT_DEVICE"] = "CPU"

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm
import torchvision
import transformers

SGD = lambda parameters: torch.optim.SGD(parameters, 0.1, momentum=0.9)
ADAMW = lambda parameters: torch.optim.AdamW(parameters, 1e-3)


def classifier(name, batch, optimizer):
    def make():
        inputs = [torch.randn(batch, 3, 224, 224), torch.randint(0, 1000, (batch,))]
        return getattr(torchvision.models, name)(), inputs, lambda m, x, y: F.cross_entropy(m(x), y), optimizer

    return make


def language(model, config, text, labels):
    def make():
        settings = getattr(transformers, f"{config}Config")(**SIZES[config])
        inputs = [torch.randint(0, 1000, text), torch.randint(0, 1000, labels)]
        return getattr(transformers, model)(settings).train(), inputs, lambda m, x, y: m(input_ids=x, labels=y).loss, ADAMW

    return make


SIZES = {
    "GPT2": dict(n_layer=6),
    "Bert": dict(num_hidden_layers=6),
    "Llama": dict(
        vocab_size=32000, hidden_size=512, num_hidden_layers=8, num_attention_heads=8, num_key_value_heads=4, intermediate_size=1408
    ),
    "T5": dict(num_layers=4, decoder_start_token_id=0),
}


def lstm():
    inputs = [torch.randn(50, 16, 256), torch.randn(50, 16, 256)]
    return nn.LSTM(256, 256, num_layers=2), inputs, lambda m, x, y: F.mse_loss(m(x)[0], y), ADAMW


STEPS = {
    "resnet50": classifier("resnet50", 32, SGD),
    "vit_b_16": classifier("vit_b_16", 16, ADAMW),
    "convnext_tiny": classifier("convnext_tiny", 16, ADAMW),
    "swin_t": classifier("swin_t", 8, ADAMW),
    "gpt2": language("GPT2LMHeadModel", "GPT2", (4, 512), (4, 512)),
    "bert": language("BertForMaskedLM", "Bert", (8, 256), (8, 256)),
    "llama": language("LlamaForCausalLM", "Llama", (4, 512), (4, 512)),
    "t5": language("T5ForConditionalGeneration", "T5", (8, 256), (8, 128)),
    "lstm": lstm,
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:] or STEPS:
        torch.manual_seed(0)
        device = torch_xla.device()
        model, inputs, loss_of, optimizer = STEPS[name]()
        model, inputs = model.to(device), [x.to(device) for x in inputs]
        optimizer = optimizer(model.parameters())
        torch_xla.sync()
        loss = loss_of(model, *inputs)
        loss.backward()
        optimizer.step()
        moments = [v for values in optimizer.state.values() for v in values.values() if torch.is_tensor(v) and v.device.type == "xla"]
        state = [*model.parameters(), *(b for b in model.buffers() if b.dtype.is_floating_point), *moments]
        (folder / f"{name}.mlir").write_text(xm.get_stablehlo([loss, *state]))
        print(name, len(state), "values of state", flush=True)


main()
