"""Lists the names of Python's data model: with two underscores on both sides, of all that the interpreter itself has."""

import builtins
import collections
import collections.abc
import dataclasses
import enum
import functools
import itertools
import json
import sys
import types
import typing
import abc

found = set()
for module in (builtins, collections, collections.abc, types, typing, enum, abc, functools, itertools, dataclasses):
    for value in vars(module).values():
        if isinstance(value, type):
            found.update(name for name in dir(value))
            found.update(name for name in dir(type(value)))
for value in (lambda: 0, sys, [].append, len, (x for x in ()), ValueError().with_traceback):
    found.update(dir(value))
# What the reference of the language names beside those that some class has.
found.update(
    """__new__ __init__ __del__ __repr__ __str__ __bytes__ __format__ __lt__ __le__ __eq__ __ne__ __gt__ __ge__ __hash__ __bool__
    __getattr__ __getattribute__ __setattr__ __delattr__ __dir__ __get__ __set__ __delete__ __set_name__ __slots__
    __init_subclass__ __mro_entries__ __prepare__ __instancecheck__ __subclasscheck__ __class_getitem__ __call__ __len__
    __length_hint__ __getitem__ __setitem__ __delitem__ __missing__ __iter__ __next__ __reversed__ __contains__ __add__ __sub__
    __mul__ __matmul__ __truediv__ __floordiv__ __mod__ __divmod__ __pow__ __lshift__ __rshift__ __and__ __xor__ __or__ __radd__
    __rsub__ __rmul__ __rmatmul__ __rtruediv__ __rfloordiv__ __rmod__ __rdivmod__ __rpow__ __rlshift__ __rrshift__ __rand__
    __rxor__ __ror__ __iadd__ __isub__ __imul__ __imatmul__ __itruediv__ __ifloordiv__ __imod__ __ipow__ __ilshift__ __irshift__
    __iand__ __ixor__ __ior__ __neg__ __pos__ __abs__ __invert__ __complex__ __int__ __float__ __index__ __round__ __trunc__
    __floor__ __ceil__ __enter__ __exit__ __match_args__ __await__ __aiter__ __anext__ __aenter__ __aexit__ __classcell__
    __copy__ __deepcopy__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __getnewargs__ __getnewargs_ex__ __sizeof__
    __subclasshook__ __fspath__ __post_init__ __dict__ __weakref__ __module__ __qualname__ __doc__ __annotations__""".split()
)
json.dump(sorted(name for name in found if name.startswith("__") and name.endswith("__")), sys.stdout)
