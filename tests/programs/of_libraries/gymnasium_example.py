import gymnasium as gym
import jax.numpy as jnp

env = gym.make("CartPole-v1", max_episode_steps=50)
obs, info = env.reset(seed=0)
x = jnp.array(obs)
weights = jnp.zeros((env.observation_space.shape[0], env.action_space.n))
for _ in range(3):
    logits = jnp.asarray(obs) @ weights
    action = int(jnp.argmax(logits))
    obs, reward, terminated, truncated, info = env.step(action)
y = jnp.asarray(obs)[None]
drawn = jnp.asarray(env.action_space.sample())
pendulum = gym.make("Pendulum-v1")
state, _ = pendulum.reset()
high = jnp.array(pendulum.action_space.high)
clipped = jnp.clip(jnp.array(state)[:1], -high, high)
torque = jnp.asarray(pendulum.action_space.sample())
envs = gym.make_vec("CartPole-v1", num_envs=4)
batch, _ = envs.reset(seed=1)
observed = jnp.array(batch)
actions = jnp.zeros((envs.num_envs, envs.single_action_space.n))
after, rewards, done, cut, _ = envs.step(envs.action_space.sample())
ended = jnp.logical_or(jnp.array(done), jnp.array(cut))
lake = gym.make("FrozenLake-v1")
table = jnp.zeros((lake.observation_space.n, lake.action_space.n))
