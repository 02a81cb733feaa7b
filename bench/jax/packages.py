# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packages.py [NAME ...]: short programs in the form of public packages' introductions, on JAX's CPU, on Echo and on Echo with budget=min, each in a process of its own.

Run by a Python with JAX, the wheel and the packages of the programs that are asked for. Prints of each the largest temporaries of any program that it compiles
(JAX's memory_analysis), processor time, the largest difference of any result from JAX's CPU as part of its 2-norm (of whole numbers: the part that differs), and
whether the bits are the same with both budgets. What is drawn is drawn from fixed keys."""

import functools
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import time

PLATFORMS = {"cpu": {"JAX_PLATFORMS": "cpu"}, "echo": {"JAX_PLATFORMS": "echo"}, "min": {"JAX_PLATFORMS": "echo", "ECHO_OPTIONS": "budget=min"}}
DOUBLE = {"s2fft", "tinygp"}  # what computes in f64


def policies():
    """Every checkpoint policy, offloading among them, over layers written out and in a scan."""
    from jax.ad_checkpoint import checkpoint_name

    of = jax.checkpoint_policies
    key = jax.random.key(0)
    weights = jax.random.normal(key, (6, 64, 64)) * 0.15
    x = jax.random.normal(key, (128, 64))

    def block(w, x):
        h = checkpoint_name(jnp.tanh(x @ w), "h")
        return checkpoint_name(jnp.sin(h @ w.T), "o") + x

    is_echo = jax.devices()[0].platform == "echo"
    cases = {
        "nothing": None,
        "dots": of.dots_saveable,
        "names": of.save_only_these_names("h"),
        "other names": of.save_anything_except_these_names("h"),
        "everything": of.everything_saveable,
        "both": of.save_from_both_policies(of.dots_saveable, of.save_only_these_names("o")),
        "offload": of.save_and_offload_only_these_names(
            names_which_can_be_saved=["o"], names_which_can_be_offloaded=["h"], offload_src="device", offload_dst="pinned_host"
        )
        if is_echo
        else of.save_only_these_names("h"),
        "offload dots": of.offload_dot_with_no_batch_dims("device", "pinned_host") if is_echo else of.dots_with_no_batch_dims_saveable,
    }
    results = {}
    for name, policy in cases.items():
        layer = jax.checkpoint(block, policy=policy)
        inner = jax.checkpoint(block, policy=policy, prevent_cse=False)
        unrolled = lambda ws: jnp.mean(functools.reduce(lambda x, w: layer(w, x), ws, x) ** 2)
        scanned = lambda ws: jnp.mean(jax.lax.scan(lambda x, w: (inner(w, x), None), x, ws)[0] ** 2)
        results[name] = [jax.jit(jax.value_and_grad(f))(weights) for f in (unrolled, scanned)]
    return results


def generators():
    """Keys of each implementation of random numbers, and what is drawn with them."""
    results = {}
    for name in ("rbg", "unsafe_rbg", "threefry2x32"):
        key = jax.random.key(7, impl=name)
        keys = jax.random.split(key, 5)
        results[name] = [
            jax.random.normal(key, (1000,)),
            jax.vmap(lambda k: jax.random.uniform(k, (33,)))(keys),
            jax.random.permutation(key, 50),
            jax.random.bits(key, (17,), jnp.uint8),
            jax.random.gamma(key, 2.5, (30,)),
            jax.random.key_data(keys),
            jax.random.key_data(jax.random.fold_in(key, 3)),
        ]
    return results


def ott():
    """Optimal transport: points moved down the gradient of a Sinkhorn cost."""
    from ott.geometry import pointcloud
    from ott.problems.linear import linear_problem
    from ott.solvers.linear import sinkhorn

    x, y = jax.random.normal(jax.random.key(0), (64, 3)), jax.random.normal(jax.random.key(1), (80, 3)) + 1

    def cost(x):
        out = sinkhorn.Sinkhorn(max_iterations=200)(linear_problem.LinearProblem(pointcloud.PointCloud(x, y, epsilon=0.1)))
        return out.reg_ot_cost

    step, costs = jax.jit(jax.value_and_grad(cost)), []
    for _ in range(5):
        value, gradient = step(x)
        x, costs = x - 5 * gradient, costs + [value]
    return x, costs


def flowjax():
    """Two normalizing flows, trained."""
    import equinox as eqx
    import optax
    from flowjax.bijections import RationalQuadraticSpline
    from flowjax.distributions import Normal
    from flowjax.flows import coupling_flow, masked_autoregressive_flow
    from paramax import unwrap

    x = jax.random.normal(jax.random.key(0), (256, 2))
    x = x.at[:, 1].set(x[:, 1] * 0.3 + x[:, 0] ** 2)
    base = Normal(jnp.zeros(2))
    spline = RationalQuadraticSpline(knots=6, interval=4)
    results = []
    for flow in (
        masked_autoregressive_flow(jax.random.key(1), base_dist=base, transformer=spline, flow_layers=3, nn_width=32),
        coupling_flow(jax.random.key(2), base_dist=base, flow_layers=3, nn_width=32),
    ):
        params, static = eqx.partition(flow, eqx.is_inexact_array)
        optimizer = optax.adam(1e-2)
        state = optimizer.init(params)

        @eqx.filter_jit
        def step(params, state):
            loss, gradient = eqx.filter_value_and_grad(lambda p: -jnp.mean(unwrap(eqx.combine(p, static)).log_prob(x)))(params)
            updates, state = optimizer.update(gradient, state)
            return eqx.apply_updates(params, updates), state, loss

        for _ in range(6):
            params, state, loss = step(params, state)
        results.append((loss, jax.tree.leaves(params)))
    return results


def mctx():
    """Monte Carlo tree search, MuZero's and Gumbel MuZero's."""
    import mctx as package

    batch, actions = 4, 5
    prior, value = jax.random.normal(jax.random.key(0), (8, actions)), jax.random.normal(jax.random.key(5), (8,))
    moves = jax.random.normal(jax.random.key(1), (actions, 8, 8)) * 0.4

    def recurrent(_, key, action, state):
        state = jnp.tanh(jnp.einsum("bi,bij->bj", state, moves[action]))
        return package.RecurrentFnOutput(reward=state[:, 0], discount=jnp.full((batch,), 0.9), prior_logits=state @ prior, value=state @ value), state

    state = jax.random.normal(jax.random.key(2), (batch, 8))
    root = package.RootFnOutput(prior_logits=state @ prior, value=state @ value, embedding=state)
    both = []
    for policy in (package.muzero_policy, package.gumbel_muzero_policy):
        search = jax.jit(lambda key: policy(params=(), rng_key=key, root=root, recurrent_fn=recurrent, num_simulations=24))
        out = search(jax.random.key(3))
        both.append((out.action, out.action_weights, out.search_tree.node_values))
    return both


def aqt():
    """Products in int8 and int4, and their gradients."""
    import aqt.jax.v2.config as config

    key = jax.random.key(0)
    a, b = jax.random.normal(key, (16, 64)), jax.random.normal(jax.random.key(1), (64, 24))
    results = []
    for forward, lhs, rhs in ((8, 8, 8), (4, 8, None)):
        product = config.set_context(config.config_v4(fwd_bits=forward, dlhs_bits=lhs, drhs_bits=rhs), key, train_step=None)
        loss = lambda a, b: jnp.sum(jnp.sin(product(a, b, (((1,), (0,)), ((), ())))))
        results.append(jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(a, b))
    return results


def exponax():
    """A gradient through eight steps of Kuramoto and Sivashinsky's equation, and steps of a vorticity, both spectral."""
    import exponax as package

    stepper = package.stepper.KuramotoSivashinsky(1, 60.0, 100, 0.1)
    u = package.ic.RandomTruncatedFourierSeries(1, cutoff=4)(100, key=jax.random.key(0))
    flow = package.stepper.NavierStokesVorticity(2, 1.0, 32, 0.01, diffusivity=0.001)
    w = package.ic.RandomTruncatedFourierSeries(2, cutoff=3)(32, key=jax.random.key(1))
    return jax.jit(jax.grad(lambda u: jnp.sum(package.rollout(stepper, 8)(u)[-1] ** 2)))(u), jax.jit(package.repeat(flow, 5))(w)


def folx():
    """A Laplacian in forward mode."""
    import folx as package

    f = lambda x: jnp.sum(jnp.tanh(x.reshape(4, 3) @ jnp.ones((3, 5)) * 0.1) ** 2) + jnp.sum(jnp.sin(x))
    return jax.jit(lambda x: package.forward_laplacian(f)(x).laplacian)(jax.random.normal(jax.random.key(0), (12,)))


def e3x():
    """The gradient of an equivariant basis."""
    import e3x as package

    basis = functools.partial(package.nn.basis, max_degree=2, num=8, radial_fn=package.nn.reciprocal_bernstein, cutoff_fn=package.nn.smooth_cutoff)
    return jax.jit(jax.grad(lambda x: jnp.sum(basis(x) ** 2)))(jax.random.normal(jax.random.key(0), (10, 3)))


def s2fft():
    """Transforms on the sphere, there and back."""
    import s2fft as package

    bandlimit = 12
    coefficients = package.utils.signal_generator.generate_flm(np.random.default_rng(0), bandlimit, spin=0, reality=False)
    results = []
    for sampling in ("mw", "dh"):
        signal = jax.jit(lambda flm: package.inverse_jax(flm, bandlimit, sampling=sampling))(coefficients)
        results += [signal, jax.jit(lambda f: package.forward_jax(f, bandlimit, sampling=sampling))(signal)]
    return results


def dynamiqs():
    """Schroedinger's and Lindblad's equation of an oscillator, and a gradient through the second."""
    import dynamiqs as package

    package.set_progress_meter(False)
    a = package.destroy(8)
    number, start, times = a.dag() @ a, package.coherent(8, 1.0), jnp.linspace(0, 1, 11)
    energy = a.dag() @ a.dag() @ a @ a * 0.5 + 0.3 * (a + a.dag())
    pure = package.sesolve(energy, start, times, exp_ops=[number]).expects
    open_system = package.mesolve(energy, [0.4 * a], start, times, exp_ops=[number, a]).expects
    loss = lambda w: package.mesolve(w * (a + a.dag()) + number, [0.2 * a], start, times, exp_ops=[number]).expects[0, -1].real
    return pure, open_system, jax.jit(jax.value_and_grad(loss))(0.4)


def solvers():
    """lineax, optimistix, diffrax: solutions and gradients through them."""
    import diffrax
    import lineax
    import optimistix

    matrix = jax.random.normal(jax.random.key(0), (20, 20)) + 6 * jnp.eye(20)
    b = jax.random.normal(jax.random.key(1), (20,))
    definite = lineax.positive_semidefinite_tag
    results = {}
    for name, (m, solver, tags) in {
        "lu": (matrix, lineax.LU(), ()),
        "qr": (matrix[:, :9], lineax.QR(), ()),
        "svd": (matrix, lineax.SVD(), ()),
        "cg": (matrix @ matrix.T, lineax.CG(1e-5, 1e-5), definite),
        "cholesky": (matrix @ matrix.T, lineax.Cholesky(), definite),
    }.items():
        loss = lambda m, b: jnp.sum(lineax.linear_solve(lineax.MatrixLinearOperator(m, tags), b, solver).value ** 2)
        results[name] = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(m, b)
    equations = lambda y, a: jnp.stack([y[0] ** 2 + a * y[1] - 1.5, jnp.sin(y[1]) + y[0] * 0.3])
    root = lambda a: jnp.sum(optimistix.root_find(equations, optimistix.Newton(1e-5, 1e-5), jnp.array([1.0, 0.1]), a, throw=False).value)
    results["newton"] = jax.jit(jax.value_and_grad(root))(jnp.float32(0.7))
    valley = lambda y, a: (1 - y[0]) ** 2 + 10 * (y[1] - y[0] ** 2) ** 2
    least = lambda y: optimistix.minimise(valley, optimistix.BFGS(1e-5, 1e-5), y, max_steps=300, throw=False).value
    results["bfgs"] = jax.jit(least)(jnp.array([-1.0, 0.5]))
    noise = diffrax.VirtualBrownianTree(0.0, 1.0, 1e-3, (), jax.random.key(2))
    terms = diffrax.MultiTerm(diffrax.ODETerm(lambda t, y, a: -a * y), diffrax.ControlTerm(lambda t, y, a: 0.3 * y, noise))
    results["noise"] = jax.jit(jax.grad(lambda a: diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, 0.05, 1.0, a).ys[0]))(0.8)
    return results


def brax():
    """Ten steps of a pendulum under a linear policy, and the gradient through them. MuJoCo's MJX knows the devices of XLA alone unless it is told its way."""
    from mujoco import mjx

    mjx.put_model, mjx.make_data = (functools.partial(make, impl="jax") for make in (mjx.put_model, mjx.make_data))
    from brax import envs

    env = envs.get_environment("inverted_pendulum", backend="spring")
    start = jax.jit(env.reset)(jax.random.PRNGKey(0))

    def run(policy):
        act = lambda state, _: (env.step(state, jnp.tanh(state.obs @ policy)), state.reward)
        state, rewards = jax.lax.scan(act, start, length=10)
        return -jnp.sum(state.obs**2), rewards

    return jax.jit(jax.value_and_grad(run, has_aux=True))(jnp.full((env.observation_size, env.action_size), 0.1))


def tinygp():
    """A Gaussian process's hyperparameters, trained in f64."""
    import optax
    from tinygp import GaussianProcess, kernels

    x = jnp.linspace(0, 10, 80)
    y = jnp.sin(x) + 0.1 * jax.random.normal(jax.random.key(0), (80,))

    def loss(p):
        kernel = jnp.exp(p[0]) * kernels.ExpSquared(jnp.exp(p[1])) + jnp.exp(p[2]) * kernels.Matern32(jnp.exp(p[3]))
        return -GaussianProcess(kernel, x, diag=jnp.exp(p[4])).log_probability(y)

    params, optimizer = jnp.array([0.0, 0.3, -1.0, 0.5, -3.0]), optax.adam(0.05)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state):
        value, gradient = jax.value_and_grad(loss)(params)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(params, updates), state, value

    for _ in range(8):
        params, state, value = step(params, state)
    return params, value


PROGRAMS = (policies, generators, ott, flowjax, mctx, aqt, exponax, folx, e3x, s2fft, dynamiqs, solvers, brax, tinygp)


def run_here(name, path):
    """The results of one program as arrays, with its figures, into a file."""
    from jax._src import compiler

    compile_program, temporaries = compiler.compile_or_get_cached, []

    def watched(*args, **options):
        executable = compile_program(*args, **options)
        temporaries.append(executable.get_compiled_memory_stats().temp_size_in_bytes)
        return executable

    compiler.compile_or_get_cached = watched
    jax.config.update("jax_enable_x64", name in DOUBLE)
    begin = time.process_time()
    results = {jax.tree_util.keystr(k): np.asarray(v) for k, v in jax.tree_util.tree_flatten_with_path(globals()[name]())[0]}
    path.write_bytes(pickle.dumps((results, max(temporaries), time.process_time() - begin)))


def difference(x, y):
    """Of y from x: as part of x's 2-norm, of whole numbers the part of them that differs; infinite where shapes, types or what is no number differ."""
    if x.shape != y.shape or x.dtype != y.dtype:
        return float("inf")
    if x.dtype.kind not in "fc":
        return float(np.mean(x != y)) if x.size else 0.0
    finite = np.isfinite(x)
    if not np.array_equal(finite, np.isfinite(y)):
        return float("inf")
    return float(np.linalg.norm(x[finite] - y[finite]) / (np.linalg.norm(x[finite]) or 1))


def main(names):
    print("| program | XLA: temporaries, s | Echo | budget=min | largest difference | bits |\n| --- | --: | --: | --: | --: | --- |", flush=True)
    for name in names:
        with tempfile.TemporaryDirectory() as directory:
            found = {}
            for platform, env in PLATFORMS.items():
                path = pathlib.Path(directory, platform)
                subprocess.run([sys.executable, __file__, "--here", name, path], env={**os.environ, **env}, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                found[platform] = pickle.loads(path.read_bytes())
        cpu, echo, least = (found[platform][0] for platform in PLATFORMS)
        worst = max(difference(cpu[k], echo[k]) for k in cpu)
        is_same = all(echo[k].tobytes() == least[k].tobytes() for k in echo)
        figures = " | ".join(f"{found[platform][1]:,}, {found[platform][2]:.1f}" for platform in PLATFORMS)
        print(f"| {name} | {figures} | {worst:.1e} | {'the same' if is_same else 'OTHERS'} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        import jax
        import jax.numpy as jnp
        import numpy as np

        run_here(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        import numpy as np

        main(sys.argv[1:] or [program.__name__ for program in PROGRAMS])
