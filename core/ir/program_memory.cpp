#include "ir/program_memory.h"

#include "ir/tensor_meta.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace sunder {
namespace {

constexpr std::uint64_t kUse = 20;      ///< of a use, in the table of uses
constexpr std::uint64_t kScratch = 4;   ///< additional scratch memory per node
constexpr std::uint64_t kText = 16 + 12; ///< entry and text in the table of all texts
constexpr std::uint64_t kSlot = 12;     ///< of a name in a table by name
constexpr std::uint64_t kShared = 16;   ///< header of shared data: reference count and length

/// Returns the size of a malloc block: eight bytes of header, rounded up to a multiple of sixteen.
std::uint64_t allocated(std::uint64_t bytes)
{
    constexpr std::uint64_t kStep = 16;
    constexpr std::uint64_t kOwn = 8;
    constexpr std::uint64_t kMin = 32;
    return bytes == 0 ? 0 : std::max(kMin, (bytes + kOwn + kStep - 1) / kStep * kStep);
}

/// Data shared by copies, identified by its address.
struct SharedBlock {
    const void* at;
    std::uint64_t bytes;
};

class MemoryCount {
public:
    explicit MemoryCount(const Program& program) : m_program(program) {}

    std::uint64_t count()
    {
        for (const Graph& graph : m_program.graphs)
            for (const NodeId id : graph.nodes())
                addNode(graph, id);
        addTensors();
        addModules();
        addStacks();
        addCalls();
        addText(m_program.origin.extra);
        std::ranges::sort(m_blocks, std::less<>(), &SharedBlock::at);
        const auto more = std::ranges::unique(m_blocks, {}, &SharedBlock::at);
        m_blocks.erase(more.begin(), more.end());
        for (const SharedBlock& block : m_blocks)
            m_bytes += allocated(block.bytes);
        return m_bytes;
    }

private:
    /// Counts a text at its first occurrence.
    void addText(InternedString text)
    {
        if (text.empty())
            return;
        if (text.id() >= m_seen.size())
            m_seen.resize(std::max<std::size_t>(2 * m_seen.size(), text.id() + 1), false);
        if (m_seen[text.id()])
            return;
        m_seen[text.id()] = true;
        m_bytes += kText + text.view().size();
    }

    void addTexts(std::initializer_list<InternedString> texts)
    {
        for (const InternedString text : texts)
            addText(text);
    }

    void addNode(const Graph& graph, NodeId id)
    {
        const Node& node = graph.node(id);
        m_bytes += sizeof(Node) + kScratch;
        for (const NodeId input : graph.inputs(id)) {
            static_cast<void>(input);
            m_bytes += kUse;
        }
        addTexts({node.name, node.target, node.fn, node.type, node.tag, node.extra, node.meta.valFrom, node.meta.trace,
                  node.meta.outType, node.meta.regionKey, node.meta.json});
        addList({node.args.begin(), node.args.end()});
        if (!node.kwargs.empty())
            m_blocks.push_back({node.kwargs.begin(), kShared + node.kwargs.size() * sizeof(Keyword)});
        for (const Keyword& keyword : node.kwargs) {
            addText(keyword.key);
            addValue(keyword.value);
        }
        if (node.meta.val)
            addValue(*node.meta.val);
        if (node.sizeBytes)
            m_blocks.push_back({&*node.sizeBytes, kShared + sizeof(SizeBytes)});
    }

    void addList(std::span<const Argument> list)
    {
        if (list.empty())
            return;
        m_blocks.push_back({list.data(), kShared + list.size_bytes()});
        for (const Argument& item : list)
            addValue(item);
    }

    void addValue(const Argument& value)
    {
        switch (value.kind()) {
        case ArgumentKind::string: return addText(value.text());
        case ArgumentKind::tensor:
            m_blocks.push_back({&value.asTensor(), kShared + sizeof(TensorMeta)});
            return addTensor(value.asTensor());
        case ArgumentKind::symbolic:
            m_blocks.push_back({&value.asSymbolic(), kShared + sizeof(SymbolicValue)});
            return addText(value.asSymbolic().expression);
        default: return addList(value.items());
        }
    }

    void addTensor(const TensorMeta& tensor)
    {
        addList({tensor.shape.begin(), tensor.shape.end()});
        if (tensor.stride)
            addList({tensor.stride->begin(), tensor.stride->end()});
        addText(tensor.storage);
    }

    void addTensors()
    {
        for (const TensorEntry& entry : m_program.tensors.entries()) {
            m_bytes += sizeof(TensorEntry) + kSlot;
            addTexts({entry.fqn, entry.extra});
            addTensor(entry.meta);
        }
        for (const Storage& storage : m_program.tensors.storages()) {
            m_bytes += sizeof(Storage) + kSlot;
            addTexts({storage.id, storage.file, storage.record, storage.placeExtra, storage.extra});
            if (storage.copyOf)
                addTexts({storage.copyOf->file, storage.copyOf->record, storage.copyOf->extra});
        }
    }

    void addModules()
    {
        for (std::size_t i = 0; i < m_program.modules.size(); ++i) {
            const Module& module = m_program.modules[ModuleId(i)];
            m_bytes += sizeof(Module) + kSlot + allocated(module.children.size() * sizeof(ModuleId));
            addTexts({module.path, module.name, module.cls});
        }
    }

    void addStacks()
    {
        for (const ModuleStack& stack : m_program.stacks) {
            m_bytes += sizeof(ModuleStack) + allocated(stack.size() * sizeof(ModuleFrame));
            for (const ModuleFrame& frame : stack)
                addTexts({frame.key, frame.path, frame.cls});
        }
    }

    void addCalls()
    {
        m_bytes += m_program.calls.size() * sizeof(ModuleCall);
        for (const ModuleCall& call : m_program.calls)
            addText(call.fqn);
        if (!m_program.signature)
            return;
        m_bytes += m_program.signature->inputs.size() * sizeof(InputSpec)
            + m_program.signature->outputs.size() * sizeof(OutputSpec);
        for (const InputSpec& input : m_program.signature->inputs)
            addText(input.target);
    }

    const Program& m_program;
    std::uint64_t m_bytes = 0;
    std::vector<SharedBlock> m_blocks;
    std::vector<bool> m_seen; ///< by id of a text
};

} // namespace

std::uint64_t memoryOf(const Program& program)
{
    return MemoryCount(program).count();
}

} // namespace sunder
