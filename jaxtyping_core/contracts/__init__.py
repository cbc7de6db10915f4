"""What annotations say of arrays, in jaxtyping's notation and in ours: read once, into data that every client uses.

axes         one axis, whichever notation it has
dim_strings  jaxtyping's dim strings, with their grammar, read into axes
shape_types  the shape parameter of our `Array`, read into axes
dtype_names  the names of dtypes in both notations
syntax       annotations as they are written, of programs that are not run
forms        annotations as data
reading      the annotations of a function, read into forms
classes      classes as annotations: their fields, and how objects are made
binding      what names stand for in a call, and whether a shape fits its axes
verdicts     what is known of a value and its annotation
values       values as they are compared with annotations
assuming     `assume`: what a caller may pass for an annotation
checking     `check`, by which every client compares a value with its annotation
"""
