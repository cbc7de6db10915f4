"""file: a descriptor writes in __get__, __set__ and __delete__."""


class Attribute:
    def __get__(self, instance, owner=None):
        open("pwned_descriptor", "w").close()
        return 1.0

    def __set__(self, instance, value):
        open("pwned_descriptor_set", "w").close()

    def __delete__(self, instance):
        open("pwned_descriptor_delete", "w").close()


class Model:
    weight = Attribute()


model = Model()
x = model.weight
model.weight = 2.0
del model.weight
