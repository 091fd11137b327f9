"""Calls of registered operators, generated from schemas, for operators that PyTorch's samples do not reach."""

import itertools

import torch

# Tensors of one call by argument number; several variants, since operators have different requirements.
THEMES = (
    lambda i: torch.randn(2, 3),
    lambda i: torch.randn(3),
    lambda i: torch.randn(3, 3),
    lambda i: torch.randn(1, 2, 4, 4),
    lambda i: torch.randn(2, 4, 4),
    lambda i: torch.randn(1, 2, 4, 4, 4),
    lambda i: torch.randint(0, 2, (2, 3)),
    lambda i: torch.rand(2, 3) > 0.5,
    lambda i: torch.randn(2, 3) if i != 1 else torch.randint(0, 2, (2, 3)),
    lambda i: torch.randn(2, 3) if i != 2 else torch.randint(0, 2, (2, 3)),
    lambda i: torch.randn(3) if i != 1 else torch.randint(0, 2, (3,)),
    lambda i: torch.randint(0, 2, (2,)) if i == 0 else torch.randn(2),
    lambda i: torch.randint(0, 2, (1, 3)) if i == 0 else torch.randn(3),
    lambda i: torch.randn(3) if i else torch.randn(2, 3),
    lambda i: torch.randn(3) if i else torch.randn(2, 3, 4),
    lambda i: torch.randn(()),
    lambda i: torch.randn(2, 3, dtype=torch.complex64),
    lambda i: torch.randn(2, 3).to_sparse() if i == 0 else torch.randn(2, 3),
    lambda i: torch.randn(3, 3).to_sparse_csr() if i == 0 else torch.randn(3, 3),
    lambda i: torch.quantize_per_tensor(torch.randn(2, 3), 0.1, 0, torch.quint8),
    lambda i: torch.quantize_per_tensor(torch.randn(1, 2, 4, 4), 0.1, 0, torch.quint8),
    lambda i: torch.nested.nested_tensor([torch.randn(2, 3), torch.randn(1, 3)]) if i == 0 else torch.randn(2, 3),
    lambda i: torch.nested.nested_tensor([torch.randn(2, 3), torch.randn(1, 3)], layout=torch.jagged) if i == 0 else torch.randn(3),
)

NUMBERS = {"int": (1, 0, 2), "SymInt": (1, 0, 2), "float": (0.5, 1.0), "number": (1, 0.5), "Scalar": (1, 0.5), "bool": (False, True),
           "complex": (1.0,), "str": ("mean", "linear", "reflect", "sum", "ij->ij"), "ScalarType": (torch.float32, torch.uint8),
           "Device": (torch.device("cpu"),), "Layout": (torch.strided,), "MemoryFormat": (torch.contiguous_format,),
           "Generator": (None,), "Storage": ()}
LISTS = {"int": ([2, 3], [1], [0], [1, 1], [2, 2], [0, 1], [3], [1, 2, 4, 4], [1, 1, 1], []), "float": ([1.0], [1.0, 1.0]),
         "bool": ([False], [True, True], [True, True, True]), "number": ([1],), "str": (["a"],)}
LISTS["SymInt"], LISTS["Scalar"] = LISTS["int"], LISTS["number"]
CALLS = 120  # attempts per operator
KEPT = 6     # successful calls per operator


def kind_of(text):
    """"Tensor?" is ("Tensor", True, 0); "int[2]" is ("int", False, 1)."""
    optional = text.endswith("?")
    text = text.rstrip("?")
    lists = 0
    while text.endswith("]"):
        text = text[:text.rindex("[")].rstrip("?")
        lists += 1
    if text.startswith("Optional["):
        return kind_of(text[9:] + "?")
    if text.startswith("List["):
        return text[5:], optional, 1
    return text.removesuffix("]"), optional, lists


def values_of(argument, number, theme):
    """Returns values for an argument, likely ones first."""
    kind, optional, lists = kind_of(str(argument.type).replace("List[Optional[Tensor]]", "Tensor?[]"))
    if "Tensor" in kind:
        return [[theme(number), theme(number)]] if lists or "List" in str(argument.type) else [theme(number)]
    if "List" in str(argument.type) or lists:
        return list(LISTS.get(kind, ([],)))
    found = list(NUMBERS.get(kind, ()))
    return [None, *found] if optional else found


def samples(overload):
    """Yields arguments of up to CALLS calls of an overload, positional and by keyword; some fit."""
    schema = overload._schema
    tried = 0
    for theme in THEMES:
        for given_defaults in (False, True):
            places = []
            for number, argument in enumerate(schema.arguments):
                if argument.has_default_value() and not (given_defaults and "Tensor" in str(argument.type)):
                    continue
                try:
                    places.append([(argument, value) for value in values_of(argument, number, theme)])
                except Exception:  # this build cannot create the tensor
                    places.append([])
            for chosen in itertools.islice(itertools.product(*places), 8):
                tried += 1
                if tried > CALLS:
                    return
                yield ([value for argument, value in chosen if not argument.kwarg_only],
                       {argument.name: value for argument, value in chosen if argument.kwarg_only})


def overloads():
    """Returns all registered overloads with their names."""
    for schema in torch._C._jit_get_all_schemas():
        library, name = schema.name.split("::")
        try:
            packet = getattr(getattr(torch.ops, library), name)
            yield getattr(packet, schema.overload_name or "default")
        except (AttributeError, RuntimeError):
            continue
