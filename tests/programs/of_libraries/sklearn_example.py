import jax
import jax.numpy as jnp
import sklearn.datasets
from sklearn import datasets
from sklearn.datasets import load_digits, make_blobs, make_classification, make_moons, make_regression
from sklearn.decomposition import PCA
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

iris = datasets.load_iris()
x = jnp.array(iris.data)
y = jnp.array(iris.target)
wine, kinds = sklearn.datasets.load_wine(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(wine, kinds, test_size=0.2, random_state=0)
scaler = StandardScaler().fit(x_train)
scaled = jnp.asarray(scaler.transform(x_train))
tested = jnp.asarray(scaler.transform(x_test), jnp.float32)
labels = jax.nn.one_hot(y_test, 3)
both = StandardScaler()
again = jnp.asarray(both.fit_transform(x_test))
digits = load_digits()
images = jnp.array(digits.images)
flat, target = load_digits(return_X_y=True)
hot = jax.nn.one_hot(target, 10)
moons, sides = make_moons(n_samples=300, noise=0.1)
points = jnp.array(moons)
side = jnp.array(sides)
blobs, _ = make_blobs(60, 3, centers=4)
centered = jnp.array(blobs) - jnp.array(blobs).mean(0)
rows, classes = make_classification(n_samples=80)
weighted = jnp.array(rows) @ jnp.ones(20)
inputs, outputs = make_regression(n_samples=50, n_features=7)
fitted = jnp.array(inputs).T @ jnp.array(outputs)
default_train, default_test = train_test_split(moons)
first = jnp.array(default_train)
second = jnp.array(default_test)
reduced = jnp.array(PCA(n_components=2).fit_transform(wine))
score = jnp.array(accuracy_score(kinds, kinds))
