#include "analysis/legality/global_setters.h"

#include "operators/operator_catalogue.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sunder {
namespace {

bool isConstant(const Node& node)
{
    return std::ranges::none_of(node.args, &Argument::holdsNodes)
        && std::ranges::none_of(node.kwargs, [](const Keyword& keyword) { return keyword.value.holdsNodes(); });
}

class RegionCutter {
public:
    RegionCutter(const StatefulCalls& calls, std::span<const std::int32_t> partOf) : m_calls(calls), m_partOf(partOf) {}

    std::vector<RegionCut> run()
    {
        followWhole();
        std::uint32_t setter = 0;
        for (std::uint32_t call = 0; call < m_partOf.size(); ++call) {
            const bool sets = setter < m_calls.setterCalls.size() && m_calls.setterCalls[setter] == call;
            if (m_partOf[call] >= 0) {
                ActiveSetters& part = m_parts.try_emplace(m_partOf[call], m_calls.setters).first->second;
                if (sets)
                    part.run(setter);
                else if (m_calls.noticesState[call] != 0)
                    compare(m_whole[m_calls.settersBefore[call]], part.now(), call);
            }
            setter += sets ? 1 : 0;
        }
        if (m_parts.size() > 1)
            findEnds();
        std::vector<RegionCut> found;
        for (auto& [at, cut] : m_found) {
            cut.canRepeat = !m_isUnreliable && cut.canRepeat;
            found.push_back(cut);
        }
        return found;
    }

private:
    void followWhole()
    {
        ActiveSetters whole(m_calls.setters);
        m_whole.push_back(whole.now());
        for (std::uint32_t setter = 0; setter < m_calls.setters.size(); ++setter) {
            whole.run(setter);
            m_whole.push_back(whole.now());
        }
        m_isUnreliable = whole.isUnreliable();
    }

    void compare(const std::vector<std::uint32_t>& whole, const std::vector<std::uint32_t>& part, std::uint32_t call)
    {
        if (whole == part)
            return;
        for (const std::uint32_t setter : whole)
            if (std::ranges::find(part, setter) == part.end())
                add({.setter = setter, .call = call, .part = m_partOf[call], .isMissing = true});
        for (const std::uint32_t setter : part)
            if (std::ranges::find(whole, setter) == whole.end())
                add({.setter = setter, .call = call, .part = m_partOf[call]});
    }

    /// Adds state that a part or the whole program does not reset before it ends. The latter matters if the program is called
    /// again.
    void findEnds()
    {
        for (const std::uint32_t setter : m_whole.back())
            if (!isUsual(setter))
                add({.setter = setter}, false);
        for (const auto& [number, part] : m_parts)
            for (const std::uint32_t setter : part.now())
                if (!isUsual(setter))
                    add({.setter = setter});
        if (m_isUnreliable && !m_calls.setters.empty())
            add({.setter = 0}, false);
    }

    [[nodiscard]] bool isUsual(std::uint32_t setter) const
    {
        return m_calls.setters[setter].kind == GlobalSetter::Kind::grad && m_calls.setters[setter].isOn;
    }

    void add(RegionCut cut, bool canRepeat = true)
    {
        cut.canRepeat = true;
        RegionCut& known = m_found.try_emplace(cut.setter, cut).first->second;
        known.canRepeat = known.canRepeat && canRepeat && m_calls.setters[cut.setter].canRepeat;
    }

    const StatefulCalls& m_calls;
    std::span<const std::int32_t> m_partOf;
    std::vector<std::vector<std::uint32_t>> m_whole; ///< per number of setters that ran: the active ones
    std::map<std::int32_t, ActiveSetters> m_parts;
    std::map<std::uint32_t, RegionCut> m_found; ///< by setter
    bool m_isUnreliable = false;
};

} // namespace

std::vector<GlobalSetter> globalSetters(const Program& program, std::span<const StateChange> changes)
{
    static const InternedString kGrad = intern("grad mode");
    static const InternedString kInference = intern("inference mode");
    const Graph& graph = program.rootGraph();
    OperatorCatalog operators(program);
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
    m_isUnreliable = m_isUnreliable || m_now.size() == kMaxActive;
    if (m_isUnreliable)
        return;
    if (what.kind == GlobalSetter::Kind::leave) {
        const auto at = std::ranges::find(m_now, what.entered);
        if (at == m_now.end()) // entered elsewhere
            return;
        const InternedString field = m_setters[what.entered].field;
        m_isUnreliable = std::any_of(at + 1, m_now.end(), [&](std::uint32_t later) {
            return m_setters[later].kind == GlobalSetter::Kind::enter && m_setters[later].field == field;
        });
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

std::vector<RegionCut> regionCuts(const StatefulCalls& calls, std::span<const std::int32_t> partOf)
{
    if (calls.setters.empty())
        return {};
    return RegionCutter(calls, partOf).run();
}

} // namespace sunder
