"""The programs of the campaign by name, with functions that build them and draw their inputs."""

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
    """Imports all collections and draws the given number of random programs. PROGRAMS is complete afterward."""
    for name in COLLECTIONS:
        importlib.import_module(name)
    importlib.import_module("random_programs").register(drawn)
    return PROGRAMS


def example(inputs):
    """Returns the arguments for exporting or describing a program."""
    return inputs(Draw(KINDS[0], 1))


def traced(name, inputs, described=False):
    """Registers a plain torch.fx program: a function that returns a module to trace, or a graph module. `described`: its nodes have
    tensor descriptions from ShapeProp.
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
    """Registers an exported program: a function that returns a module. `dynamic` gives the dynamic shapes; `then` changes the exported
    program, e.g. decomposes it.
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
                    value.constant = None  # otherwise changes would write to the constant when they evaluate a write
            subject.finish()
            return subject
        PROGRAMS[name] = Program(name, build, inputs)
        return make
    return register


class _Tracer(torch.fx.Tracer):
    """Records buffers as buffers, not as constants."""

    proxy_buffer_attributes = True


class _Examples(torch.fx.Interpreter):
    """Records an example value for every node, including those in graphs of modules."""

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
