"""file: a metaclass writes in __prepare__, __new__, __call__ and __instancecheck__."""


def touch(name):
    open("pwned_metaclass_" + name, "w").close()


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        touch("prepare")
        return {}

    def __new__(mcs, name, bases, namespace):
        touch("new")
        return super().__new__(mcs, name, bases, namespace)

    def __call__(cls, *args):
        touch("call")
        return super().__call__(*args)

    def __instancecheck__(cls, instance):
        touch("instancecheck")
        return True


class Model(metaclass=Meta):
    pass


x = Model()
y = isinstance(3, Model)
