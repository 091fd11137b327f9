#include "block_program.h"

#include <string>

namespace sunder {
namespace {

constexpr std::int64_t kSize = 16;
constexpr std::size_t kCallsOfBlock = 10;
constexpr const char* kOneArgument =
    R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": "builtins.tuple", "context": "null", )"
    R"("children_spec": [{"type": null, "context": null, "children_spec": []}]}, {"type": "builtins.dict", "context": )"
    R"("[]", "children_spec": []}]}])";
constexpr const char* kOneResult = R"([1, {"type": null, "context": null, "children_spec": []}])";

TensorMeta tensor(std::int64_t rows)
{
    return {.dtype = intern("float32"),
            .shape = {Argument::integer(rows), Argument::integer(kSize)},
            .stride = Arguments{Argument::integer(kSize), Argument::integer(1)}};
}

class Builder {
public:
    Builder(std::size_t calls, BlockForm form)
        : m_blocks((calls + kCallsOfBlock - 1) / kCallsOfBlock), m_isExported(form == BlockForm::exported)
    {
        m_graph.reserve(m_blocks * (kCallsOfBlock + 2) + 2, m_blocks * 16 + 1);
        m_program.tensors.reserve(2 * m_blocks, 2 * m_blocks);
        if (m_isExported)
            m_program.signature.emplace();
    }

    Program build()
    {
        const GraphId id = m_program.addGraph(ModuleTree::root());
        for (std::size_t i = 0; m_isExported && i < m_blocks; ++i)
            for (const std::string_view name : {"up", "down"})
                m_parameters.push_back(addParameter(i, name));
        m_stack = addStack({{intern("L['self']"), {}, intern("Net")}});
        const NodeId first = add(Op::placeholder, "x", {});
        NodeId x = first;
        for (std::size_t i = 0; i < m_blocks; ++i)
            x = addBlock(x, i % 4 == 3 ? first : x, i);
        m_stack = {};
        add(Op::output, "output", m_isExported ? Arguments{Argument::tuple({Argument::node(x)})} : Arguments{Argument::node(x)});
        if (m_isExported)
            describe(first, x);
        m_program.graph(id) = std::move(m_graph);
        return std::move(m_program);
    }

private:
    NodeId add(Op op, std::string_view target, Arguments args)
    {
        NodeSpec spec{.op = op, .target = intern(target), .args = std::move(args)};
        if (op != Op::output)
            spec.meta.val = m_val;
        if (isCall(op))
            spec.meta.modules = m_stack;
        return m_graph.create(std::move(spec));
    }

    NodeId call(const char* name, Arguments args)
    {
        return add(Op::callFunction, std::string("torch.ops.aten.") + name, std::move(args));
    }

    StackId addStack(ModuleStack stack)
    {
        if (!m_isExported)
            return {};
        m_program.stacks.push_back(std::move(stack));
        return StackId(m_program.stacks.size() - 1);
    }

    NodeId addParameter(std::size_t block, std::string_view name)
    {
        const std::string path = "blocks." + std::to_string(block);
        const std::string fqn = path + "." + std::string(name);
        m_program.modules.ensure(path);
        const StorageId storage = m_program.tensors.addStorage({.id = intern("s" + fqn), .byteCount = 4 * 4 * kSize});
        m_program.tensors.add({.fqn = intern(fqn), .persistent = true, .meta = tensor(4), .storage = storage});
        if (!m_isExported)
            return add(Op::getAttr, fqn, {});
        const NodeId id = add(Op::placeholder, "p_blocks_" + std::to_string(block) + "_" + std::string(name), {});
        m_program.signature->inputs.push_back(
            {.kind = InputKind::parameter, .target = intern(fqn), .name = m_graph.node(id).name});
        return id;
    }

    NodeId parameter(std::size_t block, std::size_t number)
    {
        return m_isExported ? m_parameters[2 * block + number] : addParameter(block, number == 0 ? "up" : "down");
    }

    NodeId addBlock(NodeId x, NodeId skip, std::size_t block)
    {
        const auto node = [](NodeId id) { return Argument::node(id); };
        const auto number = [](std::int64_t value) { return Argument::integer(value); };
        const InternedString path = intern("blocks." + std::to_string(block));
        m_stack = addStack({{intern("L['self']"), {}, intern("Net")}, {path, path, intern("Layer")}});
        const NodeId up = call("mul.Tensor", {node(x), node(parameter(block, 0))});
        const NodeId act = call("tanh.default", {node(up)});
        const NodeId down = call("mul.Tensor", {node(act), node(parameter(block, 1))});
        const NodeId sum = call("add.Tensor", {node(down), node(skip)});
        const NodeId norm = call("relu.default", {node(sum)});
        const NodeId halves = call("split.Tensor", {node(norm), number(kSize / 2), number(-1)});
        const NodeId a = add(Op::callFunction, "_operator.getitem", {node(halves), number(0)});
        const NodeId b = add(Op::callFunction, "_operator.getitem", {node(halves), number(1)});
        const NodeId product = call("cat.default", {Argument::list({node(a), node(b)}), number(-1)});
        return call("add.Tensor", {node(product), node(x)});
    }

    /// Describes inputs, outputs, and modules as an exported program does.
    void describe(NodeId input, NodeId output)
    {
        m_program.signature->inputs.push_back({.value = Argument::node(input)});
        m_program.signature->outputs.push_back({.value = Argument::node(output)});
        m_program.calls.push_back({.hasSignature = true,
                                   .inSpec = kOneArgument,
                                   .outSpec = kOneResult,
                                   .inputs = {Argument::node(input)},
                                   .outputs = {Argument::node(output)}});
        for (std::size_t i = 0; i < m_blocks; ++i)
            m_program.calls.push_back({.fqn = intern("blocks." + std::to_string(i))});
    }

    std::size_t m_blocks;
    bool m_isExported;
    Program m_program;
    Graph m_graph;
    Argument m_val = Argument::tensor(tensor(4));
    StackId m_stack;
    std::vector<NodeId> m_parameters; ///< of an exported program: two per block
};

} // namespace

Program blockProgram(std::size_t calls, BlockForm form)
{
    return Builder(calls, form).build();
}

} // namespace sunder
