# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of models that are published as repositories, not as packages: ECHO_CHECKOUTS names a folder with checkouts of them, each by
the repository's name. As in steps.py; each model is imported from its checkout as it is, and trained by the loss that the repository has."""
import os
import pathlib
import sys
import types

import jax
import jax.numpy as jnp
import optax

from steps import cross_entropy, labels, normal, pick, plain_step, step


def import_from(repository):
    folder = pathlib.Path(os.environ.get("ECHO_CHECKOUTS", "")) / repository.split("/")[1]
    if "ECHO_CHECKOUTS" not in os.environ or not folder.is_dir():
        sys.exit(f"no checkout of github.com/{repository}: ECHO_CHECKOUTS names the folder that has it")
    sys.path.insert(0, str(folder))


def clipped_adamw():
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))


def nanodo_step(size, checkpoint, remat, dtype):
    import_from("google-deepmind/nanodo")
    from nanodo import model
    n, length, width, layers, words = pick(size, (2, 128, 64, 2, 256), (8, 1024, 512, 8, 32101))
    config = model.DoConfig(D=width, H=width // 64 or 1, L=length, N=layers, V=words, F=4 * width, remat=remat, fsdp_enabled=False,
                            dtype=jnp.dtype(dtype))
    net, tokens, optimizer = model.TransformerDo(config), labels(words, n, length), clipped_adamw()
    params = net.init(jax.random.PRNGKey(0), tokens[:1])

    def loss_of(params, tokens):
        return cross_entropy(net.apply(params, tokens)[:, :-1].astype(jnp.float32), tokens[:, 1:])
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), tokens), (0, 1)


@step
def nanodo(size, checkpoint):
    return nanodo_step(size, checkpoint, False, "float32")


@step
def nanodo_remat(size, checkpoint):
    return nanodo_step(size, checkpoint, True, "bfloat16")


@step
def diffusion_transformer(size, checkpoint):
    """Flow matching with a DiT-B/2."""
    import_from("kvfrans/jax-diffusion-transformer")
    import diffusion_transformer as published
    n, side, width, depth, classes = pick(size, (2, 16, 64, 2, 10), (16, 32, 768, 12, 1000))
    net = published.DiT(patch_size=2, hidden_size=width, depth=depth, num_heads=width // 64 or 1, mlp_ratio=4.0, class_dropout_prob=0.1, num_classes=classes)
    images, times, names, key = normal(n, side, side, 4), abs(normal(n)) % 1, labels(classes, n), jax.random.PRNGKey(1)
    params, optimizer = net.init({"params": key, "label_dropout": key}, images, times, names), clipped_adamw()

    def loss_of(params, images, times, names, key):
        noise, t = jax.random.normal(key, images.shape), times[:, None, None, None]
        found = net.apply(params, images * (1 - t) + noise * t, times, names, train=True, rngs={"label_dropout": key})
        return ((found - (noise - images)) ** 2).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), images, times, names, key), (0, 1)


def vit_step(size, checkpoint, **options):
    import_from("google-research/big_vision")
    sys.modules.setdefault("big_vision.utils", types.ModuleType("big_vision.utils"))  # of which the model needs nothing
    from big_vision.models import vit
    n, side, width, depth, classes = pick(size, (2, 64, 64, 2, 10), (32, 224, 384, 12, 1000))
    net = vit._Model(num_classes=classes, patch_size=(16, 16), width=width, depth=depth, num_heads=width // 64 or 1, **options)
    images, wanted, key = normal(n, side, side, 3), (labels(classes, n)[:, None] == jnp.arange(classes)).astype(jnp.float32), jax.random.PRNGKey(1)
    params, optimizer = net.init(key, images[:1]), clipped_adamw()

    def loss_of(params, images, wanted, key):
        logits = net.apply(params, images, train=True, rngs={"dropout": key})[0]
        return optax.sigmoid_binary_cross_entropy(logits, wanted).sum(-1).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), images, wanted, key), (0, 1)


@step
def big_vision_vit(size, checkpoint):
    return vit_step(size, checkpoint, pool_type="map", dropout=0.1)


@step
def big_vision_vit_scan(size, checkpoint):
    """Layers in a scan, each recomputed whole."""
    return vit_step(size, checkpoint, scan=True)


@step
def big_vision_vit_scan_dots(size, checkpoint):
    """Layers in a scan, contractions kept, with dropout."""
    return vit_step(size, checkpoint, scan=True, remat_policy="dots_with_no_batch_dims_saveable", dropout=0.1)


@step
def palm(size, checkpoint):
    import_from("lucidrains/PaLM-jax")
    import equinox
    from palm_jax.palm import PaLM
    n, length, width, depth, words = pick(size, (2, 64, 64, 2, 256), (4, 1024, 512, 12, 20000))
    net = PaLM(num_tokens=words, dim=width, dim_head=64, depth=depth, heads=width // 64 or 1, key=jax.random.PRNGKey(0))
    params, static = equinox.partition(net, equinox.is_inexact_array)
    optimizer = clipped_adamw()

    def loss_of(params, tokens):
        return cross_entropy(jax.vmap(equinox.combine(params, static))(tokens[:, :-1]), tokens[:, 1:])
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), labels(words, n, length + 1)), (0, 1)


@step
def annotated_s4(size, checkpoint):
    """State spaces by Fourier transforms of complex numbers."""
    import_from("srush/annotated-s4")
    sys.modules.setdefault("s4.dss", types.ModuleType("s4.dss"))
    from s4 import s4
    n, length, width, depth, states = pick(size, (2, 64, 16, 2, 16), (8, 1024, 256, 4, 64))
    net = s4.BatchStackedModel(layer_cls=s4.S4Layer, layer={"N": states, "l_max": length}, d_output=10, d_model=width, n_layers=depth,
                               classification=True, dropout=0.1)
    x, y, key = normal(n, length, 1), labels(10, n), jax.random.PRNGKey(1)
    params, optimizer = {"params": net.init({"params": key, "dropout": key}, x)["params"]}, optax.adam(1e-3)

    def loss_of(params, x, y, key):
        return -jnp.take_along_axis(net.apply(params, x, rngs={"dropout": key}), y[:, None], -1).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), x, y, key), (0, 1)
