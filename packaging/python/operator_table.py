"""Writes the table of operators that Sunder reads: `python operator_table.py [FILE]`

Writes one line for each overload of each namespace that this PyTorch registers. A line has the schema in PyTorch's notation
(arguments with defaults, writes, and aliases of results), a tab, and the tags with the behavior of a call. If the schema does not
determine whether a result is a view or a copy, but the kernels do, a tab and "returns=view(ARGUMENT)" follow. FILE is
core/operators/data/torch_operators.txt of this repository by default. Needs PyTorch 2.13.0: other versions register other
operators. The table states its version.
"""

import importlib
import pathlib
import sys
import warnings

import torch

DATA = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data"
WANTED = "2.13.0"

# Modules that register operators on import. `import torch` alone does not import them.
REGISTERING = (
    "torch._functorch._activation_offloading.offload_ops",
    "torch._dynamo.variables.streams",
    "torch._inductor.fx_passes.bucketing",
    "torch._inductor.runtime.debug_utils",
    "torch._prims",
    "torch._prims.debug_prims",
    "torch._prims.rng_prims",
    "torch._inductor.inductor_prims",
    "torch.ao.quantization.fx._decomposed",
    "torch.distributed._functional_collectives",
    "torch.distributed._ops.device_mesh",
    "torch.distributed._symmetric_memory",
    "torch.distributed.fsdp._fully_shard._fsdp_collectives",
    "torch.distributed.fsdp._fully_shard._fsdp_param",
    "torch.distributed.tensor._collective_utils",
    "torch.distributed.tensor.experimental._context_parallel._cp_custom_ops",
    "torch.export.custom_ops",
    "torch.nn.attention.varlen",
    "torch.nn.modules.linear_cross_entropy",
    "torch.onnx.ops",
    "torch.sparse.semi_structured",
    "torch.utils._debug_mode._mode",
)

# Namespaces of PyTorch's own tests, and leftovers of the Triton compiler.
LEFT_OUT = {"_test", "_torch_testing", "mylib"}

# Tags about storage or compilation of an operator, which do not describe a call.
SILENT = {"pt2_compliant_tag", "core", "generated", "cudagraph_unsafe", "flexible_layout", "needs_contiguous_strides",
          "needs_exact_strides", "needs_fixed_stride_order", "out_variant"}


def key(schema):
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


def tags(schema):
    try:
        found = torch._C._get_operation_overload(schema.name, schema.overload_name)
    except RuntimeError:  # the JIT interpreter knows it, torch.ops does not
        return []
    if found is None:
        return []
    return sorted(tag.name for tag in found[2] if tag.name not in SILENT)


def always_view(schema):
    """Returns the argument that all results are views of, for all contents. None if there is none, or if it depends.

    The schemas of `reshape` and `select` are the same: a result may be in the argument's memory. An operator that PyTorch
    composes of others may copy. One with its own kernel must not, because autograd relies on the schema.
    """
    if schema.name.split("::")[0] not in ("aten", "prims"):
        return None
    marked = [argument for argument in schema.arguments if argument.alias_info]
    if len(marked) != 1 or marked[0].alias_info.is_write or not all(result.alias_info for result in schema.returns):
        return None
    if not schema.returns or any("Tensor" not in str(result.type) for result in schema.returns):
        return None
    try:
        composed = torch._C._dispatch_has_kernel_for_dispatch_key(key(schema), "CompositeImplicitAutograd")
    except RuntimeError:  # the JIT interpreter's
        return None
    return None if composed else marked[0].name


def line_of(schema):
    source = always_view(schema)
    return f"{schema}\t{','.join(tags(schema))}" + (f"\treturns=view({source})" if source else "")


def table():
    """The lines of the table, in bytewise order of "namespace::name.overload"."""
    for name in REGISTERING:
        try:
            importlib.import_module(name)
        except ImportError as error:
            sys.exit(f"operator_table: {name} cannot be imported: {error}")
    lines = {}
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.split("::")[0] in LEFT_OUT:
            continue
        line = line_of(schema)
        if lines.setdefault(key(schema), line) != line:
            sys.exit(f"operator_table: {key(schema)} is registered twice:\n{lines[key(schema)]}\n{line}")
    return [line for _, line in sorted(lines.items(), key=lambda item: item[0].encode())]


def text():
    """The whole file."""
    lines = table()
    return "".join([
        "# Every operator that PyTorch registers, one overload per line: schema, tab, tags[, tab, facts]. By\n",
        "# packaging/python/operator_table.py, which makes it again; tests/torch/operator_table_in_torch.py compares.\n",
        f"# PyTorch {WANTED}, {len(lines)} overloads\n",
        *(line + "\n" for line in lines)])


def main(argv):
    warnings.filterwarnings("ignore")
    if torch.__version__.split("+")[0] != WANTED:
        sys.exit(f"operator_table: this is PyTorch {torch.__version__}, the table is of {WANTED}")
    target = pathlib.Path(argv[1]) if len(argv) > 1 else DATA / "torch_operators.txt"
    target.write_text(text())
    print(f"{target}: {len(table())} overloads")


if __name__ == "__main__":
    main(sys.argv)
