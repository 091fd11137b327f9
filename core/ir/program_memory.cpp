#include "ir/program_memory.h"

#include "ir/tensor_meta.h"

#include <algorithm>
#include <vector>

namespace sunder {
namespace {

/// Of a block that malloc hands out: its own eight bytes in front, and all in steps of sixteen.
double allocated(std::size_t bytes)
{
    constexpr std::size_t kStep = 16;
    constexpr std::size_t kOwn = 8;
    constexpr std::size_t kLeast = 32;
    return bytes == 0 ? 0.0 : static_cast<double>(std::max(kLeast, (bytes + kOwn + kStep - 1) / kStep * kStep));
}

class MemoryCount {
public:
    explicit MemoryCount(const Program& program) : m_program(program) {}

    std::uint64_t count()
    {
        for (const Graph& graph : m_program.graphs)
            addGraph(graph);
        addTensors();
        addModules();
        addStacks();
        addCalls();
        addText(m_program.origin.extra);
        return static_cast<std::uint64_t>(m_bytes);
    }

private:
    /// A text with its entry and its place in the table of all, when it is met first.
    void addText(InternedString text)
    {
        constexpr double kEntry = 16 + 12;
        if (text.empty())
            return;
        if (text.id() >= m_seen.size())
            m_seen.resize(std::max<std::size_t>(2 * m_seen.size(), text.id() + 1), false);
        if (m_seen[text.id()])
            return;
        m_seen[text.id()] = true;
        m_bytes += kEntry + static_cast<double>(text.view().size());
    }

    void addGraph(const Graph& graph)
    {
        m_bytes += static_cast<double>(graph.tableBytes());
        for (const NodeId id : graph.nodes())
            addNode(graph.node(id));
    }

    void addNode(const Node& node)
    {
        for (const InternedString text : {node.name, node.target, node.fn, node.type, node.tag, node.extra, node.meta.valFrom,
                                          node.meta.trace, node.meta.outType, node.meta.regionKey, node.meta.json})
            addText(text);
        addList(node.args, 1.0);
        const double share = 1.0 / node.kwargs.owners();
        m_bytes += share * allocated(node.kwargs.blockBytes());
        for (const Keyword& keyword : node.kwargs) {
            addText(keyword.key);
            addValue(keyword.value, share);
        }
        if (node.meta.val)
            addValue(*node.meta.val, 1.0);
        if (node.sizeBytes)
            m_bytes += allocated(sizeof(SizeBytes) + 8);
        if (node.meta.mutated)
            m_bytes += allocated(sizeof(std::vector<std::int32_t>) + 8) + allocated(node.meta.mutated->capacity() * 4);
    }

    /// What is held by `share` of a holder: 1 for one that holds it alone.
    void addList(const Arguments& list, double share)
    {
        share /= list.owners();
        m_bytes += share * allocated(list.blockBytes());
        for (const Argument& item : list)
            addValue(item, share);
    }

    void addValue(const Argument& value, double share)
    {
        const std::optional<Argument::SharedBlock> block = value.sharedBlock();
        if (!block) {
            if (value.is(ArgumentKind::string))
                addText(value.text());
            return;
        }
        share /= block->owners;
        m_bytes += share * allocated(block->bytes);
        if (value.is(ArgumentKind::tensor))
            return addTensor(value.asTensor(), share);
        if (value.is(ArgumentKind::symbolic))
            addText(value.asSymbolic().expression);
        for (const Argument& item : value.items())
            addValue(item, share);
    }

    void addTensor(const TensorMeta& tensor, double share)
    {
        addList(tensor.shape, share);
        if (tensor.stride)
            addList(*tensor.stride, share);
        addText(tensor.storage);
    }

    void addTensors()
    {
        m_bytes += static_cast<double>(m_program.tensors.tableBytes());
        for (const TensorEntry& entry : m_program.tensors.entries()) {
            addText(entry.fqn);
            addText(entry.extra);
            addTensor(entry.meta, 1.0);
        }
        for (const Storage& storage : m_program.tensors.storages())
            for (const InternedString text : {storage.id, storage.file, storage.record, storage.placeExtra, storage.extra})
                addText(text);
    }

    void addModules()
    {
        for (std::size_t i = 0; i < m_program.modules.size(); ++i) {
            const Module& module = m_program.modules[ModuleId(i)];
            constexpr double kSlot = 12; // of the table by paths
            m_bytes += kSlot + static_cast<double>(sizeof(Module)) + allocated(module.children.capacity() * sizeof(ModuleId));
            addText(module.path);
            addText(module.name);
            addText(module.cls);
        }
    }

    void addStacks()
    {
        m_bytes += allocated(m_program.stacks.capacity() * sizeof(ModuleStack));
        for (const ModuleStack& stack : m_program.stacks) {
            m_bytes += allocated(stack.capacity() * sizeof(ModuleFrame));
            for (const ModuleFrame& frame : stack)
                for (const InternedString text : {frame.key, frame.path, frame.cls})
                    addText(text);
        }
    }

    void addCalls()
    {
        m_bytes += allocated(m_program.calls.capacity() * sizeof(ModuleCall));
        for (const ModuleCall& call : m_program.calls)
            addText(call.fqn);
        if (!m_program.signature)
            return;
        m_bytes += allocated(m_program.signature->inputs.capacity() * sizeof(InputSpec))
            + allocated(m_program.signature->outputs.capacity() * sizeof(OutputSpec));
        for (const InputSpec& input : m_program.signature->inputs)
            addText(input.target);
    }

    const Program& m_program;
    double m_bytes = 0;
    std::vector<bool> m_seen; ///< by id of a text
};

} // namespace

std::uint64_t memoryOf(const Program& program)
{
    return MemoryCount(program).count();
}

} // namespace sunder
