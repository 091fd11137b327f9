"""Observes the effect of a call on memory: contents before and after, memory of results, and the random number generator."""

import ctypes
import dataclasses

import torch
from torch.utils import _pytree as pytree


def tensors_in(value):
    """Returns all tensors in a value, including those in lists, tuples, dicts, and sparse tensors."""
    found = []
    for leaf in pytree.tree_leaves(value):
        if isinstance(leaf, torch.Tensor):
            found.append(leaf)
        elif isinstance(leaf, slice):
            found += [x for x in (leaf.start, leaf.stop, leaf.step) if isinstance(x, torch.Tensor)]
    return found


def dense_parts(tensor):
    """Returns the strided tensors that a tensor consists of. Empty if its memory cannot be checked."""
    if tensor.is_nested and tensor.layout == torch.jagged:
        return [part for part in (tensor.values(), tensor.offsets(), tensor.lengths()) if part is not None]
    if tensor.is_nested:
        return [tensor.values()]
    if tensor.layout == torch.sparse_coo:
        return [tensor._indices(), tensor._values()]
    if tensor.layout in (torch.sparse_csr, torch.sparse_bsr):
        return [tensor.crow_indices(), tensor.col_indices(), tensor.values()]
    if tensor.layout in (torch.sparse_csc, torch.sparse_bsc):
        return [tensor.ccol_indices(), tensor.row_indices(), tensor.values()]
    if tensor.layout == torch.strided and tensor.device.type == "cpu":
        return [tensor]
    return []


def storages(value):
    """Returns non-empty storages by address."""
    found = {}
    for tensor in tensors_in(value):
        for part in dense_parts(tensor):
            storage = part.untyped_storage()
            if storage.nbytes():
                found[storage.data_ptr()] = storage
    return found


def content(storage):
    return ctypes.string_at(storage.data_ptr(), storage.nbytes())


def form(value):
    """Returns shape, strides, and address of every tensor."""
    return [(tuple(part.shape), part.stride(), part.storage_offset(), part.dtype, part.untyped_storage().data_ptr(),
             part.untyped_storage().nbytes())
            for tensor in tensors_in(value) for part in dense_parts(tensor)]


@dataclasses.dataclass
class Observation:
    written: set = dataclasses.field(default_factory=set)
    reshaped: set = dataclasses.field(default_factory=set)
    shared: set = dataclasses.field(default_factory=set)  # slots whose memory a result shares
    itself: set = dataclasses.field(default_factory=set)  # slots that are the result
    elsewhere: set = dataclasses.field(default_factory=set)  # slots with a result outside their memory
    random: bool = False
    result: object = None


def observe(call, slots):
    """Runs `call()` and returns its effect on the values in `slots`."""
    before = [storages(value) for value in slots]
    contents = {address: content(storage) for there in before for address, storage in there.items()}
    forms = [form(value) for value in slots]
    generator = torch.get_rng_state()
    seen = Observation(result=call())
    seen.random = not torch.equal(generator, torch.get_rng_state())
    results = [tensor for tensor in tensors_in(seen.result) if tensor.numel()]
    for i, value in enumerate(slots):
        if any(storage.nbytes() != len(contents[address]) or content(storage) != contents[address]
               for address, storage in before[i].items()):
            seen.written.add(i)
        if form(value) != forms[i]:
            seen.reshaped.add(i)
        mine = storages(value).keys() | before[i].keys()
        if any(mine & storages(result).keys() for result in results):
            seen.shared.add(i)
        if mine and any(not mine & storages(result).keys() for result in results):
            seen.elsewhere.add(i)
        if isinstance(value, torch.Tensor) and isinstance(seen.result, torch.Tensor):
            if seen.result is value or form(seen.result) == form(value):
                seen.itself.add(i)
    return seen


def faults(seen, said, slots):
    """Returns how an observation contradicts the tables ("written", "shared", … by slot)."""
    found = []
    memory = [set(storages(value)) for value in slots]

    def said_of(kind, i):  # a slot with the same memory may be named instead
        return any(i == j or memory[i] & memory[j] for j in said[kind] if j < len(slots))

    found += [f"writes to argument {i}" for i in seen.written if not said_of("written", i)]
    found += [f"changes the form of argument {i}" for i in seen.reshaped
              if not any(said_of(kind, i) for kind in ("reshaped", "resized"))
              and not (said_of("written", i) and not isinstance(slots[i], torch.Tensor))]  # a list may have other items now
    found += [f"returns memory of argument {i}" for i in seen.shared if not said_of("shared", i)]
    if said["result"] == "is":
        found += [f"does not return argument {i} itself" for i in said["shared"] if i not in seen.itself]
    if said["result"] == "view":
        found += [f"does not return a view of argument {i}" for i in said["shared"] if i in seen.elsewhere]
    if said["converts"] and isinstance(seen.result, torch.Tensor) and seen.result.numel():
        for i in said["shared"]:
            given = slots[i]
            if not isinstance(given, torch.Tensor) or (given.dtype, given.device, given.layout) != (
                    seen.result.dtype, seen.result.device, seen.result.layout):
                found += [f"returns memory of argument {i}, which it converts"] if i in seen.shared else []
            elif i not in seen.itself:
                found.append(f"does not return argument {i} itself, although it converts to the same type")
    if seen.random and not said["random"]:
        found.append("draws random numbers")
    return found


def held(value):
    """Returns the tensors in a value, including those that make up a TorchScript object."""
    found = tensors_in(value)
    for leaf in pytree.tree_leaves(value):
        if isinstance(leaf, torch.ScriptObject):
            found += tensors_in(leaf.__getstate__())
    return found


def bytes_of(values):
    return {address: content(storage) for address, storage in storages(values).items()}


FLIPPED = bytes(reversed(range(256)))


def flip(values):
    """Writes other bytes to all memory of some tensors."""
    for storage in storages(values).values():
        flipped = ctypes.string_at(storage.data_ptr(), storage.nbytes()).translate(FLIPPED)
        ctypes.memmove(storage.data_ptr(), flipped, len(flipped))


def reached(result, slots):
    """Returns the slots whose memory a result reaches, by writing to one and reading the other. Overwrites both."""
    found = set()
    results = held(result)
    for number, value in enumerate(slots):
        given = tensors_in(value)
        before, mine = bytes_of(given), bytes_of(results)
        flip(results)
        shows = bytes_of(given) != before
        flip(results)
        flip(given)
        shows = shows or bytes_of(held(result)) != mine
        flip(given)
        found |= {number} if shows else set()
    return found
