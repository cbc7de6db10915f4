"""Programs that read configurations, and what is known of them: data of the tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

HEAD = "import jax\nimport jax.numpy as jnp\n"
CONFIG_DICT = f"{HEAD}import ml_collections\n"
OMEGACONF = f"{HEAD}from omegaconf import OmegaConf\n"
HYDRA = f"{HEAD}import hydra\n"
FLAGS = f"{CONFIG_DICT}from absl import app, flags\nfrom ml_collections import config_flags\n"


class Case(NamedTuple):
    """A program, what is shown of its arrays, and other files of the project."""

    text: str
    known: Mapping[str, str]
    files: Mapping[str, str] = {}


CASES = {
    "config of a function": Case(
        f"{CONFIG_DICT}"
        "def get_config():\n"
        "    config = ml_collections.ConfigDict()\n"
        "    config.depth = 3\n"
        "    config.head = ml_collections.ConfigDict({'size': 7, 'kind': 'tanh'})\n"
        "    config.tail = {'sizes': [5, 6]}\n"
        "    return config\n"
        "def model(config, x):\n"
        "    if config.head.kind == 'relu':\n"
        "        return x\n"
        "    return jnp.tanh(x @ jnp.ones((config.depth, config.head.size)))\n"
        "config = get_config()\n"
        "x = model(config, jnp.ones((2, config.depth)))\n"
        "y = jnp.zeros((config['head']['size'], config['head.size'], *config.tail.sizes))\n",
        {"x": "float32[2, 7]", "y": "float32[7, 7, 5, 6]"},
    ),
    "changes": Case(
        f"{CONFIG_DICT}"
        "config = ml_collections.ConfigDict({'a': 1, 'rate': 0.5, 'sizes': (2, 3), 'inner': {'b': 2}})\n"
        "config.update({'a': 4, 'inner': {'c': 3}}, e=5)\n"
        "config.rate, config.sizes, config['f'] = 1, [4, 5], 6\n"
        "with config.unlocked():\n"
        "    config.inner.b += 1\n"
        "del config.e\n"
        "x = jnp.ones((config.a, config.inner.b, config.inner.c, len(config), *config.sizes))\n"
        "y = jnp.asarray(config.rate)\n"
        "z = jnp.ones(config.get('e', 8) + config.get('a') + ('f' in config) + hasattr(config, 'q'))\n",
        {"x": "float32[4, 3, 3, 5, 4, 5]", "y": "weak float32[]", "z": "float32[13]"},
    ),
    "entries": Case(
        f"{CONFIG_DICT}from ml_collections import config_dict\n"
        "def make(b, a, c=1):\n    return jnp.ones((a, b, c))\n"
        "config = config_dict.create(b=2, a=3)\n"
        "x = make(**config)\n"
        "y = jnp.ones([size for _, size in config.items()])\n"
        "z = jnp.ones(tuple(config.to_dict().values()) + tuple(config.values()) + (len(list(config)),))\n"
        "w = make(**{**dict(config), 'c': 5})\n",
        {
            "x": "float32[3, 2, 1]",
            "y": "float32[3, 2]",
            "z": "float32[3, 2, 3, 2, 2]",
            "w": "float32[3, 2, 5]",
        },
    ),
    "frozen": Case(
        f"{CONFIG_DICT}"
        "config = ml_collections.ConfigDict({'sizes': [2, 3], 'n': 4})\n"
        "frozen = ml_collections.FrozenConfigDict(config)\n"
        "config.n = 5\n"
        "x = jnp.ones((*frozen.sizes, frozen.n, config.n))\n"
        "try:\n    frozen.n = 6\n    y = jnp.ones(1)\nexcept AttributeError:\n    y = jnp.ones(2)\n"
        "thawed = ml_collections.ConfigDict(frozen)\n"
        "thawed.n = 7\n"
        "z = jnp.ones((thawed.n, frozen.n))\n"
        "f = jax.jit(lambda config, x: x * config.n, static_argnums=0)\n"
        "u = f(frozen, jnp.ones(3))\n",
        {"x": "float32[2, 3, 4, 5]", "y": "float32[2]", "z": "float32[7, 4]", "u": "float32[3]"},
    ),
    "copies and references": Case(
        f"{CONFIG_DICT}import copy\n"
        "config = ml_collections.ConfigDict({'n': 2, 'inner': {'m': 3}})\n"
        "same = ml_collections.ConfigDict(config)\n"
        "other = copy.deepcopy(config)\n"
        "config.inner.m, config.n = 4, 5\n"
        "x = jnp.ones((same.inner.m, same.n, other.inner.m, other.n))\n"
        "config.k = config.get_ref('n')\n"
        "config.n = 6\n"
        "y = jnp.ones((config.k, config.n))\n"
        "config.double = config.get_ref('n') * 2\n"
        "config.size = ml_collections.config_dict.placeholder(int)\n"
        "config.size = 9\n"
        "z = jnp.ones((config.double, config.size))\n",
        {"x": "float32[4, 2, 3, 2]", "y": "float32[6, 6]", "z": "float32[?, 9]"},
    ),
    "branches": Case(
        f"{CONFIG_DICT}import time\n"
        "config = ml_collections.ConfigDict({'n': 2, 'm': 3})\n"
        "if time.time() > 1:\n    config.n = 4\nelse:\n    config.n = 5\n"
        "x = jnp.ones((config.n, config.m))\n",
        {"x": "float32[?, 3]"},
    ),
    "a file of the program": Case(
        f"{FLAGS}"
        "config_flags.DEFINE_config_file('config', 'configs/small.py')\n"
        "def main(_):\n"
        "    global x\n"
        "    config = flags.FLAGS.config\n"
        "    x = jnp.ones((config.n, config.inner.m))\n"
        "if __name__ == '__main__':\n    app.run(main)\n",
        {"x": "float32[3, 4] by default"},
        {
            "configs/base.py": "import ml_collections\n"
            "def get_config():\n    return ml_collections.ConfigDict({'n': 2, 'inner': {'m': 4}})\n",
            "configs/small.py": "from configs import base\n"
            "def get_config():\n    config = base.get_config()\n    config.n = 3\n    return config\n",
        },
    ),
    "a file with an argument, and a configuration": Case(
        f"{FLAGS}"
        "FILE = config_flags.DEFINE_config_file('config', 'settings.py:wide')\n"
        "OTHER = config_flags.DEFINE_config_dict('other', ml_collections.ConfigDict({'n': 5}))\n"
        "def main(_):\n"
        "    global x, y\n"
        "    x = jnp.ones((FILE.value.n, OTHER.value.n))\n"
        "    y = jnp.ones((2, flags.FLAGS.other.n))\n"
        "if __name__ == '__main__':\n    app.run(main)\n",
        {"x": "float32[8, 5] by default", "y": "float32[2, 5] by default"},
        {
            "settings.py": "import ml_collections\n"
            "def get_config(kind):\n    return ml_collections.ConfigDict({'n': 8 if kind == 'wide' else 1})\n"
        },
    ),
    "files of data": Case(
        f"{HEAD}import json, os, tomllib\nimport yaml\nfrom pathlib import Path\n"
        "with open('configs/base.json') as file:\n    base = json.load(file)\n"
        "x = jnp.ones((base['n'], *base['model']['sizes']))\n"
        "y = jnp.ones(json.loads(Path('configs/base.json').read_text())['n'])\n"
        "FOLDER = Path(__file__).parent / 'configs'\n"
        "small = yaml.safe_load((FOLDER / 'small.yaml').open())\n"
        "z = jnp.ones(small['sizes'])\n"
        "name = 'small'\n"
        "v = jnp.ones(yaml.load(open(f'configs/{name}.yaml'), Loader=yaml.FullLoader)['n'])\n"
        "with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'settings.toml'), 'rb') as file:\n"
        "    settings = tomllib.load(file)\n"
        "w = jnp.ones((settings['n'], settings['inner']['k']))\n"
        "with open('configs/base.json', 'w') as file:\n    json.dump({'n': 9}, file)\n"
        "u = jnp.ones((json.load(open('configs/base.json'))['n'], 2))\n",
        {
            "x": "float32[3, 4, 5]",
            "y": "float32[3]",
            "z": "float32[1, 2]",
            "v": "float32[6]",
            "w": "float32[7, 2]",
            "u": "float32[?, 2]",
        },
        {
            "configs/base.json": '{"n": 3, "model": {"sizes": [4, 5]}}',
            "configs/small.yaml": "n: 6\nsizes: [1, 2]\nwhen: 2024-01-01\n",
            "settings.toml": "n = 7\n[inner]\nk = 2\n",
        },
    ),
    "a file that an option names": Case(
        f"{HEAD}import argparse, json\n"
        "parser = argparse.ArgumentParser()\n"
        "parser.add_argument('--config', default='configs/base.json')\n"
        "with open(parser.parse_args().config) as file:\n    config = json.load(file)\n"
        "x = jnp.ones((config['n'], 2))\n",
        {"x": "float32[3, 2] by default"},
        {"configs/base.json": '{"n": 3}'},
    ),
    "OmegaConf": Case(
        f"{OMEGACONF}"
        "config = OmegaConf.create({'n': 2, 'model': {'sizes': [3, 4], 'width': '${n}', 'twice': '${.width}'}})\n"
        "x = jnp.ones((config.model.width, config['model']['twice'], *config.model.sizes))\n"
        "config.n, config.new = 5, {'k': 6}\n"
        "y = jnp.ones((config.model.twice, config.new.k, len(config.model), config.get('q', 7)))\n"
        "z = jnp.ones(config.model.sizes)\n"
        "w = z.reshape(OmegaConf.to_container(config, resolve=True)['model']['sizes'][::-1])\n"
        "config.model.sizes.append(isinstance(config.model.sizes, list) + 1)\n"
        "config.model.sizes[0] = 9\n"
        "v = jnp.ones(list(config.model.sizes))\n"
        "shared = OmegaConf.create({'a': config.model})\n"
        "config.model.sizes = [1]\n"
        "u = jnp.ones(tuple(shared.a.sizes))\n"
        "def make(k, q=1):\n    return jnp.ones((k, q))\n"
        "t = make(**config.new)\n",
        {
            "x": "float32[2, 2, 3, 4]",
            "y": "float32[5, 6, 3, 7]",
            "z": "float32[3, 4]",
            "w": "float32[4, 3]",
            "v": "float32[9, 4, 1]",
            "u": "float32[9, 4, 1]",
            "t": "float32[6, 1]",
        },
    ),
    "merged configurations": Case(
        f"{OMEGACONF}"
        "base = OmegaConf.load('conf/base.yaml')\n"
        "config = OmegaConf.merge(base, {'model': {'dim': 8}, 'sizes': [1]}, OmegaConf.from_cli())\n"
        "x = jnp.ones((base.model.dim, config.model.heads))\n"
        "y = jnp.ones((config.model.dim, config.model.heads, config.total, *config.sizes))\n"
        "z = jnp.asarray(base.rate)\n"
        "more = OmegaConf.merge(base, OmegaConf.from_dotlist(['model.dim=3', 'extra.k=1e1']))\n"
        "w = jnp.ones((more.model.dim, int(more.extra.k)))\n",
        {
            "x": "float32[4, 2] by default",
            "y": "float32[8, 2, 8, 1] by default",
            "z": "weak float32[]",
            "w": "float32[3, 10]",
        },
        {"conf/base.yaml": "model:\n  dim: 4\n  heads: 2\nrate: 1e-3\ntotal: ${model.dim}\nsizes: [5, 6]\n"},
    ),
    "structured configurations": Case(
        f"{OMEGACONF}from dataclasses import dataclass, field\nfrom typing import Any, List, Optional\n"
        "from omegaconf import MISSING\n"
        "@dataclass\nclass Model:\n    dim: int = 3\n    rate: float = 0.1\n"
        "    sizes: List[int] = field(default_factory=lambda: [1, 2])\n    depth: Optional[int] = None\n"
        "@dataclass\nclass Config:\n    model: Model = field(default_factory=Model)\n    n: int = MISSING\n"
        "    k: int = '${model.dim}'\n    other: Any = 3\n"
        "config = OmegaConf.structured(Config)\n"
        "config = OmegaConf.merge(config, {'n': 4, 'model': {'rate': 2, 'dim': '5'}})\n"
        "x = jnp.ones((config.n, config.model.dim, config.k, *config.model.sizes))\n"
        "y = jnp.asarray(config.model.rate)\n"
        "config.model.depth = 6\n"
        "z = jnp.ones(config.model.depth if 'n' in config else 1)\n"
        "w = jnp.ones(2 if 'n' in OmegaConf.structured(Config(other=4)) else OmegaConf.create(Config).other)\n",
        {"x": "float32[4, 5, 5, 1, 2]", "y": "weak float32[]", "z": "float32[6]", "w": "float32[3]"},
    ),
    "hydra": Case(
        f"{HYDRA}"
        "@hydra.main(version_base=None, config_path='conf', config_name='config')\n"
        "def main(cfg):\n"
        "    global x, y\n"
        "    x = jnp.ones((cfg.n, cfg.model.dim, cfg.model.inner.k, cfg.model.extra, cfg.base))\n"
        "    y = jnp.ones((cfg.lr_steps, cfg.total))\n"
        "if __name__ == '__main__':\n    main()\n",
        {"x": "float32[3, 4, 6, 5, 7] by default", "y": "float32[8, 4] by default"},
        {
            "conf/config.yaml": "defaults:\n  - model: small\n  - optimizer: adam\n  - base\n  - optional extra: none\n"
            "  - _self_\nn: 3\nmodel:\n  extra: 5\ntotal: ${model.dim}\n",
            "conf/base.yaml": "base: 7\nn: 1\n",
            "conf/model/small.yaml": "defaults:\n  - inner: deep\ndim: 4\nextra: 1\n",
            "conf/model/inner/deep.yaml": "k: 6\n",
            "conf/optimizer/adam.yaml": "# @package _global_\nlr_steps: 8\ndefaults:\n  - other\n  - _self_\n",
            "conf/optimizer/other.yaml": "# @package _global_\nlr_steps: 2\n",
        },
    ),
    "hydra, overridden defaults": Case(
        f"{HYDRA}from hydra import compose, initialize\n"
        "with initialize(version_base=None, config_path='conf'):\n"
        "    cfg = compose('config')\n"
        "    wide = compose(config_name='config', overrides=['model=c', 'n=8', '+new.k=2'])\n"
        "x = jnp.ones((cfg.n, cfg.model.dim, cfg.other.dim))\n"
        "y = jnp.ones((wide.n, wide.model.dim, wide.new.k))\n",
        {"x": "float32[3, 2, 1]", "y": "float32[8, 5, 2]"},
        {
            "conf/config.yaml": "defaults:\n  - _self_\n  - model: a\n  - model@other: a\n  - experiment: e\nn: 1\n",
            "conf/model/a.yaml": "dim: 1\n",
            "conf/model/b.yaml": "dim: 2\n",
            "conf/model/c.yaml": "dim: 5\n",
            "conf/experiment/e.yaml": "# @package _global_\ndefaults:\n  - override /model: b\nn: 3\n",
        },
    ),
    "hydra, stored configurations": Case(
        f"{HYDRA}from dataclasses import dataclass, field\nfrom hydra.core.config_store import ConfigStore\n"
        "@dataclass\nclass Model:\n    dim: int = 3\n    rate: float = 1\n"
        "@dataclass\nclass Config:\n    model: Model = field(default_factory=Model)\n    n: int = 4\n"
        "store = ConfigStore.instance()\nstore.store(name='config', node=Config)\n"
        "@hydra.main(version_base=None, config_path=None, config_name='config')\n"
        "def main(cfg):\n"
        "    global x, y\n"
        "    x = jnp.ones((cfg.n, cfg.model.dim))\n"
        "    y = jnp.asarray(cfg.model.rate)\n"
        "if __name__ == '__main__':\n    main()\n",
        {"x": "float32[4, 3] by default", "y": "weak float32[] by default"},
    ),
    "attrs": Case(
        f"{HEAD}import attr\nimport attrs\nfrom attrs import define, field\n"
        "@define\nclass Base:\n    n: int = 3\n    sizes: list = field(factory=lambda: [1, 2])\n"
        "@define(kw_only=True)\nclass Config(Base):\n    m: int = field(default=4, converter=int)\n"
        "    twice: int = field(init=False)\n"
        "    def __attrs_post_init__(self):\n        self.twice = 2 * self.n\n"
        "config = Config(n=5, m='6')\n"
        "config.m = '7'\n"
        "x = jnp.ones((config.n, *config.sizes, config.m, config.twice))\n"
        "@attr.s\nclass Old:\n    a = attr.ib(default=2)\n    _b = attr.ib(default=attr.Factory(list))\n"
        "    c = attr.ib()\n    note: int = 3\n"
        "    @c.default\n    def _of_c(self):\n        return self.a + 1\n"
        "y = jnp.ones((Old(b=[1]).c, Old(4).c, len(Old(b=[1, 2])._b)))\n"
        "@attrs.frozen\nclass Frozen:\n    k: int\n    q: int = 5\n"
        "frozen = attrs.evolve(Frozen(2), q=9)\n"
        "z = jnp.ones((frozen.k, attrs.asdict(frozen)['q'], 1 + (Frozen(1) == Frozen(2))))\n"
        "try:\n    Frozen()\n    w = jnp.ones(1)\nexcept TypeError:\n    w = jnp.ones(2)\n",
        {"x": "float32[5, 1, 2, 7, 10]", "y": "float32[3, 5, 2]", "z": "float32[2, 9, ?]", "w": "float32[2]"},
    ),
    "pydantic": Case(
        f"{HEAD}from typing import Literal, Optional\n"
        "from pydantic import BaseModel, ConfigDict, Field, field_validator, validator\n"
        "class Model(BaseModel):\n    model_config = ConfigDict(extra='forbid')\n    dim: int = 3\n    rate: float = 1\n"
        "    sizes: list[int] = Field(default_factory=lambda: [1, 2])\n    depth: Optional[int] = None\n"
        "    kind: Literal['a', 'b'] = 'a'\n"
        "class Config(BaseModel):\n    n: int\n    model: Model = Model()\n    k: int = Field(7, ge=0)\n"
        "    def total(self):\n        return self.n + self.k\n"
        "config = Config(n='4', model={'dim': 8, 'rate': 2}, ignored=1)\n"
        "x = jnp.ones((config.n, config.model.dim, *config.model.sizes, config.total()))\n"
        "y = jnp.asarray(config.model.rate)\n"
        "v = jnp.asarray(Model().rate)\n"
        "config.k = 2\n"
        "copy = config.model_copy(update={'n': 5})\n"
        "z = jnp.ones((copy.n, copy.k, config.model_dump()['model']['dim'], Config.model_validate({'n': 6}).n))\n"
        "class Checked(BaseModel):\n    n: int = 3\n"
        "    @validator('n')\n    @classmethod\n    def more(cls, n):\n        return n + 1\n"
        "w = jnp.ones((Checked(n=4).n, 2))\n"
        "def model(config, x):\n    return x @ jnp.ones((config.dim, 2)) if config.kind == 'a' else x\n"
        "u = model(Model(dim=9), jnp.ones((3, 9)))\n",
        {
            "x": "float32[4, 8, 1, 2, 11]",
            "y": "weak float32[]",
            "v": "weak int32[]",
            "z": "float32[5, 2, 8, 6]",
            "w": "float32[?, 2]",
            "u": "float32[3, 2]",
        },
    ),
    "pydantic: validators": Case(
        f"{HEAD}from typing import Optional\n"
        "from pydantic import BaseModel, Field, computed_field, field_validator, model_validator\n"
        "class Base(BaseModel):\n    heads: int = Field(default=2, ge=1)\n    dim: int = 6\n    size: int = 3\n"
        "    inner: Optional[int] = None\n"
        "    @field_validator('dim')\n    @classmethod\n    def divided(cls, v: int, info) -> int:\n"
        "        if v % info.data['heads'] != 0:\n            raise ValueError(f'{v} is not divided')\n        return v\n"
        "    @field_validator('size', mode='before')\n    @classmethod\n    def read(cls, v):\n"
        "        return v.strip('px') if isinstance(v, str) else v\n"
        "    @model_validator(mode='after')\n    def filled(self):\n"
        "        if self.inner is None:\n            self.inner = 4 * self.dim\n        return self\n"
        "    @computed_field\n    @property\n    def each(self) -> int:\n        return self.dim // self.heads\n"
        "class Config(Base):\n    more: int = 1\n"
        "    @field_validator('more', 'size')\n    def doubled(cls, v):\n        return 2 * v\n"
        "    @model_validator(mode='before')\n    @classmethod\n    def renamed(cls, data):\n"
        "        if 'width' in data:\n            data = {**data, 'dim': data['width']}\n        return data\n"
        "def sizes(c):\n    return jnp.ones((c.heads, c.dim, c.size, c.inner, c.each))\n"
        "a = sizes(Base())\n"
        "b = sizes(Base(heads='3', dim=9, size='5px', inner=7))\n"
        "c = sizes(Config(width=8, size='5px'))\n"
        "d = jnp.ones((Config(more=3).more, Config().more, Config(dim=4).model_dump()['each']))\n"
        "try:\n    Base(heads=4, dim=6)\n    e = jnp.ones(1)\nexcept ValueError:\n    e = jnp.ones(2)\n"
        "class Odd(BaseModel):\n    n: int = 3\n    m: int = 2\n"
        "    @field_validator('n', mode='wrap')\n    @classmethod\n    def other(cls, v, handler):\n        return handler(v) + 1\n"
        "f = jnp.ones((Odd(n=1).n, 2))\n"
        "class Later(Odd):\n    k: int = 1\n"
        "g = jnp.ones((Later(n=1).n, 2))\n"
        "import json, sys\nread = json.loads(sys.stdin.read() or '{}')\n"
        "def of_any(c):\n    return jnp.ones((c.heads, c.dim)) * c.size\n"
        "h = of_any(Config(**read))\ni = jnp.ones((2, Odd(**read).n))\n"
        "inner = Config(**read).inner\nj = jnp.ones((2, 1 if inner is None else inner))\n",
        {
            "a": "float32[2, 6, 3, 24, 3]",
            "b": "float32[3, 9, 5, 7, 3]",
            "c": "float32[2, 8, 10, 32, 4]",
            "d": "float32[6, 1, 2]",
            "e": "float32[2]",
            "f": "float32[?, 2]",
            "g": "float32[?, 2]",
            "h": "float32[?, ?]",
            "i": "float32[2, ?]",
            "j": "float32[2, ?]",
        },
    ),
}
