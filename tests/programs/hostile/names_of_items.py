"""file: names of fields are code, in annotations to which an item is added."""

import dataclasses


class Config:
    size: int = 3


Config.__annotations__["x:open('pwned_names_of_items', 'w'), *y"] = int
Config = dataclasses.dataclass(Config)
