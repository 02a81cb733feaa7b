# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loss heads as JAX programs write them: run.py plans and checks each, over tokens in any number of dimensions.

A head takes the parameters it names and a batch: features x, labels y, a mask m. V words, D features. It returns the loss
and whatever else the step returns.
"""
import inspect

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax import lax

HEADS = {}
integer_labels = optax.softmax_cross_entropy_with_integer_labels


def head(function):
    HEADS[function.__name__] = function
    return function


def names_in(function, names):
    """Those of the names that the head's text reads."""
    text = inspect.getsource(function)
    return [name for name in names if f'["{name}"]' in text or (name in ("w", "w1") and "logits(" in text) or
            (name in ("w1", "x") and ("features(" in text or "logits(" in text))]


def features(p, b):
    return jnp.tanh(b["x"] @ p["w1"])


def logits(p, b):
    return features(p, b) @ p["w"]


@head
def optax_integer_labels(p, b):
    return integer_labels(logits(p, b), b["y"]).mean(), None


@head
def optax_one_hot(p, b):
    l = logits(p, b)
    return optax.softmax_cross_entropy(l, jax.nn.one_hot(b["y"], l.shape[-1])).mean(), None


@head
def log_softmax_gather(p, b):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits(p, b)), b["y"][..., None], -1).mean(), None


@head
def masked_bias(p, b):
    mask = b["m"].astype(jnp.float32)
    return (integer_labels(logits(p, b) + p["b"], b["y"]) * mask).sum() / mask.sum(), None


@head
def where_mask(p, b):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits(p, b) + p["b"]), b["y"][..., None], -1)[..., 0]
    return jnp.where(b["m"], -picked, 0.0).sum() / jnp.maximum(b["m"].sum(), 1), None


@head
def torch_nll_ignore_index(p, b):
    l = logits(p, b)
    l, y = l.reshape(-1, l.shape[-1]), jnp.where(b["m"], b["y"], -100).reshape(-1)
    valid = y != -100
    picked = jnp.take_along_axis(jax.nn.log_softmax(l, axis=1), jnp.where(valid, y, 0)[:, None], 1)[:, 0]
    return jnp.where(valid, -picked, 0.0).sum() / valid.sum(), None


@head
def arange_index(p, b):
    l = logits(p, b)
    y = b["y"].reshape(-1)
    return -jax.nn.log_softmax(l.reshape(-1, l.shape[-1]))[jnp.arange(y.shape[0]), y].mean(), None


@head
def arange_index_each_dimension(p, b):
    at = jnp.meshgrid(*[jnp.arange(n) for n in b["y"].shape], indexing="ij")
    return -jax.nn.log_softmax(logits(p, b))[(*at, b["y"])].mean(), None


@head
def label_smoothing(p, b):
    l = logits(p, b)
    return optax.softmax_cross_entropy(l, optax.smooth_labels(jax.nn.one_hot(b["y"], l.shape[-1]), 0.1)).mean(), None


@head
def label_smoothing_by_hand(p, b):
    l = jax.nn.log_softmax(logits(p, b) + p["b"])
    return -(l * (jax.nn.one_hot(b["y"], l.shape[-1]) * 0.9 + 0.1 / l.shape[-1])).sum() / b["y"].size, None


@head
def tied_embedding(p, b):
    table = p["w"].T
    h = jnp.tanh((table[b["y"]] + b["x"]) @ p["w1"])
    return integer_labels(h @ table.T, b["y"]).mean(), None


@head
def einsum_bte_ve(p, b):
    return integer_labels(jnp.einsum("...e,ve->...v", features(p, b), p["wt"]), b["y"]).mean(), None


@head
def einsum_ve_bte(p, b):
    return integer_labels(jnp.einsum("ve,...e->...v", p["wt"], features(p, b)), b["y"]).mean(), None


@head
def dot_general_compare(p, b):
    h = features(p, b)
    l = lax.dot_general(h, p["w"], (((h.ndim - 1,), (0,)), ((), ())))
    picked = jnp.sum(jnp.where(jnp.arange(l.shape[-1]) == b["y"][..., None], l, 0), -1)
    return (jax.nn.logsumexp(l, -1) - picked).mean(), None


@head
def flat_features(p, b):
    h = features(p, b)
    l = (h.reshape(-1, h.shape[-1]) @ p["w"]).reshape(*h.shape[:-1], -1)
    return integer_labels(l, b["y"]).mean(), None


@head
def accuracy_and_perplexity(p, b):
    l = logits(p, b)
    loss = integer_labels(l, b["y"]).mean()
    return loss, {"accuracy": (jnp.argmax(l, -1) == b["y"]).mean(), "perplexity": jnp.exp(loss)}


@head
def top_5_accuracy(p, b):
    l = logits(p, b)
    loss = integer_labels(l, b["y"]).mean()
    return loss, {"accuracy": (lax.top_k(l, 5)[1] == b["y"][..., None]).any(-1).mean()}


@head
def flax_dense_accuracy(p, b):
    l = nn.Dense(p["w"].shape[1]).apply({"params": {"kernel": p["w"], "bias": p["b"]}}, features(p, b))
    return integer_labels(l, b["y"]).mean(), {"accuracy": (l.argmax(-1) == b["y"]).mean()}


@head
def z_loss(p, b):
    l = logits(p, b)
    z = jax.nn.logsumexp(l, -1)
    picked = jnp.take_along_axis(l, b["y"][..., None], -1)[..., 0]
    return (z - picked).mean() + 1e-4 * (z ** 2).mean(), {"z": (z ** 2).mean()}


@head
def softcap(p, b):
    return integer_labels(30 * jnp.tanh(logits(p, b) / 30), b["y"]).mean(), None


@head
def bf16_logits(p, b):
    l = features(p, b).astype(jnp.bfloat16) @ p["w"].astype(jnp.bfloat16)
    return integer_labels(l.astype(jnp.float32), b["y"]).mean(), None


@head
def mean_by_sequence(p, b):
    mask = b["m"].astype(jnp.float32)
    return ((integer_labels(logits(p, b), b["y"]) * mask).sum(-1) / mask.sum(-1)).mean(), None


@head
def padded_words_cut(p, b):
    return integer_labels(logits(p, b)[..., :-7], b["y"]).mean(), None


@head
def padded_words_masked(p, b):
    l = logits(p, b)
    return integer_labels(jnp.where(jnp.arange(l.shape[-1]) < l.shape[-1] - 7, l, -1e9), b["y"]).mean(), None


@head
def checkpointed(p, b):
    def loss(w, h):
        return integer_labels(h @ w, b["y"]).mean()
    return jax.checkpoint(loss)(p["w"], features(p, b)), None


@head
def focal(p, b):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits(p, b)), b["y"][..., None], -1)[..., 0]
    return (-(1 - jnp.exp(picked)) ** 2 * picked).mean(), None


@head
def distilled(p, b):
    teacher = jax.nn.softmax(lax.stop_gradient(b["x"] @ p["wt"].T))
    return optax.softmax_cross_entropy(logits(p, b), teacher).mean(), None
