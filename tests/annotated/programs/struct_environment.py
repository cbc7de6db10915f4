"""A point-mass environment with a state in a flax dataclass, stepped in batches."""

import jax
import jax.numpy as jnp
from flax import struct
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray


@struct.dataclass
class EnvState:
    position: Float[Array, "*envs 2"]
    velocity: Float[Array, "*envs 2"]
    time: Int[Array, "*envs"]


@struct.dataclass
class EnvParams:
    dt: float = 0.1
    max_steps: int = struct.field(pytree_node=False, default=8)


def reset(key: PRNGKeyArray, params: EnvParams) -> tuple[Float[Array, "obs=5"], EnvState]:
    position = jax.random.uniform(key, (2,), minval=-1.0, maxval=1.0)
    state = EnvState(position=position, velocity=jnp.zeros(2), time=jnp.array(0))
    return observe(state, params), state


def observe(state: EnvState, params: EnvParams) -> Float[Array, "obs=5"]:
    remaining = 1.0 - state.time / params.max_steps
    return jnp.concatenate([state.position, state.velocity, remaining[None]])


def step(
    state: EnvState, action: Float[Array, "2"], params: EnvParams
) -> tuple[Float[Array, "obs=5"], EnvState, Float[Array, ""], Bool[Array, ""]]:
    velocity = 0.9 * state.velocity + params.dt * jnp.clip(action, -1, 1)
    position = state.position + params.dt * velocity
    state = state.replace(position=position, velocity=velocity, time=state.time + 1)
    reward = -jnp.linalg.norm(position)
    done = state.time >= params.max_steps
    return observe(state, params), state, reward, done


def policy(w: Float[Array, "obs act"], obs: Float[Array, "obs"]) -> Float[Array, "act"]:
    return jnp.tanh(obs @ w)


params = EnvParams()
w = 0.1 * jax.random.normal(jax.random.PRNGKey(0), (5, 2))
obs, states = jax.vmap(reset, in_axes=(0, None))(jax.random.split(jax.random.PRNGKey(1), 3), params)
total = jnp.zeros(3)
for _ in range(4):
    actions = jax.vmap(policy, in_axes=(None, 0))(w, obs)
    obs, states, rewards, done = jax.vmap(step, in_axes=(0, 0, None))(states, actions, params)
    total = total + jnp.where(done, 0.0, rewards)
print(total, states.time)
