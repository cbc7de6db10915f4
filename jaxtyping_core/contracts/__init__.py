"""What annotations declare of arrays, in jaxtyping's form and in ours, and whether values are as declared.

axes        one axis of an array as an annotation declares it, and what stands for its name in a call
forms       annotations as data
reading     the annotations of a function, read into forms
classes     classes as annotations: their fields, and how objects are made
fitting     whether a value is as its form says
"""
