"""``train.py`` with seven mistakes, each in its own function. Check it; do not run it."""

import jax
import jax.numpy as jnp

SIDE, CLASSES, HIDDEN = 8, 10, 32
TRAIN, TEST, BATCH, EPOCHS, RATE = 1000, 200, 50, 5, 0.1


def make_data(key, size):
    key1, key2, key3 = jax.random.split(key, 3)
    patterns = jax.random.normal(key1, (CLASSES, SIDE, SIDE))
    labels = jax.random.randint(key2, (size,), 0, CLASSES)
    noise = jax.random.normal(key3, (size, SIDE, SIDE))
    return patterns[labels] + 2 * noise, labels


def shift_down(image):
    blank = jnp.zeros((1, SIDE))
    return jnp.concatenate([blank, image[:-1]], axis=1)  # expect: array-shape


def blur(image):
    def step(previous, row):
        mixed = 0.5 * previous + 0.5 * row
        return mixed, mixed

    _, blurred = jax.lax.scan(step, jnp.zeros(SIDE, int), image)  # expect: array-dtype
    return blurred


def init(key):
    key1, key2 = jax.random.split(key)
    w1 = jax.random.normal(key1, (SIDE * SIDE, HIDDEN)) / SIDE
    w2 = jax.random.normal(key2, (HIDDEN, CLASSES)) / HIDDEN**0.5
    return {"w1": w1, "b1": jnp.zeros(HIDDEN), "w2": w2, "b2": jnp.zeros(CLASSES)}


def predict(params, image):
    hidden = jax.nn.relu(image.ravel() @ params["w1"] + params["b1"])
    return hidden @ params["w2"] + params["b2"]


batched_predict = jax.vmap(predict, in_axes=(None, 0))


def loss(params, images, labels):
    log_probs = jax.nn.log_softmax(batched_predict(params, images))
    targets = jax.nn.one_hot(labels, HIDDEN)
    return -jnp.sum(log_probs * targets, axis=1).mean()  # expect: array-shape


@jax.jit
def update(params, images, labels):
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    return jax.tree.map(lambda p, g: p - RATE * g, params, grads), value


def train_epoch(key, params, images, labels):
    def step(params, batch):
        return update(params, images[batch], labels[batch])

    order = jax.random.permutation(key, TRAIN)
    return jax.lax.scan(step, params, order.reshape(-1, BATCH))


def accuracy(params, images, labels):
    predicted = batched_predict(params, images).argmax(axis=1)
    return jnp.mean(predicted == labels)  # expect: array-shape


def confidence(params, images):
    probs = jax.nn.softmax(batched_predict(params, images))
    return probs.max(axis=2).mean()  # expect: array-shape


def confusion(params, images, labels):
    predicted = batched_predict(params, images).argmax(axis=1)
    truth = jax.nn.one_hot(labels, CLASSES)
    return truth @ jax.nn.one_hot(predicted, CLASSES)  # expect: array-shape


def templates(params):
    linear = params["w1"] @ params["w2"]
    return linear.T.reshape(HIDDEN, SIDE, SIDE)  # expect: array-shape


def report(params, images, labels):
    sure = confidence(params, images)
    blurred = accuracy(params, jax.vmap(blur)(images), labels)
    shifted = accuracy(params, jax.vmap(shift_down)(images), labels)
    hits = jnp.diagonal(confusion(params, images, labels))
    print(f"  confidence {sure:.0%}, accuracy if blurred {blurred:.0%}, if shifted {shifted:.0%}")
    print(f"  hits {hits.astype(int)}, contrast {templates(params).std():.2f}")


def main():
    key1, key2, key3 = jax.random.split(jax.random.key(0), 3)
    images, labels = make_data(key1, TRAIN + TEST)
    train_images, test_images = images[:TRAIN], images[TRAIN:]
    train_labels, test_labels = labels[:TRAIN], labels[TRAIN:]
    params = init(key2)
    print(f"untrained: accuracy {accuracy(params, test_images, train_labels):.0%}")
    report(params, test_images, test_labels)
    for epoch, epoch_key in enumerate(jax.random.split(key3, EPOCHS)):
        params, losses = train_epoch(epoch_key, params, train_images, train_labels)
        print(f"epoch {epoch}: loss {losses.mean():.3f}")
    report(params, test_images, test_labels)


if __name__ == "__main__":
    main()
