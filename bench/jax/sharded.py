# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps for eight devices, each in the form of the library or the paper that it is named for, on whatever platform there is: sharded.py [NAME ...].

    JAX_PLATFORMS=echo ECHO_CPU_DEVICES=8 python sharded.py
    JAX_PLATFORMS=cpu XLA_FLAGS=--xla_force_host_platform_device_count=8 python sharded.py

A line of bench/results/jax.md each: the first and the eighth loss, temporaries and arguments of one device (-: the step is compiled inside of a library).
"""

import functools
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

devs = np.array(jax.devices())
key = jax.random.PRNGKey(0)


def report(name, compiled, run, n=8):
    losses = [float(run(i)) for i in range(n)]
    memory = compiled.memory_analysis() if compiled is not None else None
    sizes = (memory.temp_size_in_bytes, memory.argument_size_in_bytes) if memory is not None else ("-", "-")
    print(f"| {name} | {losses[0]:.6f} | {losses[-1]:.6f} | {sizes[0]} | {sizes[1]} |", flush=True)


def tok(B, T, V):
    return np.asarray(jax.random.randint(jax.random.PRNGKey(7), (B, T), 0, V))


def nnx_fsdp():
    from flax import nnx

    mesh = Mesh(devs.reshape(2, 4), ("data", "model"))

    class Block(nnx.Module):
        def __init__(self, d, rngs):
            init = nnx.initializers.lecun_normal()
            self.l1 = nnx.Linear(
                d,
                4 * d,
                rngs=rngs,
                kernel_init=nnx.with_partitioning(init, (None, "model")),
                bias_init=nnx.with_partitioning(nnx.initializers.zeros_init(), ("model",)),
            )
            self.l2 = nnx.Linear(4 * d, d, rngs=rngs, kernel_init=nnx.with_partitioning(init, ("model", None)))
            self.norm = nnx.LayerNorm(d, rngs=rngs)
            self.drop = nnx.Dropout(0.1, rngs=rngs)

        def __call__(self, x):
            return x + self.drop(self.l2(nnx.gelu(self.l1(self.norm(x)))))

    class Model(nnx.Module):
        def __init__(self, d, n, rngs):
            self.blocks = nnx.List([Block(d, rngs) for _ in range(n)])
            self.out = nnx.Linear(d, 8, rngs=rngs)

        def __call__(self, x):
            for b in self.blocks:
                x = b(x)
            return self.out(x)

    @nnx.jit
    def create():
        model = Model(64, 3, nnx.Rngs(0))
        optimizer = nnx.Optimizer(model, optax.adamw(1e-3), wrt=nnx.Param)
        state = nnx.state((model, optimizer))
        specs = nnx.get_partition_spec(state)
        nnx.update((model, optimizer), jax.lax.with_sharding_constraint(state, specs))
        return model, optimizer

    with jax.set_mesh(mesh):
        model, optimizer = create()

        @nnx.jit
        def step(model, optimizer, x, y):
            def loss_fn(m):
                return ((m(x) - y) ** 2).mean()

            loss, g = nnx.value_and_grad(loss_fn)(model)
            optimizer.update(model, g)
            return loss

        s = NamedSharding(mesh, P("data"))
        x = jax.device_put(np.asarray(jax.random.normal(key, (64, 64))), s)
        y = jax.device_put(np.asarray(jax.random.normal(key, (64, 8))), s)
        report("nnx_fsdp", None, lambda i: step(model, optimizer, x, y))


def linen_logical():
    import flax.linen as nn
    from flax.training import train_state

    mesh = Mesh(devs.reshape(4, 2), ("data", "model"))
    rules = (("batch", "data"), ("hidden", "model"), ("embed", None), ("vocab", "model"))

    class M(nn.Module):
        @nn.compact
        def __call__(self, t):
            x = nn.Embed(96, 32, embedding_init=nn.with_logical_partitioning(nn.initializers.normal(0.02), ("vocab", "embed")))(t)
            for _ in range(2):
                h = nn.LayerNorm()(x)
                q = nn.SelfAttention(4, kernel_init=nn.initializers.lecun_normal())(h)
                x = x + q
                h = nn.Dense(128, kernel_init=nn.with_logical_partitioning(nn.initializers.lecun_normal(), ("embed", "hidden")))(nn.LayerNorm()(x))
                h = nn.with_logical_constraint(nn.gelu(h), ("batch", None, "hidden"))
                x = x + nn.Dense(32, kernel_init=nn.with_logical_partitioning(nn.initializers.lecun_normal(), ("hidden", "embed")))(h)
            return nn.Dense(96, kernel_init=nn.with_logical_partitioning(nn.initializers.lecun_normal(), ("embed", "vocab")))(nn.LayerNorm()(x))

    model = M()
    t = tok(16, 24, 96)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 3e-3, 4, 20)))

    def init(k, t):
        return train_state.TrainState.create(apply_fn=model.apply, params=model.init(k, t)["params"], tx=tx)

    with mesh, nn.logical_axis_rules(rules):
        abstract = jax.eval_shape(init, key, t)
        sh = nn.logical_to_mesh_sharding(nn.get_partition_spec(abstract), mesh, rules)
        bs = NamedSharding(mesh, P("data", None))
        state = jax.jit(init, in_shardings=(NamedSharding(mesh, P()), bs), out_shardings=sh)(key, t)

        def step(state, t):
            def loss(p):
                l = state.apply_fn({"params": p}, t[:, :-1])
                return optax.softmax_cross_entropy_with_integer_labels(l, t[:, 1:]).mean()

            v, g = jax.value_and_grad(loss)(state.params)
            return state.apply_gradients(grads=g), v

        f = jax.jit(step, in_shardings=(sh, bs), out_shardings=(sh, NamedSharding(mesh, P())), donate_argnums=0)
        td = jax.device_put(t, bs)
        c = f.lower(state, td).compile()
        box = [state]

        def run(i):
            box[0], v = c(box[0], td)
            return v

        report("linen_logical", c, run)


def equinox_dp():
    import equinox as eqx

    mesh = Mesh(devs, ("x",))
    shard = NamedSharding(mesh, P("x"))
    rep = NamedSharding(mesh, P())
    model = eqx.nn.MLP(32, 4, 128, 3, key=key)
    opt = optax.adamw(1e-3)
    st = opt.init(eqx.filter(model, eqx.is_inexact_array))
    X = jax.random.normal(key, (256, 32))
    Y = jnp.sin(X[:, :4])

    @eqx.filter_jit(donate="all")
    def step(model, st, x, y):
        model, st = eqx.filter_shard((model, st), rep)
        x, y = eqx.filter_shard((x, y), shard)
        v, g = eqx.filter_value_and_grad(lambda m: ((jax.vmap(m)(x) - y) ** 2).mean())(model)
        u, st = opt.update(g, st, eqx.filter(model, eqx.is_inexact_array))
        return eqx.filter_shard((eqx.apply_updates(model, u), st), rep) + (v,)

    model, st = eqx.filter_shard((model, st), rep)
    box = [model, st]

    def run(i):
        x, y = eqx.filter_shard((X + 0, Y + 0), shard)
        box[0], box[1], v = step(box[0], box[1], x, y)
        return v

    report("equinox_dp", None, run)


def lm_params(k, L, D, F, V, H):
    ks = jax.random.split(k, 8)
    n = lambda k, *s: jax.random.normal(k, s) * D**-0.5
    return dict(
        embed=n(ks[0], V, D) * 0.3,
        q=n(ks[1], L, D, H, D // H),
        k=n(ks[2], L, D, H // 2, D // H),
        v=n(ks[3], L, D, H // 2, D // H),
        o=n(ks[4], L, H, D // H, D),
        wi=n(ks[5], L, D, 2, F),
        wo=n(ks[6], L, F, D),
        n1=jnp.ones((L, D)),
        n2=jnp.ones((L, D)),
        nf=jnp.ones(D),
        head=n(ks[7], D, V),
    )


def rms(x, w):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * w


def rope(x):
    T, d = x.shape[1], x.shape[-1]
    a = jnp.arange(T)[:, None] * (1e4 ** (-jnp.arange(0, d, 2) / d))
    c, s = jnp.cos(a)[:, None], jnp.sin(a)[:, None]
    x1, x2 = jnp.split(x, 2, -1)
    return jnp.concatenate([x1 * c - x2 * s, x2 * c + x1 * s], -1)


def layer(x, w, con):
    h = rms(x, w["n1"])
    q = rope(jnp.einsum("btd,dhk->bthk", h, w["q"]))
    k = rope(jnp.einsum("btd,dhk->bthk", h, w["k"]))
    v = jnp.einsum("btd,dhk->bthk", h, w["v"])
    q = con(q, "heads")
    B, T, H, K = q.shape
    q = q.reshape(B, T, H // 2, 2, K)
    s = jnp.einsum("bthgk,bshk->bhgts", q, k) * K**-0.5
    s = jnp.where(jnp.tril(jnp.ones((T, T), bool)), s, -1e9)
    a = jnp.einsum("bhgts,bshk->bthgk", jax.nn.softmax(s, -1), v).reshape(B, T, H, K)
    x = con(x + jnp.einsum("bthk,hkd->btd", a, w["o"]), "act")
    h = jnp.einsum("btd,dgf->btgf", rms(x, w["n2"]), w["wi"])
    return con(x + jnp.einsum("btf,fd->btd", con(jax.nn.silu(h[:, :, 0]) * h[:, :, 1], "mlp"), w["wo"]), "act")


def lm_loss(p, t, con, remat=None):
    x = con(p["embed"][t[:, :-1]], "act")
    body = lambda x, w: (layer(x, w, con), None)
    if remat is not None:
        body = jax.checkpoint(body, policy=remat, prevent_cse=False)
    x, _ = jax.lax.scan(body, x, {k: p[k] for k in ("q", "k", "v", "o", "wi", "wo", "n1", "n2")})
    l = con(rms(x, p["nf"]) @ p["head"], "logits")
    return optax.softmax_cross_entropy_with_integer_labels(l, t[:, 1:]).mean()


def train_lm(name, mesh, specs, cons, batch, accumulate=1, remat=None, opt_specs=None, B=16):
    p = lm_params(key, 4, 32, 64, 128, 4)
    con = lambda x, n: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, cons[n])) if n in cons else x
    tx = optax.adamw(1e-3)
    sh = lambda s: jax.tree.map(lambda s: NamedSharding(mesh, s), s, is_leaf=lambda s: isinstance(s, P))
    psh = sh(specs)
    osh_p = sh(opt_specs or specs)
    st = jax.eval_shape(tx.init, p)
    osh = optax.tree_utils.tree_map_params(tx, lambda _, s: s, st, osh_p, transform_non_params=lambda _: NamedSharding(mesh, P()))
    p = jax.device_put(p, psh)
    st = jax.jit(tx.init, out_shardings=osh)(p)
    t = jax.device_put(tok(B, 17, 128), NamedSharding(mesh, batch))

    def step(p, st, t):
        if accumulate == 1:
            v, g = jax.value_and_grad(lm_loss)(p, t, con, remat)
        else:
            tt = t.reshape(accumulate, -1, t.shape[-1])
            tt = jax.lax.with_sharding_constraint(tt, NamedSharding(mesh, P(None, *batch)))

            def one(c, t):
                v, g = jax.value_and_grad(lm_loss)(p, t, con, remat)
                return jax.tree.map(jnp.add, c, (v, g)), None

            (v, g), _ = jax.lax.scan(one, (0.0, jax.tree.map(jnp.zeros_like, p)), tt)
            v, g = jax.tree.map(lambda x: x / accumulate, (v, g))
        u, st = tx.update(g, st, p)
        return optax.apply_updates(p, u), st, v

    f = jax.jit(step, donate_argnums=(0, 1), out_shardings=(psh, osh, NamedSharding(mesh, P())))
    c = f.lower(p, st, t).compile()
    box = [p, st]

    def run(i):
        box[0], box[1], v = c(box[0], box[1], t)
        return v

    report(name, c, run)


def levanter_fsdp():
    d = "data"
    specs = dict(
        embed=P(None, d),
        q=P(None, d),
        k=P(None, d),
        v=P(None, d),
        o=P(None, None, None, d),
        wi=P(None, d),
        wo=P(None, None, d),
        n1=P(None, d),
        n2=P(None, d),
        nf=P(d),
        head=P(d),
    )
    train_lm(
        "levanter_fsdp",
        Mesh(devs, (d,)),
        specs,
        dict(act=P(d), mlp=P(d), heads=P(d), logits=P(d)),
        P(d),
        remat=jax.checkpoint_policies.nothing_saveable,
    )


def maxtext():
    mesh = Mesh(devs.reshape(2, 2, 2), ("data", "fsdp", "tensor"))
    b = ("data", "fsdp")
    specs = dict(
        embed=P("tensor", "fsdp"),
        q=P(None, "fsdp", "tensor"),
        k=P(None, "fsdp", "tensor"),
        v=P(None, "fsdp", "tensor"),
        o=P(None, "tensor", None, "fsdp"),
        wi=P(None, "fsdp", None, "tensor"),
        wo=P(None, "tensor", "fsdp"),
        n1=P(None, "tensor"),
        n2=P(None, "tensor"),
        nf=P("tensor"),
        head=P("fsdp", "tensor"),
    )
    train_lm(
        "maxtext",
        mesh,
        specs,
        dict(act=P(b), mlp=P(b, None, "tensor"), heads=P(b, None, "tensor"), logits=P(b, None, "tensor")),
        P(b),
        accumulate=2,
        remat=jax.checkpoint_policies.dots_with_no_batch_dims_saveable,
    )


def zero1():
    d = "d"
    rep = P()
    names = "embed q k v o wi wo n1 n2 nf head".split()
    osp = dict(
        embed=P(d),
        q=P(None, d),
        k=P(None, d),
        v=P(None, d),
        o=P(None, None, d),
        wi=P(None, d),
        wo=P(None, d),
        n1=P(None, d),
        n2=P(None, d),
        nf=P(d),
        head=P(d),
    )
    train_lm("zero1", Mesh(devs, (d,)), {n: rep for n in names}, {}, P(d), opt_specs=osp)


def sequence():
    mesh = Mesh(devs.reshape(2, 4), ("d", "t"))
    names = "embed q k v o wi wo n1 n2 nf head".split()
    specs = {n: P() for n in names} | dict(
        embed=P("t"), q=P(None, None, "t"), o=P(None, "t"), wi=P(None, None, None, "t"), wo=P(None, "t"), head=P(None, "t")
    )
    train_lm("sequence", mesh, specs, dict(act=P("d", "t"), mlp=P("d", None, "t"), heads=P("d", None, "t"), logits=P("d", None, "t")), P("d"))


def layers():  # stacked weights cut along layers
    mesh = Mesh(devs.reshape(2, 4), ("d", "l"))
    names = "q k v o wi wo n1 n2".split()
    specs = {n: P("l") for n in names} | dict(embed=P("l"), nf=P(), head=P(None, "l"))
    train_lm("layers", mesh, specs, dict(act=P("d")), P("d"))


def shmap_fsdp_tp():
    mesh = Mesh(devs.reshape(4, 2), ("b", "f"))
    p = [(jax.random.normal(k, (64, 64)) * 0.15, jnp.zeros(64)) for k in jax.random.split(key, 4)]
    p = jax.device_put(p, NamedSharding(mesh, P("f")))
    X = jax.device_put(np.asarray(jax.random.normal(key, (64, 64))), NamedSharding(mesh, P("b", "f")))
    Y = jax.device_put(np.asarray(jnp.sin(jax.random.normal(key, (64, 64)))), NamedSharding(mesh, P("b", "f")))

    def predict(ps, x):
        for w, b in ps:
            xf = jax.lax.psum_scatter(x @ w, "f", scatter_dimension=1, tiled=True)
            x = jax.nn.relu(xf + b)
        return x

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("f"), P("b", "f"), P("b", "f")), out_specs=P())
    def loss(ps, x, y):
        return jax.lax.pmean(jax.lax.psum(jnp.sum((predict(ps, x) - y) ** 2, -1), "f").mean(), "b")

    tx = optax.sgd(1e-2, momentum=0.9)
    st = tx.init(p)

    def step(p, st):
        v, g = jax.value_and_grad(loss)(p, X, Y)
        u, st = tx.update(g, st)
        return optax.apply_updates(p, u), st, v

    c = jax.jit(step, donate_argnums=(0, 1)).lower(p, st).compile()
    box = [p, st]

    def run(i):
        box[0], box[1], v = c(*box)
        return v

    report("shmap_fsdp_tp", c, run)


def moe():
    mesh = Mesh(devs, ("e",))
    E, D, F, N, C = 8, 32, 64, 256, 48
    ks = jax.random.split(key, 4)
    p = dict(r=jax.random.normal(ks[0], (D, E)) * 0.2, wi=jax.random.normal(ks[1], (E, D, F)) * 0.15, wo=jax.random.normal(ks[2], (E, F, D)) * 0.1)
    sp = dict(r=P(), wi=P("e"), wo=P("e"))
    psh = {k: NamedSharding(mesh, s) for k, s in sp.items()}
    p = jax.device_put(p, psh)
    X = jax.device_put(np.asarray(jax.random.normal(ks[3], (N, D))), NamedSharding(mesh, P("e")))

    def f(p, x):
        g = jax.nn.softmax(x @ p["r"])
        e = jnp.argmax(g, -1)
        gate = jnp.take_along_axis(g, e[:, None], 1)
        one = jax.nn.one_hot(e, E)
        pos = jnp.cumsum(one, 0) * one
        disp = one * (pos <= C)
        disp = jax.nn.one_hot((pos.sum(-1) - 1).astype(int), C)[:, None] * disp[..., None]
        xe = jax.lax.with_sharding_constraint(jnp.einsum("nec,nd->ecd", disp, x), NamedSharding(mesh, P("e")))
        h = jax.nn.gelu(jnp.einsum("ecd,edf->ecf", xe, p["wi"]))
        ye = jnp.einsum("ecf,efd->ecd", h, p["wo"])
        y = jnp.einsum("nec,ecd->nd", disp, ye) * gate
        return jax.lax.with_sharding_constraint(y, NamedSharding(mesh, P("e")))

    def step(p):
        v, g = jax.value_and_grad(lambda p: ((f(p, X) - jnp.sin(X)) ** 2).mean())(p)
        return jax.tree.map(lambda w, g: w - 0.5 * g, p, g), v

    c = jax.jit(step, donate_argnums=0, out_shardings=(psh, None)).lower(p).compile()
    box = [p]

    def run(i):
        box[0], v = c(box[0])
        return v

    report("moe", c, run)


def moe_a2a():
    mesh = Mesh(devs, ("e",))
    E, D, C = 8, 32, 16
    ks = jax.random.split(key, 3)
    p = jax.device_put(
        dict(wi=jax.random.normal(ks[0], (E, D, 64)) * 0.15, wo=jax.random.normal(ks[1], (E, 64, D)) * 0.1), NamedSharding(mesh, P("e"))
    )
    X = jax.device_put(np.asarray(jax.random.normal(ks[2], (256, D))), NamedSharding(mesh, P("e")))

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("e"), P("e")), out_specs=P("e"))
    def f(p, x):
        xs = x.reshape(E, -1, D)
        xs = jax.lax.all_to_all(xs, "e", 0, 0, tiled=False).reshape(-1, D)
        y = jax.nn.gelu(xs @ p["wi"][0]) @ p["wo"][0]
        return jax.lax.all_to_all(y.reshape(E, -1, D), "e", 0, 0).reshape(-1, D)

    def step(p):
        v, g = jax.value_and_grad(lambda p: ((f(p, X) - jnp.sin(X)) ** 2).mean())(p)
        return jax.tree.map(lambda w, g: w - 0.5 * g, p, g), v

    c = jax.jit(step, donate_argnums=0).lower(p).compile()
    box = [p]

    def run(i):
        box[0], v = c(box[0])
        return v

    report("moe_a2a", c, run)


def pipeline():
    mesh = Mesh(devs, ("stages",))
    S, D, M = 8, 32, 16
    W = jax.device_put(jax.random.normal(key, (S, D, D)) * 0.2, NamedSharding(mesh, P("stages")))
    X = np.asarray(jax.random.normal(key, (M, 8, D)))

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P("stages"), P()), out_specs=P("stages"), check_vma=False)
    def f(w, xs):
        i = jax.lax.axis_index("stages")
        state = jnp.zeros((8, D))
        outs = jnp.zeros((M + S - 1, 8, D))

        def tick(c, t):
            state, outs = c
            x = jnp.where(i == 0, xs[jnp.minimum(t, M - 1)], state)
            y = jnp.tanh(x @ w[0]) + x
            outs = outs.at[t].set(y)
            return (jax.lax.ppermute(y, "stages", [(k, (k + 1) % S) for k in range(S)]), outs), None

        (_, outs), _ = jax.lax.scan(tick, (state, outs), jnp.arange(M + S - 1))
        return outs[None, S - 1 :]

    def step(w):
        v, g = jax.value_and_grad(lambda w: ((f(w, X)[-1] - jnp.cos(X)) ** 2).mean())(w)
        return w - 0.1 * g, v

    c = jax.jit(step, donate_argnums=0).lower(W).compile()
    box = [W]

    def run(i):
        box[0], v = c(box[0])
        return v

    report("pipeline", c, run)


def ring():
    mesh = Mesh(devs, ("s",))
    B, T, H, K = 2, 64, 2, 16
    p = {n: jax.random.normal(k, (H * K, H, K)) * 0.2 for n, k in zip("qkvo", jax.random.split(key, 4))}
    x = jax.device_put(np.asarray(jax.random.normal(key, (B, T, H * K))), NamedSharding(mesh, P(None, "s")))

    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(P(None, "s"),) * 3, out_specs=P(None, "s"))
    def attend(q, k, v):
        n = 8
        me = jax.lax.axis_index("s")
        t = q.shape[1]
        m = jnp.full(q.shape[:3], -1e30)
        l = jnp.zeros(q.shape[:3])
        o = jnp.zeros(q.shape)
        m, l, o = jax.lax.pcast((m, l, o), ("s",), to="varying")

        def one(c, i):
            m, l, o, k, v = c
            src = (me - i) % n
            s = jnp.einsum("bqhk,bshk->bqhs", q, k) * K**-0.5
            ok = (me * t + jnp.arange(t))[:, None] >= (src * t + jnp.arange(t))[None]
            s = jnp.where(ok[None, :, None], s, -1e30)
            mn = jnp.maximum(m, s.max(-1))
            pr = jnp.exp(s - mn[..., None])
            al = jnp.exp(m - mn)
            l = l * al + pr.sum(-1)
            o = o * al[..., None] + jnp.einsum("bqhs,bshk->bqhk", pr, v)
            k, v = jax.lax.ppermute((k, v), "s", [(j, (j + 1) % n) for j in range(n)])
            return (mn, l, o, k, v), None

        (m, l, o, k, v), _ = jax.lax.scan(jax.checkpoint(one), (m, l, o, k, v), jnp.arange(n))
        return o / l[..., None]

    def step(p):
        def loss(p):
            q, k, v = (jnp.einsum("btd,dhk->bthk", x, p[n]) for n in "qkv")
            return ((jnp.einsum("bthk,dhk->btd", attend(q, k, v), p["o"]) - jnp.sin(x)) ** 2).mean()

        v, g = jax.value_and_grad(loss)(p)
        return jax.tree.map(lambda w, g: w - 0.3 * g, p, g), v

    c = jax.jit(step).lower(p).compile()
    box = [p]

    def run(i):
        box[0], v = c(box[0])
        return v

    report("ring", c, run)


def resnet_bn():
    import flax.linen as nn

    mesh = Mesh(devs, ("batch",))

    class B(nn.Module):
        c: int
        s: int = 1

        @nn.compact
        def __call__(self, x, train):
            y = nn.relu(nn.BatchNorm(use_running_average=not train, momentum=0.9)(nn.Conv(self.c, (3, 3), (self.s, self.s), use_bias=False)(x)))
            y = nn.BatchNorm(use_running_average=not train, momentum=0.9, scale_init=nn.initializers.zeros)(
                nn.Conv(self.c, (3, 3), use_bias=False)(y)
            )
            if y.shape != x.shape:
                x = nn.BatchNorm(use_running_average=not train)(nn.Conv(self.c, (1, 1), (self.s, self.s), use_bias=False)(x))
            return nn.relu(x + y)

    class R(nn.Module):
        @nn.compact
        def __call__(self, x, train=True):
            x = nn.relu(nn.BatchNorm(use_running_average=not train)(nn.Conv(16, (3, 3), use_bias=False)(x)))
            for c, s in ((16, 1), (32, 2), (64, 2)):
                x = B(c, s)(x, train)
            return nn.Dense(10)(x.mean((1, 2)))

    m = R()
    x = np.asarray(jax.random.normal(key, (64, 16, 16, 3)))
    y = np.arange(64) % 10
    v = m.init(key, x)
    tx = optax.sgd(0.1, momentum=0.9, nesterov=True)
    rep, bs = NamedSharding(mesh, P()), NamedSharding(mesh, P("batch"))
    st = jax.device_put((v["params"], v["batch_stats"], tx.init(v["params"])), rep)
    x, y = jax.device_put((x, y), bs)

    def step(st, x, y):
        p, s, o = st

        def loss(p):
            l, u = m.apply({"params": p, "batch_stats": s}, x, mutable=["batch_stats"])
            return (
                optax.softmax_cross_entropy_with_integer_labels(l, y).mean() + 1e-4 * sum((w**2).sum() for w in jax.tree.leaves(p) if w.ndim > 1),
                u["batch_stats"],
            )

        (v, s), g = jax.value_and_grad(loss, has_aux=True)(p)
        u, o = tx.update(g, o, p)
        return (optax.apply_updates(p, u), s, o), v

    c = jax.jit(step, donate_argnums=0, in_shardings=(rep, bs, bs), out_shardings=(rep, rep)).lower(st, x, y).compile()
    box = [st]

    def run(i):
        box[0], v = c(box[0], x, y)
        return v

    report("resnet_bn", c, run)


def haiku_pmap():
    import haiku as hk

    net = hk.transform_with_state(lambda x: hk.nets.MLP([64, 64, 10])(hk.BatchNorm(True, True, 0.9, cross_replica_axis="i")(x, is_training=True)))
    x = np.asarray(jax.random.normal(key, (8, 16, 32)))
    y = (np.arange(128) % 10).reshape(8, 16)
    p, s = hk.transform_with_state(lambda x: hk.nets.MLP([64, 64, 10])(hk.BatchNorm(True, True, 0.9)(x, is_training=True))).init(key, x[0])
    tx = optax.adam(1e-3)
    st = (p, s, tx.init(p))
    st = jax.tree.map(lambda a: jnp.stack([a] * 8), st)

    @functools.partial(jax.pmap, axis_name="i", donate_argnums=0)
    def step(st, x, y):
        p, s, o = st

        def loss(p):
            l, s2 = net.apply(p, s, None, x)
            return optax.softmax_cross_entropy_with_integer_labels(l, y).mean(), s2

        (v, s), g = jax.value_and_grad(loss, has_aux=True)(p)
        g, v = jax.lax.pmean((g, v), "i")
        u, o = tx.update(g, o)
        return (optax.apply_updates(p, u), s, o), v

    box = [st]

    def run(i):
        box[0], v = step(box[0], x, y)
        return v[0]

    report("haiku_pmap", None, run)


PROGRAMS = (
    linen_logical,
    equinox_dp,
    nnx_fsdp,
    levanter_fsdp,
    maxtext,
    zero1,
    sequence,
    layers,
    shmap_fsdp_tp,
    moe,
    moe_a2a,
    pipeline,
    ring,
    resnet_bn,
    haiku_pmap,
)
for program in PROGRAMS:
    if len(sys.argv) == 1 or program.__name__ in sys.argv[1:]:
        program()
