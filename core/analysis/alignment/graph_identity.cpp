#include "analysis/alignment/graph_identity.h"

#include "analysis/sizes.h"
#include "ir/reader_stacks.h"
#include "ir/structural_hash.h"

#include <charconv>
#include <map>
#include <tuple>
#include <unordered_map>

namespace sunder {
namespace {

std::uint32_t callNumberOf(std::string_view key)
{
    const std::size_t at = key.rfind('@');
    std::uint32_t call = 0;
    if (at == std::string_view::npos)
        return 0;
    const char* end = key.data() + key.size();
    const auto [rest, error] = std::from_chars(key.data() + at + 1, end, call);
    return error == std::errc() && rest == end ? call : 0;
}

class IdentityMaker {
public:
    explicit IdentityMaker(const Program& program)
        : m_program(program), m_graph(program.rootGraph()), m_tensors(tensorsOfNodes(program)),
          m_ofStack(program.stacks.size(), kNew)
    {
        m_identity.modules.push_back({.path = {}, .cls = program.modules[ModuleTree::root()].cls});
    }

    GraphIdentity make()
    {
        std::vector<std::uint32_t> placeOf(m_graph.idBound(), 0);
        m_identity.nodes.reserve(m_graph.size());
        for (const NodeId id : m_graph.nodes()) {
            placeOf[id.index()] = static_cast<std::uint32_t>(m_identity.nodes.size());
            m_identity.nodes.push_back(identityOf(id));
            for (const NodeId input : m_graph.inputs(id))
                m_identity.reads.add(placeOf[input.index()]);
            m_identity.reads.endRow();
        }
        return std::move(m_identity);
    }

private:
    static constexpr std::uint32_t kNew = 0xffffffffU;

    [[nodiscard]] bool isWeight(NodeId id) const { return bool(m_tensors[id.index()]) || m_graph[id].op == Op::getAttr; }

    NodeIdentity identityOf(NodeId id)
    {
        const Node& node = m_graph[id];
        NodeIdentity made{.name = node.name, .target = node.target, .op = node.op, .isWeight = isWeight(id)};
        if (const TensorId tensor = m_tensors[id.index()])
            made.target = m_program.tensors[tensor].fqn;
        made.module = node.isCall() ? moduleOf(node) : 0;
        made.constants = made.isWeight ? valuesOf(m_tensors[id.index()]) : constantsOf(node);
        if (node.meta.val)
            made.value = m_hash.of(*node.meta.val, ArgumentKind::tensor,
                                   [this](const Argument& value) { return m_hash.ofShape(value.asTensor()); });
        return made;
    }

    [[nodiscard]] std::uint64_t constantsOf(const Node& node)
    {
        return m_hash.ofCall(node, [this](NodeId input) { return std::uint64_t{isWeight(input) ? 2U : 1U}; });
    }

    /// Identifies the values of a tensor by the CRC in the file; does not read the weight.
    [[nodiscard]] std::uint64_t valuesOf(TensorId tensor)
    {
        if (!tensor)
            return 0;
        const TensorEntry& entry = m_program.tensors[m_program.tensors.object(tensor)];
        const Storage* storage = entry.storage.isValid() ? &m_program.tensors[entry.storage] : nullptr;
        if (storage == nullptr || storage->placeExtra.empty())
            return 0;
        const std::uint64_t offset = entry.meta.offset ? m_hash.ofSingle(*entry.meta.offset) : 0;
        return mixHash(mixHash(m_hash.of(storage->placeExtra), storage->byteCount.value_or(0)),
                       mixHash(m_hash.ofShape(entry.meta), offset));
    }

    std::uint32_t moduleOf(const Node& node)
    {
        const ModuleStack& stack = m_program.stackOf(node);
        if (stack.empty())
            return node.op == Op::callModule ? calledModule(node.target) : 0;
        std::uint32_t& known = m_ofStack[node.meta.modules.index()];
        if (known == kNew) {
            known = 0;
            for (const ModuleFrame& frame : stack) {
                if (frame.path.empty())
                    m_identity.modules.front().cls = frame.cls;
                else if (frame.path.view() != kNoModulePath)
                    known = add({.path = frame.path, .cls = frame.cls, .call = callNumberOf(frame.key.view()), .parent = known});
            }
        }
        return known;
    }

    /// Returns a separate module call for each call of a module outside any module stack.
    std::uint32_t calledModule(InternedString target)
    {
        const ModuleId module = m_program.modules.resolve(target.view());
        return add({.path = target, .cls = module ? m_program.modules[module].cls : InternedString(), .call = m_calls[target]++});
    }

    std::uint32_t add(const ModuleCallIdentity& module)
    {
        const auto [at, isNew] = m_places.try_emplace({module.path.id(), module.call, module.parent},
                                                      static_cast<std::uint32_t>(m_identity.modules.size()));
        if (isNew)
            m_identity.modules.push_back(module);
        return at->second;
    }

    const Program& m_program;
    const Graph& m_graph;
    std::vector<TensorId> m_tensors;
    StructuralHash m_hash{{.symbols = false, .graphs = false}};
    std::vector<std::uint32_t> m_ofStack; ///< per StackId: the module call
    std::unordered_map<InternedString, std::uint32_t> m_calls;
    /// for lookup only, never iterated
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> m_places;
    GraphIdentity m_identity;
};

} // namespace

GraphIdentity identityOf(const Program& program)
{
    return IdentityMaker(program).make();
}

std::string placeText(const ModuleCallIdentity& module)
{
    if (module.path.empty())
        return "the model";
    return module.call == 0 ? module.path.str() : module.path.str() + " (call " + std::to_string(module.call + 1) + ")";
}

} // namespace sunder
