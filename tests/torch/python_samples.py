"""Calls of methods, Python functions, and higher-order operators, run by operator_samples.py."""

import collections
import functools
import operator

from sampled_calls import x


def methods(torch, s):
    one = torch.ones(1)
    for name in ("tolist", "item", "__bool__", "__float__", "__int__", "__complex__", "__nonzero__", "__repr__", "__str__",
                 "numpy", "__array__", "__dlpack__", "storage", "untyped_storage", "_typed_storage", "data_ptr",
                 "const_data_ptr", "_use_count"):
        s.method(name, one.clone())
    s.method("__index__", torch.ones(1, dtype=torch.int64))
    s.method("__contains__", x(), 1.0)
    s.method("__format__", one, "")
    s.method("new_tensor", x(), [1.0])
    s.method("new_tensor", x(), x())
    s.method("new", x(), x())
    for name in ("add", "sub", "mul", "mod", "pow", "floordiv", "truediv", "matmul", "div"):
        for form in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            if hasattr(torch.Tensor, form):
                s.method(form, x(3, 3), x(3, 3))
    bits = functools.partial(torch.randint, 0, 4, (3,))
    for name in ("and", "or", "xor", "lshift", "rshift"):
        for form in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            if hasattr(torch.Tensor, form):
                s.method(form, bits(), bits())
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        s.method(f"__{name}__", x(), x())
    for name in ("abs", "neg", "pos", "reversed", "iter"):
        s.method(f"__{name}__", x())
    s.method("__reversed__", torch.tensor(1.0))
    s.method("__invert__", bits())
    s.method("__getitem__", x(), 0)
    s.method("__getitem__", x(), torch.tensor([0]))
    s.method("__setitem__", x(), 0, 1.0)
    s.method("__setattr__", x(), "data", x(3))
    s.method("__deepcopy__", x(), {})
    s.method("unique", x())
    s.method("unique_consecutive", x())
    s.method("split", x(4), 2)
    s.method("lu", x(3, 3))
    s.method("norm", x())
    s.method("unflatten", x(4), 0, (2, 2))
    s.method("copy", [x()])
    s.method("is_set_to", x(), x())


def containers(torch, s):
    for name, args in (("append", (x(),)), ("extend", ([x()],)), ("insert", (0, x())), ("pop", ()), ("clear", ()),
                       ("reverse", ()), ("copy", ()), ("index", (1,)), ("remove", (1,))):
        s.method(name, [1, x()], *args)
    for name, args in (("keys", ()), ("values", ()), ("items", ()), ("get", ("a",)), ("pop", ("a",)), ("popitem", ()),
                       ("setdefault", ("b", x())), ("update", ({"a": x()},)), ("clear", ()), ("copy", ())):
        s.method(name, {"a": x()}, *args)
    for name, args in (("format", ("a",)), ("join", (["a"],)), ("startswith", ("a",)), ("endswith", ("a",)), ("lower", ()),
                       ("upper", ()), ("strip", ())):
        s.method(name, "a", *args)
    pair = collections.namedtuple("Pair", ["a", "b"])(x(), x())
    s.method("_asdict", pair)
    s.method("_replace", pair, a=x())


def python(torch, s):
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "eq", "ne", "lt", "le", "gt", "ge", "iadd",
                 "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"):
        s.function(getattr(operator, name), x(3, 3), x(3, 3))
    s.function(operator.add, [x()], [x()])
    s.function(operator.mul, [x()], 2)
    s.function(operator.iadd, [x()], [x()])
    for name in ("and_", "or_", "xor", "lshift", "rshift", "iand", "ior", "ixor", "ilshift", "irshift"):
        s.function(getattr(operator, name), torch.randint(0, 4, (3,)), torch.randint(0, 4, (3,)))
    for name in ("abs", "neg", "pos"):
        s.function(getattr(operator, name), x())
    for name in ("inv", "invert"):
        s.function(getattr(operator, name), torch.randint(0, 4, (3,)))
    for name in ("not_", "truth", "index"):
        s.function(getattr(operator, name), torch.ones(1, dtype=torch.int64))
    s.function(operator.concat, [x()], [x()])
    s.function(operator.iconcat, [x()], [x()])
    s.function(operator.contains, [1], 1)
    s.function(operator.countOf, [1], 1)
    s.function(operator.indexOf, [1], 1)
    s.function(operator.length_hint, [1])
    s.function(operator.getitem, x(), 0)
    s.function(operator.getitem, x(), torch.tensor([0]))
    s.function(operator.getitem, [x()], 0)
    s.function(operator.setitem, x(), 0, 1.0)
    s.function(operator.setitem, [x()], 0, x())
    s.function(operator.delitem, [x()], 0)
    s.function(operator.is_, x(), x())
    s.function(operator.is_not, x(), x())
    one = torch.ones(1)
    for function in (complex, str, repr, abs, bool, len, type, callable, id, hash, list, tuple, sorted, reversed, iter, sum, min,
                     max, any, all, set, frozenset, enumerate, zip):
        s.function(function, one.clone())
        if function not in (complex, hash, id, abs):
            s.function(function, [1, 2])
    s.function(list, [x()])
    s.function(tuple, [x()])
    s.function(max, x(1), x(1))
    s.function(dict, {"a": x()})
    s.function(divmod, 5, 2)
    s.function(pow, x(), 2)
    s.function(hasattr, x(), "T")
    s.function(getattr, x(), "T")
    s.function(getattr, x(), "shape")
    s.function(getattr, x(), "data")
    s.function(setattr, x(), "data", x(3))
    s.function(format, 1, "")
    s.function(range, 3)
    s.function(slice, 3)
    s.function(print, "")
    for function, value in ((chr, 65), (ord, "a"), (hex, 65), (bin, 65)):
        s.function(function, value)


def higher_order(torch, s):
    """Higher-order operators as in their graphs, with plain functions as branches and bodies."""
    cond, loop = torch.ops.higher_order.cond, torch.ops.higher_order.while_loop
    yes = torch.tensor(True)
    s.named("torch.ops.higher_order.cond", lambda p, args: cond(p, lambda a: (a.sin(),), lambda a: (a.cos(),), args), yes, (x(),))
    s.named("torch.ops.higher_order.cond", lambda p, args: cond(p, lambda a: (a,), lambda a: (a,), args), yes, (x(),))
    s.named("torch.ops.higher_order.while_loop",
            lambda args: loop(lambda a: a.sum() > 1e9, lambda a: (a + 1,), args, ()), (x(),))
