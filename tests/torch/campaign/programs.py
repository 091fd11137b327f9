"""The programs of the campaign, by name: how each is built, and how its inputs are drawn."""

import dataclasses
import importlib
from typing import Callable

import torch
from torch._subclasses.fake_tensor import FakeTensor

from cases import KINDS, Draw
from subject import EXAMPLE, Subject, copied

#: Modules that register programs when they are imported.
COLLECTIONS = ("traced_programs", "exported_programs", "exported_control", "exported_attention")


@dataclasses.dataclass(frozen=True)
class Program:
    """A program: `build` makes its Subject, `inputs` draws its arguments from a Draw."""

    name: str
    build: Callable
    inputs: Callable


PROGRAMS = {}


def load_all(drawn):
    """Imports all collections, and draws that many programs: PROGRAMS is complete afterwards."""
    for name in COLLECTIONS:
        importlib.import_module(name)
    importlib.import_module("random_programs").register(drawn)
    return PROGRAMS


def example(inputs):
    """The arguments that a program is exported or described with."""
    return inputs(Draw(KINDS[0], 1))


def traced(name, inputs, described=False):
    """Registers a plain torch.fx program: a function that makes a module to trace, or a graph module. `described`: its nodes say
    which tensors they make, as ShapeProp leaves them.
    """
    def register(make):
        def build():
            torch.manual_seed(5)
            made = make()
            module = made if isinstance(made, torch.fx.GraphModule) else torch.fx.GraphModule(made, _Tracer().trace(made))
            module = copied(module)
            _Examples(module).run(*example(inputs))
            if described:
                from torch.fx.passes.shape_prop import ShapeProp
                ShapeProp(module).propagate(*example(inputs))
            subject = Subject(module)
            subject.finish()
            return subject
        PROGRAMS[name] = Program(name, build, inputs)
        return make
    return register


def exported(name, inputs, dynamic=None, then=None):
    """Registers an exported program: a function that makes a module. `dynamic`: the dynamic shapes; `then`: changes the exported
    program, such as a decomposition.
    """
    def register(make):
        def build():
            torch.manual_seed(5)
            program = torch.export.export(make(), example(inputs), dynamic_shapes=dynamic() if dynamic else None)
            if then is not None:
                program = then(program)
            subject = Subject(program).copy()
            for node in subject.module.graph.nodes:
                if isinstance(value := node.meta.get("val"), FakeTensor):
                    value.constant = None  # what changes find out of a write would be done to the constant
            subject.finish()
            return subject
        PROGRAMS[name] = Program(name, build, inputs)
        return make
    return register


class _Tracer(torch.fx.Tracer):
    """Records buffers as buffers, not as constants."""

    proxy_buffer_attributes = True


class _Examples(torch.fx.Interpreter):
    """Notes an example of the value of every node; of graphs that modules have too."""

    def run_node(self, node):
        value = super().run_node(node)
        if isinstance(value, torch.Tensor):
            value = value.detach().clone(memory_format=torch.preserve_format)
        node.meta[EXAMPLE] = value
        return value

    def call_module(self, target, args, kwargs):
        module = self.fetch_attr(target)
        if isinstance(module, torch.fx.GraphModule):
            return _Examples(module).run(*args, **kwargs)
        return super().call_module(target, args, kwargs)
