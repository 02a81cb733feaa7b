# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps made of models, losses and optimizers that others publish (requirements.txt), in their own idioms. Each builder takes
the size ("small", "medium") and what to wrap a loss in (`jax.checkpoint`, or nothing), and returns the step, its arguments and the
numbers of those that may be given away. Data are drawn: what is measured does not depend on them."""
import functools

import jax
import jax.numpy as jnp
import numpy
import optax

STEPS = {}


def step(build):
    STEPS[build.__name__] = build
    return build


def pick(size, small, medium):
    return small if size == "small" else medium


def normal(*shape, dtype=numpy.float32):
    return numpy.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


def labels(classes, *shape):
    return numpy.random.default_rng(classes).integers(0, classes, shape).astype(numpy.int32)


def cross_entropy(logits, wanted):
    return optax.softmax_cross_entropy_with_integer_labels(logits, wanted).mean()


def plain_step(loss, optimizer):
    """A step on (parameters, optimizer state, *batch); `loss` returns a scalar."""
    def train(params, state, *batch):
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value
    return train


# ---- Flax, linen ----

def linen_step(model, batch, optimizer, checkpoint, loss=cross_entropy, **call):
    params = model.init(jax.random.PRNGKey(0), batch[0], **call)
    def loss_of(params, inputs, wanted):
        return loss(model.apply(params, inputs, **call), wanted)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), *batch), (0, 1)


@step
def linen_cnn(size, checkpoint):
    from flax import linen as nn

    class Cnn(nn.Module):
        @nn.compact
        def __call__(self, x):
            for features in (32, 64):
                x = nn.avg_pool(nn.relu(nn.Conv(features, (3, 3))(x)), (2, 2), (2, 2))
            x = nn.relu(nn.Dense(256)(x.reshape(x.shape[0], -1)))
            return nn.Dense(10)(x)
    n = pick(size, 8, 64)
    return linen_step(Cnn(), (normal(n, 28, 28, 1), labels(10, n)), optax.sgd(0.1, momentum=0.9), checkpoint)


@step
def linen_lstm(size, checkpoint):
    from flax import linen as nn

    class Tagger(nn.Module):
        features: int

        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(100, self.features)(tokens)
            x = nn.RNN(nn.OptimizedLSTMCell(self.features))(x)
            return nn.Dense(12)(x)
    n, length, features = pick(size, (4, 12, 16), (32, 64, 128))
    return linen_step(Tagger(features), (labels(100, n, length), labels(12, n, length)), optax.adam(1e-3), checkpoint)


@step
def linen_bidirectional_gru(size, checkpoint):
    from flax import linen as nn

    class Classifier(nn.Module):
        features: int

        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(100, self.features)(tokens)
            for _ in range(2):
                x = nn.Bidirectional(nn.RNN(nn.GRUCell(self.features)), nn.RNN(nn.GRUCell(self.features)))(x)
            return nn.Dense(5)(x.mean(axis=1))
    n, length, features = pick(size, (4, 10, 16), (32, 48, 96))
    return linen_step(Classifier(features), (labels(100, n, length), labels(5, n)), optax.adamw(1e-3), checkpoint)


def linen_block(heads, dtype=jnp.float32):
    from flax import linen as nn

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x, _=None):
            mask = nn.make_causal_mask(jnp.ones(x.shape[:2]))
            y = nn.LayerNorm(dtype=dtype)(x)
            x = x + nn.MultiHeadDotProductAttention(heads, dtype=dtype)(y, y, mask=mask)
            y = nn.LayerNorm(dtype=dtype)(x)
            y = nn.gelu(nn.Dense(4 * x.shape[-1], dtype=dtype)(y))
            return x + nn.Dense(x.shape[-1], dtype=dtype)(y), None
    return Block


def linen_language_model(layers, features, heads, words, dtype=jnp.float32, how="unrolled"):
    from flax import linen as nn
    block = linen_block(heads, dtype)

    class Model(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(words, features, dtype=dtype)(tokens)
            x = x + self.param("positions", nn.initializers.normal(0.02), (tokens.shape[1], features)).astype(dtype)
            if how == "scan":
                x, _ = nn.scan(block, {"params": 0}, split_rngs={"params": True}, length=layers)()(x, None)
            elif how == "remat_scan":
                x, _ = nn.scan(nn.remat(block), {"params": 0}, split_rngs={"params": True}, length=layers)()(x, None)
            else:
                for _ in range(layers):
                    x, _ = block()(x)
            return nn.Dense(words, dtype=dtype)(nn.LayerNorm(dtype=dtype)(x)).astype(jnp.float32)
    return Model()


def transformer_sizes(size):
    return pick(size, (2, 32, 2, 50, 2, 16), (6, 256, 4, 4000, 8, 128))


def linen_transformer_of(size, checkpoint, **kind):
    layers, features, heads, words, n, length = transformer_sizes(size)
    model = linen_language_model(layers, features, heads, words, **kind)
    return linen_step(model, (labels(words, n, length), labels(words, n, length)), optax.adamw(1e-3), checkpoint)


@step
def linen_transformer(size, checkpoint):
    return linen_transformer_of(size, checkpoint)


@step
def linen_transformer_scan(size, checkpoint):
    return linen_transformer_of(size, checkpoint, how="scan")


@step
def linen_transformer_remat_scan(size, checkpoint):
    return linen_transformer_of(size, checkpoint, how="remat_scan")


@step
def linen_transformer_bf16(size, checkpoint):
    return linen_transformer_of(size, checkpoint, dtype=jnp.bfloat16)


@step
def linen_resnet(size, checkpoint):
    from flax import linen as nn

    class Block(nn.Module):
        features: int
        stride: int

        @nn.compact
        def __call__(self, x, train):
            norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.9)
            y = nn.relu(norm()(nn.Conv(self.features, (3, 3), self.stride, use_bias=False)(x)))
            y = norm(scale_init=nn.initializers.zeros_init())(nn.Conv(self.features, (3, 3), use_bias=False)(y))
            if y.shape != x.shape:
                x = norm()(nn.Conv(self.features, (1, 1), self.stride, use_bias=False)(x))
            return nn.relu(x + y)

    class ResNet(nn.Module):
        blocks: tuple

        @nn.compact
        def __call__(self, x, train):
            x = nn.relu(nn.BatchNorm(use_running_average=not train)(nn.Conv(16, (3, 3), use_bias=False)(x)))
            for stage, blocks in enumerate(self.blocks):
                for i in range(blocks):
                    x = Block(16 * 2 ** stage, 2 if i == 0 and stage > 0 else 1)(x, train)
            return nn.Dense(10)(x.mean(axis=(1, 2)))
    n, edge, blocks = pick(size, (4, 16, (1, 1)), (32, 32, (3, 3, 3)))
    model = ResNet(blocks)
    batch = normal(n, edge, edge, 3), labels(10, n)
    variables = model.init(jax.random.PRNGKey(0), batch[0], train=False)
    optimizer = optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(0.1, momentum=0.9, nesterov=True))

    def train(params, statistics, state, inputs, wanted):
        def loss_of(params):
            logits, new = model.apply({"params": params, "batch_stats": statistics}, inputs, train=True, mutable=["batch_stats"])
            return cross_entropy(logits, wanted), (logits, new["batch_stats"])
        (value, (logits, new)), gradients = jax.value_and_grad(checkpoint(loss_of), has_aux=True)(params)
        updates, state = optimizer.update(gradients, state, params)
        accuracy = (logits.argmax(-1) == wanted).mean()
        return optax.apply_updates(params, updates), new, state, {"loss": value, "accuracy": accuracy}
    return train, (variables["params"], variables["batch_stats"], optimizer.init(variables["params"]), *batch), (0, 1, 2)


@step
def linen_vae(size, checkpoint):
    from flax import linen as nn

    class Vae(nn.Module):
        hidden: int

        @nn.compact
        def __call__(self, x, key):
            h = nn.relu(nn.Dense(self.hidden)(x))
            mean, log_variance = nn.Dense(20)(h), nn.Dense(20)(h)
            z = mean + jnp.exp(0.5 * log_variance) * jax.random.normal(key, mean.shape)
            h = nn.relu(nn.Dense(self.hidden)(z))
            return nn.Dense(x.shape[-1])(h), mean, log_variance
    n, hidden = pick(size, (8, 32), (512, 500))
    model, x = Vae(hidden), numpy.abs(normal(n, 784)).clip(0, 1)
    params, optimizer = model.init(jax.random.PRNGKey(0), x, jax.random.PRNGKey(1)), optax.adam(1e-3)

    def loss_of(params, x, key):
        logits, mean, log_variance = model.apply(params, x, key)
        divergence = -0.5 * jnp.sum(1 + log_variance - mean ** 2 - jnp.exp(log_variance), -1)
        return (optax.sigmoid_binary_cross_entropy(logits, x).sum(-1) + divergence).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), x, jax.random.PRNGKey(2)), (0, 1)


@step
def linen_convolutional_lstm(size, checkpoint):
    from flax import linen as nn

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.RNN(nn.ConvLSTMCell(8, kernel_size=(3, 3)))(x)
            return nn.Conv(1, (3, 3))(x)
    n, length, edge = pick(size, (2, 4, 8), (8, 20, 32))
    return linen_step(Model(), (normal(n, length, edge, edge, 1), normal(n, length, edge, edge, 1)), optax.rmsprop(1e-3), checkpoint,
                      loss=lambda a, b: optax.l2_loss(a, b).mean())


@step
def linen_dynamic_scale(size, checkpoint):
    """Half precision with a scaled loss: the update is skipped where a gradient is not finite."""
    from flax import linen as nn
    from flax.training import dynamic_scale

    class Mlp(nn.Module):
        @nn.compact
        def __call__(self, x):
            for _ in range(4):
                x = nn.silu(nn.LayerNorm(dtype=jnp.float16)(nn.Dense(x.shape[-1], dtype=jnp.float16)(x)))
            return nn.Dense(10)(x).astype(jnp.float32)
    n, features = pick(size, (8, 16), (512, 256))
    model, optimizer = Mlp(), optax.adam(1e-3)
    batch = normal(n, features), labels(10, n)
    params, scale = model.init(jax.random.PRNGKey(0), batch[0]), dynamic_scale.DynamicScale()

    def train(params, state, scale, inputs, wanted):
        def loss_of(params):
            return cross_entropy(model.apply(params, inputs), wanted)
        scale, is_finite, value, gradients = scale.value_and_grad(checkpoint(loss_of))(params)
        updates, new_state = optimizer.update(gradients, state, params)
        keep = functools.partial(jnp.where, is_finite)
        return (jax.tree.map(keep, optax.apply_updates(params, updates), params), jax.tree.map(keep, new_state, state), scale, value)
    return train, (params, optimizer.init(params), scale, *batch), (0, 1, 2)


# ---- Flax, nnx ----

def nnx_step(model, batch, optimizer, checkpoint, loss=cross_entropy):
    from flax import nnx
    model.train()
    graph, params, rest = nnx.split(model, nnx.Param, ...)

    def loss_of(params, rest, inputs, wanted):
        model = nnx.merge(graph, params, rest, copy=True)
        value = loss(model(inputs), wanted)
        return value, nnx.split(model, nnx.Param, ...)[2]

    def train(params, rest, state, inputs, wanted):
        (value, rest), gradients = jax.value_and_grad(checkpoint(loss_of), has_aux=True)(params, rest, inputs, wanted)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), rest, state, value
    return train, (params, rest, optimizer.init(params), *batch), (0, 1, 2)


@step
def nnx_cnn(size, checkpoint):
    from flax import nnx

    class Cnn(nnx.Module):
        def __init__(self, rngs):
            self.conv1 = nnx.Conv(1, 32, (3, 3), rngs=rngs)
            self.norm1 = nnx.BatchNorm(32, rngs=rngs)
            self.dropout1 = nnx.Dropout(0.025, rngs=rngs)
            self.conv2 = nnx.Conv(32, 64, (3, 3), rngs=rngs)
            self.norm2 = nnx.BatchNorm(64, rngs=rngs)
            self.linear1 = nnx.Linear(3136, 256, rngs=rngs)
            self.dropout2 = nnx.Dropout(0.025, rngs=rngs)
            self.linear2 = nnx.Linear(256, 10, rngs=rngs)

        def __call__(self, x):
            pool = functools.partial(nnx.avg_pool, window_shape=(2, 2), strides=(2, 2))
            x = pool(nnx.relu(self.norm1(self.dropout1(self.conv1(x)))))
            x = pool(nnx.relu(self.norm2(self.conv2(x))))
            x = nnx.relu(self.dropout2(self.linear1(x.reshape(x.shape[0], -1))))
            return self.linear2(x)
    n = pick(size, 4, 32)
    return nnx_step(Cnn(nnx.Rngs(0)), (normal(n, 28, 28, 1), labels(10, n)), optax.adamw(5e-3, b1=0.9), checkpoint)


def nnx_block(nnx, features, heads, rngs, dropout):
    class Block(nnx.Module):
        def __init__(self, rngs):
            self.norm1, self.norm2 = nnx.RMSNorm(features, rngs=rngs), nnx.RMSNorm(features, rngs=rngs)
            self.attention = nnx.MultiHeadAttention(heads, features, decode=False, dropout_rate=dropout, rngs=rngs)
            self.up = nnx.Linear(features, 4 * features, rngs=rngs)
            self.gate = nnx.Linear(features, 4 * features, rngs=rngs)
            self.down = nnx.Linear(4 * features, features, rngs=rngs)

        def __call__(self, x):
            x = x + self.attention(self.norm1(x))
            y = self.norm2(x)
            return x + self.down(nnx.silu(self.gate(y)) * self.up(y))
    return Block(rngs)


def nnx_transformer_of(size, checkpoint, scan):
    from flax import nnx
    layers, features, heads, words, n, length = transformer_sizes(size)

    class Model(nnx.Module):
        def __init__(self, rngs):
            self.embed = nnx.Embed(words, features, rngs=rngs)
            if scan:
                make = nnx.vmap(lambda key: nnx_block(nnx, features, heads, nnx.Rngs(key), 0.0))
                self.blocks = make(jax.random.split(jax.random.PRNGKey(1), layers))
            else:
                self.blocks = nnx.List([nnx_block(nnx, features, heads, rngs, 0.1) for _ in range(layers)])
            self.norm = nnx.RMSNorm(features, rngs=rngs)

        def __call__(self, tokens):
            x = self.embed(tokens)
            if scan:
                x = nnx.scan(lambda x, block: block(x), in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)(x, self.blocks)
            else:
                for block in self.blocks:
                    x = block(x)
            return self.embed.attend(self.norm(x))
    return nnx_step(Model(nnx.Rngs(0)), (labels(words, n, length), labels(words, n, length)),
                    optax.chain(optax.clip_by_global_norm(1.0), optax.lion(1e-4)), checkpoint)


@step
def nnx_transformer(size, checkpoint):
    return nnx_transformer_of(size, checkpoint, False)


@step
def nnx_transformer_scan(size, checkpoint):
    return nnx_transformer_of(size, checkpoint, True)


@step
def nnx_gru(size, checkpoint):
    from flax import nnx
    n, length, features = pick(size, (4, 10, 16), (32, 64, 128))

    class Model(nnx.Module):
        def __init__(self, rngs):
            self.rnn = nnx.RNN(nnx.GRUCell(8, features, rngs=rngs))
            self.out = nnx.Linear(features, 8, rngs=rngs)

        def __call__(self, x):
            return self.out(self.rnn(x))
    return nnx_step(Model(nnx.Rngs(0)), (normal(n, length, 8), normal(n, length, 8)), optax.adagrad(1e-2), checkpoint,
                    loss=lambda a, b: optax.huber_loss(a, b).mean())


# ---- Haiku ----

def haiku_step(f, batch, optimizer, checkpoint, loss=cross_entropy):
    import haiku as hk
    model = hk.transform_with_state(f)
    params, statistics = model.init(jax.random.PRNGKey(0), batch[0])

    def train(params, statistics, state, key, inputs, wanted):
        def loss_of(params):
            logits, new = model.apply(params, statistics, key, inputs)
            return loss(logits, wanted), new
        (value, new), gradients = jax.value_and_grad(checkpoint(loss_of), has_aux=True)(params)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), new, state, value
    return train, (params, statistics, optimizer.init(params), jax.random.PRNGKey(1), *batch), (0, 1, 2)


@step
def haiku_resnet18(size, checkpoint):
    import haiku as hk
    n, edge = pick(size, (2, 32), (8, 64))
    return haiku_step(lambda x: hk.nets.ResNet18(10, resnet_v2=True)(x, is_training=True), (normal(n, edge, edge, 3), labels(10, n)),
                      optax.sgd(0.1, momentum=0.9), checkpoint)


@step
def haiku_mobilenet(size, checkpoint):
    import haiku as hk
    n, edge = pick(size, (8, 32), (8, 64))
    return haiku_step(lambda x: hk.nets.MobileNetV1(num_classes=10)(x, is_training=True), (normal(n, edge, edge, 3), labels(10, n)),
                      optax.adam(1e-3), checkpoint)


@step
def haiku_lstm(size, checkpoint):
    import haiku as hk
    n, length, features = pick(size, (4, 12, 16), (32, 64, 128))

    def f(tokens):
        x = hk.Embed(60, features)(tokens)
        core = hk.DeepRNN([hk.LSTM(features), jax.nn.relu, hk.LSTM(features)])
        x, _ = hk.dynamic_unroll(core, x, core.initial_state(n), time_major=False)
        return hk.Linear(60)(x)
    return haiku_step(f, (labels(60, n, length), labels(60, n, length)),
                      optax.chain(optax.clip_by_global_norm(5.0), optax.adam(1e-3)), checkpoint)


@step
def haiku_layer_stack(size, checkpoint):
    import haiku as hk
    layers, features, heads, words, n, length = transformer_sizes(size)

    def block(x):
        norm = functools.partial(hk.LayerNorm, axis=-1, create_scale=True, create_offset=True)
        y = norm()(x)
        mask = numpy.tril(numpy.ones((1, 1, length, length)))
        x = x + hk.dropout(hk.next_rng_key(), 0.1, hk.MultiHeadAttention(heads, features // heads, w_init=hk.initializers.VarianceScaling())(y, y, y, mask=mask))
        y = hk.Linear(features)(jax.nn.gelu(hk.Linear(4 * features)(norm()(x))))
        return x + hk.dropout(hk.next_rng_key(), 0.1, y)

    def f(tokens):
        x = hk.Embed(words, features)(tokens)
        x = hk.experimental.layer_stack(layers)(block)(x)
        return hk.Linear(words)(hk.LayerNorm(-1, True, True)(x))
    return haiku_step(f, (labels(words, n, length), labels(words, n, length)), optax.adam(1e-3), checkpoint)


@step
def haiku_vqvae(size, checkpoint):
    import haiku as hk
    n, edge, features = pick(size, (2, 16, 16), (16, 32, 64))

    def f(x):
        z = jax.nn.relu(hk.Conv2D(features, 4, 2)(x))
        z = jax.nn.relu(hk.Conv2D(features, 4, 2)(z))
        z = hk.Conv2D(32, 1)(z)
        code = hk.nets.VectorQuantizerEMA(32, 128, 0.25, 0.99)(z, is_training=True)
        y = jax.nn.relu(hk.Conv2DTranspose(features, 4, 2)(code["quantize"]))
        return hk.Conv2DTranspose(3, 4, 2)(y), code["loss"], code["perplexity"]
    image = normal(n, edge, edge, 3)
    return haiku_step(f, (image, image), optax.adam(3e-4), checkpoint,
                      loss=lambda out, wanted: jnp.mean((out[0] - wanted) ** 2) + out[1] + 0 * out[2])


# ---- Equinox ----

@step
def equinox_mlp(size, checkpoint):
    import equinox as eqx
    n, width = pick(size, (8, 16), (1024, 256))
    model = eqx.nn.MLP(8, 1, width, 6, jax.nn.softplus, key=jax.random.PRNGKey(0))
    params, static = eqx.partition(model, eqx.is_array)
    optimizer = optax.adabelief(1e-3)

    def loss_of(params, x, y):
        return jnp.mean((jax.vmap(eqx.combine(params, static))(x) - y) ** 2)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), normal(n, 8), normal(n, 1)), (0, 1)


@step
def equinox_attention(size, checkpoint):
    import equinox as eqx
    layers, features, heads, words, n, length = transformer_sizes(size)

    class Block(eqx.Module):
        attention: eqx.nn.MultiheadAttention
        mlp: eqx.nn.MLP
        norm1: eqx.nn.LayerNorm
        norm2: eqx.nn.LayerNorm

        def __init__(self, key):
            a, b = jax.random.split(key)
            self.attention = eqx.nn.MultiheadAttention(heads, features, key=a)
            self.mlp = eqx.nn.MLP(features, features, 4 * features, 1, jax.nn.gelu, key=b)
            self.norm1, self.norm2 = eqx.nn.LayerNorm(features), eqx.nn.LayerNorm(features)

        def __call__(self, x):
            y = jax.vmap(self.norm1)(x)
            x = x + self.attention(y, y, y, mask=jnp.tril(jnp.ones((length, length), bool)))
            return x + jax.vmap(self.mlp)(jax.vmap(self.norm2)(x))

    class Model(eqx.Module):
        embed: eqx.nn.Embedding
        blocks: list
        head: eqx.nn.Linear

        def __call__(self, tokens):
            x = jax.vmap(self.embed)(tokens)
            for block in self.blocks:
                x = block(x)
            return jax.vmap(self.head)(x)
    keys = jax.random.split(jax.random.PRNGKey(0), layers + 2)
    model = Model(eqx.nn.Embedding(words, features, key=keys[0]), [Block(k) for k in keys[2:]], eqx.nn.Linear(features, words, key=keys[1]))
    params, static = eqx.partition(model, eqx.is_inexact_array)
    optimizer = optax.adam(optax.warmup_cosine_decay_schedule(0, 1e-3, 10, 100))

    def loss_of(params, tokens, wanted):
        return cross_entropy(jax.vmap(eqx.combine(params, static))(tokens), wanted)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), labels(words, n, length), labels(words, n, length)), (0, 1)


@step
def equinox_gru(size, checkpoint):
    import equinox as eqx
    n, length, features = pick(size, (4, 10, 16), (64, 96, 64))

    class Model(eqx.Module):
        cell: eqx.nn.GRUCell
        out: eqx.nn.Linear

        def __call__(self, x):
            def f(carry, row):
                return self.cell(row, carry), None
            carry, _ = jax.lax.scan(f, jnp.zeros(features), x)
            return self.out(carry)[0]
    a, b = jax.random.split(jax.random.PRNGKey(0))
    params, static = eqx.partition(Model(eqx.nn.GRUCell(2, features, key=a), eqx.nn.Linear(features, 1, key=b)), eqx.is_array)
    optimizer = optax.adam(3e-3)

    def loss_of(params, x, y):
        return optax.sigmoid_binary_cross_entropy(jax.vmap(eqx.combine(params, static))(x), y).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), normal(n, length, 2), (normal(n) > 0).astype(numpy.float32)), (0, 1)


@step
def equinox_mixer(size, checkpoint):
    import equinox as eqx
    n, edge, patch, hidden, blocks = pick(size, (2, 16, 4, 16, 2), (16, 32, 4, 64, 4))
    patches = (edge // patch) ** 2

    class Block(eqx.Module):
        patch_mixer: eqx.nn.MLP
        hidden_mixer: eqx.nn.MLP
        norm1: eqx.nn.LayerNorm
        norm2: eqx.nn.LayerNorm

        def __init__(self, key):
            a, b = jax.random.split(key)
            self.patch_mixer = eqx.nn.MLP(patches, patches, 2 * hidden, 1, key=a)
            self.hidden_mixer = eqx.nn.MLP(hidden, hidden, 2 * hidden, 1, key=b)
            self.norm1, self.norm2 = eqx.nn.LayerNorm((hidden, patches)), eqx.nn.LayerNorm((patches, hidden))

        def __call__(self, y):
            y = y + jax.vmap(self.patch_mixer)(self.norm1(y))
            y = y.T
            y = y + jax.vmap(self.hidden_mixer)(self.norm2(y))
            return y.T

    class Mixer(eqx.Module):
        conv: eqx.nn.Conv2d
        blocks: list
        out: eqx.nn.Linear

        def __call__(self, x):
            y = self.conv(x).reshape(hidden, patches)
            for block in self.blocks:
                y = block(y)
            return self.out(y.mean(axis=1))
    keys = jax.random.split(jax.random.PRNGKey(0), blocks + 2)
    model = Mixer(eqx.nn.Conv2d(3, hidden, patch, stride=patch, key=keys[0]), [Block(k) for k in keys[2:]], eqx.nn.Linear(hidden, 10, key=keys[1]))
    params, static = eqx.partition(model, eqx.is_array)
    optimizer = optax.adamw(1e-3)

    def loss_of(params, x, y):
        return cross_entropy(jax.vmap(eqx.combine(params, static))(x), y)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), normal(n, 3, edge, edge), labels(10, n)), (0, 1)


@step
def diffrax_neural_ode(size, checkpoint):
    import diffrax
    import equinox as eqx
    n, width, steps = pick(size, (4, 16, 8), (256, 64, 64))
    field = eqx.nn.MLP(2, 2, width, 2, jax.nn.softplus, key=jax.random.PRNGKey(0))
    params, static = eqx.partition(field, eqx.is_array)
    optimizer = optax.adabelief(3e-3)

    def loss_of(params, y0, wanted):
        term = diffrax.ODETerm(lambda t, y, args: eqx.combine(params, static)(y))
        def solve(y):
            found = diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 1.0 / steps, y, max_steps=steps + 2,
                                        adjoint=diffrax.RecursiveCheckpointAdjoint(), throw=False)
            return found.ys[-1]
        return jnp.mean((jax.vmap(solve)(y0) - wanted) ** 2)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), normal(n, 2), normal(n, 2)), (0, 1)


# ---- Keras on JAX ----

def keras_step(make, batch, optimizer, checkpoint, loss=cross_entropy):
    import os
    os.environ["KERAS_BACKEND"] = "jax"
    import keras
    keras.utils.set_random_seed(0)
    model = make(keras)
    trained = [v.value for v in model.trainable_variables]
    others = [v.value for v in model.non_trainable_variables]

    def train(trained, others, state, inputs, wanted):
        def loss_of(trained):
            out, new = model.stateless_call(trained, others, inputs, training=True)
            return loss(out, wanted), new
        (value, new), gradients = jax.value_and_grad(checkpoint(loss_of), has_aux=True)(trained)
        updates, state = optimizer.update(gradients, state, trained)
        return optax.apply_updates(trained, updates), new, state, value
    return train, (trained, others, optimizer.init(trained), *batch), (0, 1, 2)


@step
def keras_efficientnet(size, checkpoint):
    n, edge = pick(size, (2, 32), (4, 64))
    return keras_step(lambda keras: keras.applications.EfficientNetB0(weights=None, input_shape=(edge, edge, 3), classes=10,
                                                                      classifier_activation=None),
                      (normal(n, edge, edge, 3), labels(10, n)), optax.adam(1e-3), checkpoint)


@step
def keras_densenet(size, checkpoint):
    n, edge = pick(size, (8, 32), (4, 64))
    return keras_step(lambda keras: keras.applications.DenseNet121(weights=None, input_shape=(edge, edge, 3), classes=10,
                                                                   classifier_activation=None),
                      (normal(n, edge, edge, 3), labels(10, n)), optax.sgd(0.1), checkpoint)


@step
def keras_lstm(size, checkpoint):
    n, length, features = pick(size, (4, 12, 16), (32, 80, 128))
    def make(keras):
        layers = keras.layers
        return keras.Sequential([layers.Input((length,), dtype="int32"), layers.Embedding(200, features),
                                 layers.Bidirectional(layers.LSTM(features, return_sequences=True)),
                                 layers.Bidirectional(layers.LSTM(features)), layers.Dense(2)])
    return keras_step(make, (labels(200, n, length), labels(2, n)), optax.adam(1e-3), checkpoint)


# ---- graph nets, equivariant nets ----

@step
def jraph_graph_network(size, checkpoint):
    import haiku as hk
    import jraph
    nodes, edges, width, rounds = pick(size, (20, 60, 8, 2), (2000, 8000, 64, 5))

    def mlp(width):
        return hk.Sequential([hk.Linear(width), jax.nn.relu, hk.Linear(width), hk.LayerNorm(-1, True, True)])

    def f(graph):
        graph = jraph.GraphMapFeatures(hk.Linear(width), hk.Linear(width), None)(graph)
        for _ in range(rounds):
            net = jraph.InteractionNetwork(jraph.concatenated_args(lambda x: mlp(width)(x)),
                                           jraph.concatenated_args(lambda x: mlp(width)(x)), include_sent_messages_in_node_update=True)
            new = net(graph)
            graph = new._replace(nodes=graph.nodes + new.nodes, edges=graph.edges + new.edges)
        return hk.Linear(4)(graph.nodes)
    graph = jraph.GraphsTuple(nodes=normal(nodes, 8), edges=normal(edges, 4), senders=labels(nodes, edges), receivers=labels(nodes, edges)[::-1].copy(),
                              globals=None, n_node=numpy.array([nodes], numpy.int32), n_edge=numpy.array([edges], numpy.int32))
    return haiku_step(f, (graph, normal(nodes, 4)), optax.adam(1e-3), checkpoint, loss=lambda a, b: jnp.mean((a - b) ** 2))


@step
def jraph_attention(size, checkpoint):
    import haiku as hk
    import jraph
    nodes, edges, width, heads = pick(size, (20, 60, 8, 2), (2700, 10000, 32, 8))

    def f(graph):
        for last in (False, True):
            def query(x, w=width):
                return hk.Linear(w * heads)(x)
            def logit(sent, received, edges):
                x = jax.nn.leaky_relu(hk.Linear(heads)(jnp.concatenate([sent, received], -1)), 0.2)
                return jnp.repeat(x, width, axis=-1)
            graph = jraph.GAT(query, logit, lambda x: jax.nn.elu(x))(graph)
        return hk.Linear(7)(graph.nodes)
    graph = jraph.GraphsTuple(nodes=normal(nodes, 64), edges=None, senders=labels(nodes, edges), receivers=labels(nodes, edges)[::-1].copy(),
                              globals=None, n_node=numpy.array([nodes], numpy.int32), n_edge=numpy.array([edges], numpy.int32))
    return haiku_step(f, (graph, labels(7, nodes)), optax.adam(1e-2), checkpoint)


@step
def e3nn_equivariant(size, checkpoint):
    import e3nn_jax as e3nn
    import flax.linen as nn
    nodes, edges, width, rounds = pick(size, (10, 30, 4, 1), (400, 3000, 16, 2))

    class Model(nn.Module):
        @nn.compact
        def __call__(self, positions):
            senders, receivers = labels(nodes, edges), labels(nodes, edges)[::-1].copy()
            vectors = e3nn.IrrepsArray("1o", positions[receivers] - positions[senders])
            x = e3nn.IrrepsArray("0e", jnp.ones((nodes, 1)))
            harmonics = e3nn.spherical_harmonics([1, 2], vectors, True)
            for _ in range(rounds):
                messages = e3nn.concatenate([x[senders], e3nn.tensor_product(x[senders], harmonics)]).regroup()
                messages = messages * nn.Dense(messages.irreps.num_irreps)(e3nn.bessel(e3nn.norm(vectors).array[:, 0], 8, 2.0))
                x = e3nn.scatter_sum(messages, dst=receivers, output_size=nodes) / 4
                x = e3nn.gate(e3nn.flax.Linear(f"{width}x0e + {2 * width}x0e + {width}x1o + {width}x2e")(x))
            return e3nn.flax.Linear("0e")(x).array.sum()
    return linen_step(Model(), (normal(nodes, 3), normal(1)), optax.adam(1e-2), checkpoint, loss=lambda a, b: jnp.mean((a - b) ** 2))


# ---- probabilistic, reinforcement ----

@step
def numpyro_svi(size, checkpoint):
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoNormal
    n, features = pick(size, (16, 8), (4096, 64))

    def model(x, y=None):
        scale = numpyro.sample("scale", dist.HalfNormal(1.0))
        with numpyro.plate("features", x.shape[-1]):
            weights = numpyro.sample("weights", dist.Normal(0.0, scale))
        bias = numpyro.sample("bias", dist.StudentT(3.0, 0.0, 1.0))
        with numpyro.plate("data", x.shape[0]):
            numpyro.sample("y", dist.Bernoulli(logits=x @ weights + bias), obs=y)
    svi = SVI(model, AutoNormal(model), optax.adam(1e-2), Trace_ELBO(num_particles=4))
    x, y = normal(n, features), (normal(n) > 0).astype(numpy.int32)
    state = svi.init(jax.random.PRNGKey(0), x, y)
    return svi.update, (state, x, y), (0,)


@step
def distrax_flow(size, checkpoint):
    import distrax
    import haiku as hk
    n, layers, width = pick(size, (8, 2, 16), (512, 8, 128))
    dimensions, bins = 8, 6

    def f(x):
        mask = jnp.arange(dimensions) % 2
        mask = mask.astype(bool)
        parts = []
        for _ in range(layers):
            def conditioner(x):
                net = hk.Sequential([hk.nets.MLP([width, width], activate_final=True), hk.Linear(dimensions * (3 * bins + 1))])
                return net(x).reshape(*x.shape, 3 * bins + 1)
            parts.append(distrax.MaskedCoupling(mask, conditioner, lambda p: distrax.RationalQuadraticSpline(p, -4.0, 4.0)))
            mask = ~mask
        base = distrax.Independent(distrax.Normal(jnp.zeros(dimensions), jnp.ones(dimensions)), 1)
        return distrax.Transformed(base, distrax.Inverse(distrax.Chain(parts))).log_prob(x)
    return haiku_step(f, (normal(n, dimensions), normal(1)), optax.adam(1e-4), checkpoint, loss=lambda value, _: -value.mean())


@step
def rlax_q_learning(size, checkpoint):
    import haiku as hk
    import rlax
    n, width = pick(size, (8, 16), (256, 256))
    net = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([width, width, 6])(x)))
    state, optimizer = normal(n, 32), optax.adam(1e-3)
    params = net.init(jax.random.PRNGKey(0), state)

    def loss_of(params, target, before, action, reward, after):
        q, q_after, q_target = net.apply(params, before), net.apply(params, after), net.apply(target, after)
        error = jax.vmap(rlax.double_q_learning)(q, action, reward, jnp.full(n, 0.99), q_target, q_after)
        return rlax.huber_loss(error).mean()

    def train(params, target, opt, count, *batch):
        value, gradients = jax.value_and_grad(checkpoint(loss_of))(params, target, *batch)
        updates, opt = optimizer.update(gradients, opt, params)
        params = optax.apply_updates(params, updates)
        target = optax.periodic_update(params, target, count, 100)
        return params, target, opt, count + 1, value
    return train, (params, jax.tree.map(numpy.array, params), optimizer.init(params), numpy.int32(0), state, labels(6, n), normal(n), normal(n, 32)), (0, 1, 2)


@step
def rlax_vtrace(size, checkpoint):
    import haiku as hk
    import rlax
    length, n, width = pick(size, (6, 2, 16), (40, 32, 256))

    def f(x):
        core = hk.GRU(width)
        x, _ = hk.dynamic_unroll(core, jax.nn.relu(hk.Linear(width)(x)), core.initial_state(n))
        return hk.Linear(5)(x), hk.Linear(1)(x)[..., 0]
    net = hk.without_apply_rng(hk.transform(f))
    observations, optimizer = normal(length + 1, n, 24), optax.rmsprop(1e-3, decay=0.99, eps=0.1)
    params = net.init(jax.random.PRNGKey(0), observations)

    def loss_of(params, observations, actions, behaviour, rewards):
        logits, values = net.apply(params, observations)
        def one(logits, values, actions, behaviour, rewards):
            rhos = rlax.categorical_importance_sampling_ratios(logits[:-1], behaviour, actions)
            trace = rlax.vtrace_td_error_and_advantage(values[:-1], values[1:], rewards, jnp.full(length, 0.99), rhos)
            policy = rlax.policy_gradient_loss(logits[:-1], actions, trace.pg_advantage, jnp.ones(length))
            return policy + 0.5 * jnp.mean(trace.errors ** 2) + 0.01 * rlax.entropy_loss(logits[:-1], jnp.ones(length))
        return jax.vmap(one, 1)(logits, values, actions, behaviour, rewards).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), observations, labels(5, length, n), normal(length, n, 5), normal(length, n)), (0, 1)


# ---- optimizers ----

def optimizer_step(size, checkpoint, optimizer, **extra):
    n, width = pick(size, (8, 16), (512, 256))
    params = [{"w": normal(width, width) / width ** 0.5, "b": numpy.zeros(width, numpy.float32)} for _ in range(6)]
    batch = normal(n, width), labels(width, n)

    def loss_of(params, x, y):
        for layer in params[:-1]:
            x = jax.nn.gelu(x @ layer["w"] + layer["b"])
        return cross_entropy(x @ params[-1]["w"] + params[-1]["b"], y)
    loss = checkpoint(loss_of)

    def train(params, state, x, y):
        value, gradients = jax.value_and_grad(loss)(params, x, y)
        more = {"value": value, "grad": gradients, "value_fn": lambda p: loss(p, x, y)} if extra.get("line_search") else {}
        updates, state = optimizer.update(gradients, state, params, **more)
        return optax.apply_updates(params, updates), state, value
    return train, (params, optimizer.init(params), *batch), (0, 1)


@step
def optax_sam(size, checkpoint):
    from optax import contrib
    return optimizer_step(size, checkpoint, contrib.sam(optax.adam(1e-3), optax.chain(contrib.normalize(), optax.sgd(0.05)), sync_period=2))


@step
def optax_muon(size, checkpoint):
    from optax import contrib
    return optimizer_step(size, checkpoint, contrib.muon(1e-3))


@step
def optax_schedule_free(size, checkpoint):
    from optax import contrib
    return optimizer_step(size, checkpoint, contrib.schedule_free_adamw(1e-3))


@step
def optax_adafactor_multisteps(size, checkpoint):
    return optimizer_step(size, checkpoint, optax.MultiSteps(optax.adafactor(1e-3), 4).gradient_transformation())


@step
def optax_lbfgs(size, checkpoint):
    return optimizer_step(size, checkpoint, optax.lbfgs(linesearch=optax.scale_by_backtracking_linesearch(8)), line_search=True)


# ---- the rest ----

@step
def stax_wide_resnet(size, checkpoint):
    from jax.example_libraries import stax
    n, edge, channels = pick(size, (2, 16, 4), (8, 32, 32))

    def block(channels, stride=(1, 1), mismatch=False):
        main = stax.serial(stax.Relu, stax.Conv(channels, (3, 3), stride, "SAME"), stax.Relu,
                           stax.Conv(channels, (3, 3), padding="SAME"))
        short = stax.Identity if not mismatch else stax.Conv(channels, (3, 3), stride, "SAME")
        return stax.serial(stax.FanOut(2), stax.parallel(main, short), stax.FanInSum)

    init, apply = stax.serial(stax.Conv(channels, (3, 3), padding="SAME"), block(channels, mismatch=True), block(channels),
                                 block(2 * channels, (2, 2), True), block(2 * channels), stax.AvgPool((edge // 2, edge // 2)), stax.Flatten, stax.Dense(10))
    _, params = init(jax.random.PRNGKey(0), (n, edge, edge, 3))
    optimizer = optax.sgd(1e-2)
    return (plain_step(checkpoint(lambda p, x, y: cross_entropy(apply(p, x), y)), optimizer),
            (params, optimizer.init(params), normal(n, edge, edge, 3), labels(10, n)), (0, 1))


# ---- samplers, inner solvers and the like: loops inside of the loss, or no loss at all ----

@step
def blackjax_nuts(size, _):
    """The trees of a no-U-turn sampler grow in loops of unknown length."""
    import blackjax
    width, doublings = pick(size, (4, 5), (64, 6))
    kernel = blackjax.nuts(lambda q: -0.5 * jnp.sum((q["mean"] - 1) ** 2) - jnp.log1p(q["scale"] ** 2).sum(), step_size=0.1,
                           inverse_mass_matrix=jnp.ones(2 * width), max_num_doublings=doublings)
    state = kernel.init({"mean": normal(width), "scale": normal(width)})
    def train(key, state):
        next_key, key = jax.random.split(key)
        state, info = kernel.step(key, state)
        return next_key, state, info.acceptance_rate
    return train, (jax.random.PRNGKey(1), state), (1,)


@step
def blackjax_svgd(size, _):
    """Particles that push each other away."""
    import blackjax
    n, width = pick(size, (12, 5), (256, 64))
    kernel = blackjax.svgd(jax.grad(lambda q: -0.5 * ((q - 1) ** 2).sum()), optax.adam(0.1))
    return kernel.step, (kernel.init(normal(n, width)),), (0,)


@step
def jaxopt_hyperparameter(size, checkpoint):
    """The gradient with regard to a penalty, through the steps of the solver."""
    import jaxopt
    n, width, trips = pick(size, (20, 8, 15), (512, 128, 100))

    def loss_of(penalty, x, y, x_valid, y_valid):
        inner = lambda w, penalty, x, y: ((x @ w - y) ** 2).mean() + jnp.exp(penalty) * (w ** 2).sum()
        solver = jaxopt.GradientDescent(inner, maxiter=trips, implicit_diff=False, unroll=True, stepsize=0.1, acceleration=False)
        return ((x_valid @ solver.run(jnp.zeros((width, 2)), penalty, x, y).params - y_valid) ** 2).mean()
    optimizer = optax.sgd(0.1)
    penalty = jnp.float32(-2)
    batch = normal(n, width), normal(n, 2), normal(n, width), normal(2, n).T
    return plain_step(checkpoint(loss_of), optimizer), (penalty, optimizer.init(penalty), *batch), (0,)


@step
def jaxopt_lbfgs(size, checkpoint):
    import jaxopt
    n, width = pick(size, (20, 16), (512, 256))
    loss_of = checkpoint(lambda p, x, y: ((jnp.tanh(x @ p["in"]) @ p["out"] - y) ** 2).mean())
    solver = jaxopt.LBFGS(loss_of, history_size=4, linesearch="backtracking", jit=True)
    params, x, y = {"in": normal(8, width), "out": normal(width, 2)}, normal(n, 8), normal(n, 2)
    return lambda params, state, x, y: tuple(solver.update(params, state, x=x, y=y)), (params, solver.init_state(params, x=x, y=y), x, y), (0, 1)


@step
def numpyro_hierarchy(size, _):
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoDiagonalNormal
    n, groups = pick(size, (20, 4), (4096, 256))

    def model(x, group, y=None):
        with numpyro.plate("groups", groups):
            slope = numpyro.sample("slope", dist.StudentT(3.0, 0.0, 1.0))
        scale = numpyro.sample("scale", dist.Gamma(2.0, 1.0))
        with numpyro.plate("rows", n):
            numpyro.sample("y", dist.Normal(slope[group] * x, scale), obs=y)
    batch = normal(n), labels(groups, n), normal(n)
    svi = SVI(model, AutoDiagonalNormal(model), optax.adam(1e-2), Trace_ELBO())
    return svi.update, (svi.init(jax.random.PRNGKey(0), *batch), *batch), (0,)


@step
def tfp_hidden_markov(size, checkpoint):
    import tensorflow_probability.substrates.jax as tfp
    n, length, states = pick(size, (3, 12, 4), (64, 128, 32))
    tfd = tfp.distributions

    def loss_of(p, observations):
        chain = tfd.HiddenMarkovModel(tfd.Categorical(logits=p["start"]), tfd.Categorical(logits=p["next"]), tfd.Normal(p["mean"], 1.0), length)
        return -chain.log_prob(observations).mean()
    params, optimizer = {"start": normal(states), "next": normal(states, states), "mean": normal(states)}, optax.adam(1e-2)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), normal(n, length)), (0, 1)


@step
def equinox_equilibrium(size, checkpoint):
    """A fixed point is found by a loop that no gradient goes through, and left by one more step."""
    import equinox as eqx
    n, width = pick(size, (32, 24), (512, 256))
    params, static = eqx.partition({"cell": eqx.nn.Linear(width, width, key=jax.random.PRNGKey(0)), "into": eqx.nn.Linear(16, width, key=jax.random.PRNGKey(1)),
                                    "out": eqx.nn.Linear(width, 4, key=jax.random.PRNGKey(2))}, eqx.is_array)

    def loss_of(params, x, y):
        model = eqx.combine(params, static)
        def one(x):
            step = lambda z: jnp.tanh(0.5 * model["cell"](z) + model["into"](x))
            z = jax.lax.stop_gradient(jax.lax.fori_loop(0, 12, lambda _, z: step(z), jnp.zeros(width)))
            return model["out"](step(z))
        return ((jax.vmap(one)(x) - y) ** 2).mean()
    optimizer = optax.adabelief(1e-3)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), normal(n, 16), normal(n, 4)), (0, 1)


@step
def haiku_maml(size, checkpoint):
    """Gradients of gradients: two steps on each task, and the loss after them."""
    import haiku as hk
    tasks, n, width = pick(size, (4, 10, 24), (32, 64, 128))
    net = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([width, width, 1], activation=jnp.tanh)(x)))
    params, optimizer = net.init(jax.random.PRNGKey(0), numpy.zeros((1, 1), numpy.float32)), optax.adam(1e-3)
    fit = lambda p, x, y: ((net.apply(p, x) - y) ** 2).mean()

    def loss_of(params, x, y, x_after, y_after):
        def one(x, y, x_after, y_after):
            p = params
            for _ in range(2):
                p = jax.tree.map(lambda a, b: a - 0.1 * b, p, jax.grad(fit)(p, x, y))
            return fit(p, x_after, y_after)
        return jax.vmap(one)(x, y, x_after, y_after).mean()
    batch = [normal(tasks, n + i, 1)[:, :n] for i in range(4)]
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), *batch), (0, 1)


@step
def rlax_categorical(size, checkpoint):
    """A distribution over returns: the atoms are constants that many kernels read."""
    import rlax
    n, width, actions, n_atoms = pick(size, (16, 8, 3, 11), (512, 256, 18, 51))
    atoms = jnp.linspace(-2, 2, n_atoms)

    def loss_of(w, x, x_next, action, reward, discount):
        q = (x @ w).reshape(n, actions, n_atoms)
        target = (x_next @ jax.lax.stop_gradient(w)).reshape(n, actions, n_atoms)
        return jax.vmap(rlax.categorical_q_learning, (None, 0, 0, 0, 0, None, 0))(atoms, q, action, reward, discount, atoms, target).mean()
    params, optimizer = normal(width, actions * n_atoms), optax.adam(1e-3)
    batch = normal(n, width), normal(width, n).T, labels(actions, n), normal(n), numpy.full(n, 0.9, numpy.float32)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), *batch), (0, 1)


@step
def linen_seq2seq(size, checkpoint):
    from flax import linen as nn
    n, width, words = pick(size, (4, 24, 10), (64, 256, 64))

    class Translator(nn.Module):
        @nn.compact
        def __call__(self, question, answer):
            carry, _ = nn.RNN(nn.OptimizedLSTMCell(width), return_carry=True)(question)
            return nn.Dense(words)(nn.RNN(nn.OptimizedLSTMCell(width))(answer, initial_carry=carry))
    question, answer = (numpy.eye(words, dtype=numpy.float32)[labels(words, n, length)] for length in (9, 7))
    model = Translator()
    params, optimizer = model.init(jax.random.PRNGKey(0), question, answer), optax.adam(3e-3)
    loss_of = lambda p, question, answer: optax.softmax_cross_entropy(model.apply(p, question, answer)[:, :-1], answer[:, 1:]).mean()
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), question, answer), (0, 1)


@step
def optax_lookahead(size, checkpoint):
    """Fast and slow weights, each made of both."""
    n, width = pick(size, (8, 16), (512, 256))
    layers = [{"w": normal(width, width) / width ** 0.5, "b": numpy.zeros(width, numpy.float32)} for _ in range(4)]
    params, optimizer = optax.LookaheadParams.init_synced(layers), optax.lookahead(optax.adam(1e-3), sync_period=5, slow_step_size=0.5)

    def loss_of(layers, x, y):
        for layer in layers[:-1]:
            x = jnp.tanh(x @ layer["w"] + layer["b"])
        return cross_entropy(x @ layers[-1]["w"] + layers[-1]["b"], y)

    def train(params, state, x, y):
        value, gradients = jax.value_and_grad(checkpoint(loss_of))(params.fast, x, y)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value
    return train, (params, optimizer.init(params), normal(n, width), labels(width, n)), (0, 1)


@step
def optax_private(size, checkpoint):
    """A gradient for each example, clipped, and noise on their sum."""
    from optax import contrib
    n, width = pick(size, (16, 16), (128, 128))
    layers = [{"w": normal(width, width) / width ** 0.5, "b": numpy.zeros(width, numpy.float32)} for _ in range(3)]
    optimizer = optax.chain(contrib.differentially_private_aggregate(1.0, 0.1, 0), optax.sgd(0.1))

    def loss_of(layers, x, y):
        for layer in layers[:-1]:
            x = jnp.tanh(x @ layer["w"] + layer["b"])
        return cross_entropy(x @ layers[-1]["w"] + layers[-1]["b"], y)

    def train(layers, state, x, y):
        values, gradients = jax.vmap(jax.value_and_grad(checkpoint(loss_of)), (None, 0, 0))(layers, x, y)
        updates, state = optimizer.update(gradients, state, layers)
        return optax.apply_updates(layers, updates), state, values.mean()
    return train, (layers, optimizer.init(layers), normal(n, width), labels(width, n)), (0, 1)


# ---- Equimo: vision networks, by the names under which it builds them ----

def equimo_step(build, size, checkpoint):
    import equinox
    import equimo.models
    n, side, classes = pick(size, (2, 64, 10), (8, 224, 1000))
    model = build(equimo.models, side, classes, jax.random.PRNGKey(0))
    params, static = equinox.partition(model, equinox.is_inexact_array)
    optimizer = optax.adamw(1e-3)

    def loss_of(params, x, y, key):
        whole = equinox.combine(params, static)
        return cross_entropy(jax.vmap(lambda x, key: whole(x, key=key, inference=False))(x, jax.random.split(key, n)), y)
    batch = normal(n, 3, side, side), labels(classes, n), jax.random.PRNGKey(1)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), *batch), (0, 1)


def equimo_named(name):
    def build(models, side, classes, key):
        return getattr(models, name)(in_channels=3, num_classes=classes, key=key)
    return build


@step
def equimo_attnet(size, checkpoint):
    return equimo_step(equimo_named("attnet_s"), size, checkpoint)


@step
def equimo_iformer(size, checkpoint):
    return equimo_step(equimo_named("iformer_t"), size, checkpoint)


@step
def equimo_convnext(size, checkpoint):
    return equimo_step(equimo_named("convnext_t"), size, checkpoint)


@step
def equimo_mobilenet(size, checkpoint):
    return equimo_step(equimo_named("mobilenetv3_large"), size, checkpoint)


@step
def equimo_reduceformer(size, checkpoint):
    return equimo_step(equimo_named("reduceformer_backbone_b1"), size, checkpoint)


def equimo_class(name):
    def build(models, side, classes, key):
        return getattr(models, name)(img_size=side, in_channels=3, dim=64, patch_size=4, depths=[2, 2, 6, 2], num_heads=[2, 4, 8, 16],
                                     num_classes=classes, key=key)
    return build


@step
def equimo_vssd(size, checkpoint):
    """State spaces as in Mamba-2."""
    return equimo_step(equimo_class("Vssd"), size, checkpoint)


@step
def equimo_mlla(size, checkpoint):
    """Linear attention with gates."""
    return equimo_step(equimo_class("Mlla"), size, checkpoint)


# ---- Penzai: a Llama, its layers written out or in a scan ----

def penzai_step(size, checkpoint, stacked):
    import penzai.pz as pz
    from penzai.models.transformer.variants import llamalike_common as llama
    n, length, heads, width, layers, words = pick(size, (2, 32, 2, 32, 3, 64), (1, 2048, 8, 512, 8, 8000))
    config = llama.LlamalikeTransformerConfig(
        num_kv_heads=heads // 2, query_head_multiplier=2, embedding_dim=width, projection_dim=width // heads, mlp_hidden_dim=3 * width,
        num_decoder_blocks=layers, vocab_size=words, mlp_variant="swiglu", tie_embedder_and_logits=False, use_layer_stack=stacked)
    model, params = pz.unbind_params(llama.build_llamalike_transformer(config, init_base_rng=jax.random.key(0), name="llama"), freeze=True)

    def loss_of(params, tokens):
        places = pz.nx.wrap(jnp.broadcast_to(jnp.arange(length), (n, length)), "batch", "seq")
        logits = pz.bind_variables(model, params)(pz.nx.wrap(tokens, "batch", "seq"), token_positions=places)
        return cross_entropy(logits.unwrap("batch", "seq", "vocabulary")[:, :-1], tokens[:, 1:])
    optimizer = optax.adamw(1e-3)
    return plain_step(checkpoint(loss_of), optimizer), (params, optimizer.init(params), labels(words, n, length)), (0, 1)


@step
def penzai_llama(size, checkpoint):
    return penzai_step(size, checkpoint, False)


@step
def penzai_llama_scan(size, checkpoint):
    return penzai_step(size, checkpoint, True)
