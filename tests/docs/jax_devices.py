# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for four devices: what is printed is the same on XLA (XLA_FLAGS=--xla_force_host_platform_device_count=4) and on Echo (ECHO_CPU_DEVICES=4), as
check_jax.py holds it."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

devices = jax.devices()
line, square = Mesh(np.array(devices), ("x",)), Mesh(np.array(devices).reshape(2, 2), ("a", "b"))
numbers = np.arange(48, dtype=np.float32).reshape(8, 6) / 48


def show(name, value):
    print(name, [np.asarray(leaf).astype(np.float64).round(4).tolist() for leaf in jax.tree.leaves(value)])


over = functools.partial(jax.pmap, axis_name="i")
rows = jnp.arange(16.0).reshape(4, 4)
show("mean", over(lambda a: jax.lax.pmean(a, "i"))(rows))
show("largest", over(lambda a: jax.lax.pmax(a, "i"))(rows))
show("shifted", over(lambda a: jax.lax.ppermute(a, "i", [(0, 1), (1, 2), (2, 3)]))(rows))
show("exchanged", over(lambda a: jax.lax.all_to_all(a, "i", 0, 0))(rows))
show("scattered", over(lambda a: jax.lax.psum_scatter(a, "i", tiled=True))(rows))
show("gathered", over(lambda a: jax.lax.all_gather(a, "i"))(rows.astype(jnp.int8)))
show("numbered", over(lambda a: a + jax.lax.axis_index("i"))(jnp.zeros(4)))

show("uneven", over(lambda a: jax.lax.psum(a, "i", axis_index_groups=[[0, 2, 3], [1]]))(rows))

product = jax.shard_map(lambda u, v: jax.lax.psum(u @ v, "b"), mesh=square, in_specs=(P("a", "b"), P("b", None)), out_specs=P("a", None))
show("product", jax.jit(product)(numbers, numbers.T @ numbers))
show("around", jax.jit(lambda a: jnp.tanh(product(2 * a, (a.T @ a)).sum(0)))(numbers))



def inside(a):
    own = jax.shard_map(lambda b: jnp.cumsum(b, 1) + jax.lax.axis_index("b"), mesh=jax.sharding.get_abstract_mesh(), in_specs=P(None, "b"),
                        out_specs=P(None, "b"), axis_names={"b"})
    return jax.lax.psum(own(a), "a")


show("nested", jax.jit(jax.shard_map(inside, mesh=square, in_specs=P("a"), out_specs=P(), axis_names={"a"}))(numbers))
explicit = jax.make_mesh((4,), ("x",), (jax.sharding.AxisType.Explicit,))
with jax.sharding.set_mesh(explicit):
    parts = jax.device_put(numbers, NamedSharding(explicit, P("x")))
    sums = jax.jit(lambda a: jnp.einsum("ab,ac->bc", a, a, out_sharding=P(unreduced={"x"})))(parts)
    print(sums.sharding.spec)
    show("summands", jax.jit(lambda s: jax.sharding.reshard(s, P()))(sums))

cut = jax.device_put(numbers, NamedSharding(square, P("b", "a")))
out = jax.jit(lambda a: (jnp.cumsum(a, 0)[::-1], a.sum()), out_shardings=(NamedSharding(square, P("a", None)), None))(cut)
show("cut", out)
print(out[0].sharding.spec, [shard.data.shape for shard in out[0].addressable_shards])
show("moved", jax.device_put(cut, NamedSharding(line, P(None, None))) + 1)


@functools.partial(jax.jit, donate_argnums=0)
def step(weights, batch):
    def loss_of(weights):
        h = batch
        for w in weights:
            h = jnp.tanh(h @ w)
        return (h * h).mean()
    loss, gradient = jax.value_and_grad(loss_of)(weights)
    return jax.tree.map(lambda w, g: w - 0.5 * g, weights, gradient), loss


def train_by_parts(weights, batch):
    def part(weights, batch):
        def loss_of(weights):
            h, _ = jax.lax.scan(lambda h, w: (jnp.tanh(h @ w), None), batch, weights)
            return (h * h).mean()
        loss, gradient = jax.value_and_grad(loss_of)(weights)
        return weights - 0.5 * jax.lax.pmean(gradient, "x"), jax.lax.pmean(loss, "x")
    return jax.shard_map(part, mesh=line, in_specs=(P(), P("x")), out_specs=(P(), P()), check_vma=False)(weights, batch)


rows_of_devices = jax.device_put(numbers, NamedSharding(line, P("x")))
out = jax.jit(lambda a: jnp.tanh(a) * 2)(rows_of_devices)
show("doubled", out)
print(out.sharding.spec)
out = jax.jit(lambda a, w: (a @ w).mean(0))(rows_of_devices, numbers[:6])
show("averaged", out)
print(out.sharding.spec)

weights = jax.device_put([np.eye(6, dtype=np.float32)] * 2, NamedSharding(line, P()))
stacked = jnp.stack([jnp.eye(6)] * 3)
by_parts = jax.jit(train_by_parts, donate_argnums=0)
for _ in range(3):
    weights, loss = step(weights, rows_of_devices)
    stacked, loss_by_parts = by_parts(stacked, rows_of_devices)
    show("losses", (loss, loss_by_parts))


# Weights along one axis, the batch along the other; the state of the optimizer as the weights are cut.
other = Mesh(np.array(devices)[[2, 0, 3, 1]].reshape(2, 2), ("a", "b"))
places = {"up": NamedSharding(square, P("a", "b")), "down": NamedSharding(square, P("b", "a")), "table": NamedSharding(square, P("b"))}


@functools.partial(jax.jit, out_shardings=places)
def begin(key):
    keys = jax.random.split(key, 3)
    return {name: jax.random.normal(k, shape) / 4 for (name, shape), k in zip({"up": (8, 12), "down": (12, 8), "table": (6, 8)}.items(), keys)}


@functools.partial(jax.jit, donate_argnums=(0, 1), out_shardings=(places, places, None))
def cut_step(weights, moments, ids, key):
    def loss_of(weights):
        x = weights["table"][ids]
        x = jax.lax.with_sharding_constraint(x, NamedSharding(square, P("a")))
        h = jax.nn.gelu(x @ weights["up"]) * jax.random.bernoulli(key, 0.9, (*ids.shape, 12))
        y = x + h @ weights["down"]
        scores = jax.nn.log_softmax(y @ weights["table"].T)
        return -jnp.take_along_axis(scores, ids[..., None], -1).mean()
    loss, gradient = jax.value_and_grad(loss_of)(weights)
    norm = jnp.sqrt(sum((g * g).sum() for g in jax.tree.leaves(gradient)))
    moments = jax.tree.map(lambda m, g: 0.9 * m + g / jnp.maximum(norm, 1), moments, gradient)
    return jax.tree.map(lambda w, m: w - 0.1 * m, weights, moments), moments, (loss, norm)


weights = begin(jax.random.PRNGKey(0))
moments = jax.tree.map(jnp.zeros_like, weights)
ids = jax.device_put(np.arange(32).reshape(8, 4) % 6, NamedSharding(square, P("a")))
for i in range(3):
    weights, moments, facts = cut_step(weights, moments, ids, jax.random.PRNGKey(i))
    show("cut step", facts)
show("cut weights", weights)
print({name: weight.sharding.spec for name, weight in weights.items()})

moved = jax.device_put(cut, NamedSharding(other, P("a", "b")))
show("other order", jax.jit(lambda a: (a * 2, a.T @ a, a[::-1, ::2]))(moved))
show("uneven", jax.jit(lambda a: jax.lax.with_sharding_constraint(a[:7, :5], NamedSharding(square, P("a", "b"))) * 2)(cut))
show("sorted", jax.jit(lambda a: (jnp.sort(a, 0), jnp.cumsum(a, 1), jnp.roll(a, 1, 0), a.reshape(2, 4, 6).transpose(1, 0, 2).reshape(-1)))(cut))


# A table by its rows, along the axis that cuts the batch or the other: looked up, trained, written into.
def scores_of(table, ids, words):
    return -jnp.take_along_axis(jax.nn.log_softmax(jnp.tanh(table[ids]) @ table.T), words[..., None], -1).mean()


words = np.arange(48, dtype=np.int32).reshape(8, 6) * 5 % 16
for spec in (P("a"), P("b"), P(("b", "a")), P("a", "b")):
    place = NamedSharding(square, spec)
    table = jax.device_put(np.cos(np.arange(128, dtype=np.float32)).reshape(16, 8), place)
    ids = jax.device_put(words, NamedSharding(square, P("a")))
    show("table", jax.jit(jax.value_and_grad(scores_of), out_shardings=(None, place))(table, ids, ids))
    show("rows", jax.jit(lambda t, i: (t[i[0, 1]], t.at[i[0]].set(1.0), t.at[i[1], 2].max(3.0), jnp.take(t, i - 9, 0)), out_shardings=None)(table, ids))

# Places change, in one dimension or between two; slices and paddings in whole blocks, and not.
specs = (P("a"), P("b"), P(None, "b"), P("a", "b"), P("b", "a"), P(("a", "b")), P(("b", "a")), P(None, ("a", "b")))
square_numbers = np.arange(128, dtype=np.float32).reshape(16, 8)
for before in specs:
    there = jax.device_put(square_numbers, NamedSharding(square, before))
    out = [jax.jit(lambda a: a * 2, out_shardings=NamedSharding(square, after))(there) for after in specs]
    print(before, [bool((np.asarray(a) == 2 * square_numbers).all()) for a in out])
    show("moved", jax.jit(lambda a: (a[8:], a[1::2, ::2], jnp.pad(a, ((8, 8), (1, 0))).sum(1), jnp.concatenate([a, a[:8], a]), a[1:-1].sum()))(there))
empty = jax.device_put(np.zeros((0, 8), np.float32), NamedSharding(square, P("a", "b")))
print([part.shape for part in jax.jit(lambda a: (a * 2, a.T.reshape(4, 0, 2), jnp.concatenate([a, a]), a[:, ::2], a.sum(0)))(empty)])

# Values that are to lie alike; a function that says itself how it is partitioned.
from jax.experimental.custom_partitioning import custom_partitioning  # noqa: E402
from jax.experimental.shard_alike import shard_alike  # noqa: E402

like = jax.jit(lambda a: shard_alike(a, jnp.arange(48.0).reshape(8, 6))[1])(jax.device_put(numbers, NamedSharding(square, P("a", "b"))))
print(like.sharding.spec, np.asarray(like).sum())
turned = custom_partitioning(lambda a: jnp.sin(a).T)
turned.def_partition(
    lambda mesh, arguments, result: (mesh, lambda a: jnp.sin(a).T, NamedSharding(mesh, P("b", "a")), (NamedSharding(mesh, P("a", "b")),)),
    sharding_rule="i j -> j i",
)
show("own partition", jax.jit(lambda a: turned(a) + 1, out_shardings=NamedSharding(square, P("b", "a")))(cut))

# What shard_map is lowered to where Shardy is off.
jax.config.update("jax_use_shardy_partitioner", False)
show("calls", jax.jit(jax.value_and_grad(lambda a: product(jnp.tanh(a), a.T @ a).mean()))(numbers))
show("turned", jax.jit(jax.shard_map(lambda a: jax.lax.ppermute(a, "b", [(0, 1), (1, 0)]) + jax.lax.axis_index("a"), mesh=square, in_specs=P("a", "b"), out_specs=P("a", "b")))(cut))

# Callbacks of a jit for many devices are one device's; those of a shard_map, each device's.
from jax.experimental import io_callback  # noqa: E402

seen = []


def note(a):
    seen.append(np.asarray(a).round(4).tolist())
    return np.float32(len(seen))


@jax.jit
def tell(a):
    first = io_callback(note, jax.ShapeDtypeStruct((), jnp.float32), a, ordered=True)
    second = io_callback(note, jax.ShapeDtypeStruct((), jnp.float32), a.sum(), ordered=True)
    jax.debug.print("largest {:.3f}", a.max())

    def more(carry, factor):
        return carry * factor, io_callback(note, jax.ShapeDtypeStruct((), jnp.float32), carry[0], ordered=True)

    last, counts = jax.lax.scan(more, a, jnp.arange(3.0))
    return first + second * a, last, counts, jax.pure_callback(np.sin, jax.ShapeDtypeStruct(a.shape, a.dtype), a)


show("told", tell(rows_of_devices))
jax.effects_barrier()
print(seen)
seen.clear()
show("each told", jax.jit(jax.shard_map(lambda a: a + 0 * io_callback(note, jax.ShapeDtypeStruct((), jnp.float32), a), mesh=line, in_specs=P("x"), out_specs=P("x")))(rows_of_devices))
jax.effects_barrier()
print(sorted(seen))


def fail(a):
    raise ValueError("said in Python")


for ordered in (False, True):
    try:
        out = jax.jit(lambda a: (io_callback(fail, None, a, ordered=ordered), a + 1)[1])(rows_of_devices)
        out.block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        print("said in Python" in str(error))
    try:
        jax.effects_barrier()
    except jax.errors.JaxRuntimeError as error:
        print("said in Python" in str(error))

# Exported for one device, and for a CPU.
on_one = Mesh(np.array(devices[:1]), ("x",))
of_one = export.export(jax.jit(lambda a: jnp.sum(jax.lax.with_sharding_constraint(a, NamedSharding(on_one, P("x"))) ** 2, axis=0)))(numbers)
show("exported for one device", of_one.call(jax.device_put(numbers, NamedSharding(Mesh(np.array(devices), ("i",)), P("i")))))
of_a_cpu = export.export(jax.jit(lambda a: jnp.linalg.svd(a)[1]), platforms=["cpu", "tpu"])(numbers)
show("exported for a CPU", jax.jit(of_a_cpu.call)(numbers))
