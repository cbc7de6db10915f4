import jax
import jax.numpy as jnp
from evosax.algorithms import CMA_ES

keys = jax.random.split(jax.random.key(0), 4)
solution = jnp.zeros(5)
es = CMA_ES(population_size=16, solution=solution)
params = es.default_params
state = es.init(keys[0], solution, params)
population, state = es.ask(keys[1], state, params)
fitness = jnp.sum(population**2, axis=-1)
state, metrics = es.tell(keys[2], population, fitness, state, params)
best = state.best_fitness
mean = state.mean


def step(state, key):
    ask_key, tell_key = jax.random.split(key)
    population, state = es.ask(ask_key, state, params)
    fitness = jnp.sum(population**2, axis=-1)
    state, metrics = es.tell(tell_key, population, fitness, state, params)
    return state, metrics


state, metrics = jax.lax.scan(step, state, jax.random.split(keys[3], 10))
bests = metrics["best_fitness"]
