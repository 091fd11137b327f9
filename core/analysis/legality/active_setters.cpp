#include "analysis/legality/active_setters.h"

#include "operators/operator_catalogue.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

bool isConstant(const Node& node)
{
    bool takesNode = false;
    forEachNode(node.args, node.kwargs, [&](NodeId) { takesNode = true; });
    return !takesNode;
}

} // namespace

std::vector<GlobalSetter> globalSetters(const Program& program, std::span<const StateChange> changes)
{
    static const InternedString kGrad = intern("grad mode");
    static const InternedString kInference = intern("inference mode");
    const Graph& graph = program.rootGraph();
    OperatorCatalogue operators(program);
    std::vector<GlobalSetter> setters;
    std::unordered_map<NodeId, std::uint32_t> entered;
    for (const StateChange& change : changes) {
        const Node& node = graph[change.node];
        const auto number = static_cast<std::uint32_t>(setters.size());
        GlobalSetter setter{.node = change.node};
        const bool isFunction = node.op == Op::callFunction || node.op == Op::callMethod;
        const OperatorFacts* const facts = isFunction ? &operators.of(node.op, node.target) : nullptr;
        const CallRole role = facts != nullptr ? facts->role : CallRole::stir;
        setter.field = facts != nullptr ? facts->field : InternedString();
        if (role == CallRole::enter) {
            setter.kind = GlobalSetter::Kind::enter;
            setter.restoresGrad = facts->field == kInference;
            setter.canRepeat = isConstant(node);
            entered.emplace(change.node, number);
        } else if (role == CallRole::leave && node.args.size() == 1 && node.args[0].is(ArgumentKind::node)) {
            const auto at = entered.find(node.args[0].asNode());
            if (at != entered.end()) {
                setter.kind = GlobalSetter::Kind::leave;
                setter.entered = at->second;
                setter.canRepeat = true;
                setters[at->second].left = number;
                entered.erase(at);
            }
        } else if (role == CallRole::setState && facts->field == kGrad && node.args.size() == 1
                   && node.args[0].is(ArgumentKind::boolean)) {
            setter.kind = GlobalSetter::Kind::grad;
            setter.isOn = node.args[0].asBoolean();
            setter.canRepeat = true;
        }
        setters.push_back(setter);
    }
    for (const auto& [node, number] : entered)
        setters[number].canRepeat = false;
    return setters;
}

void ActiveSetters::run(std::uint32_t setter)
{
    const GlobalSetter& what = m_setters[setter];
    m_isTooDeep = m_isTooDeep || m_now.size() == kMostActive;
    if (m_isTooDeep)
        return;
    if (what.kind == GlobalSetter::Kind::leave) {
        const auto at = std::ranges::find(m_now, what.entered);
        if (at == m_now.end()) // entered elsewhere
            return;
        const auto place = static_cast<std::size_t>(at - m_now.begin());
        m_now.erase(at);
        if (m_setters[what.entered].restoresGrad)
            dropGrad(place);
        return;
    }
    if (what.kind == GlobalSetter::Kind::grad) {
        std::size_t inside = m_now.size(); // leaving inference mode restores the earlier grad mode
        while (inside > 0 && !m_setters[m_now[inside - 1]].restoresGrad)
            --inside;
        dropGrad(inside);
    }
    m_now.push_back(setter);
}

/// Removes the setters of grad mode at index `from` and later.
void ActiveSetters::dropGrad(std::size_t from)
{
    const auto isGrad = [this](std::uint32_t setter) { return m_setters[setter].kind == GlobalSetter::Kind::grad; };
    m_now.erase(std::remove_if(m_now.begin() + static_cast<std::ptrdiff_t>(from), m_now.end(), isGrad), m_now.end());
}

} // namespace sunder
