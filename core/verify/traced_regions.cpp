#include "verify/traced_regions.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::size_t kMaxFields = 64;

const InternedString& gradMode()
{
    static const InternedString name = intern("grad mode");
    return name;
}

} // namespace

TermId TracedRegions::constantArguments(const TracedCall& call, std::size_t first, bool& complete)
{
    std::vector<TermId> terms;
    const auto take = [&](ValueId value) {
        complete = complete && m_draft.at(value).kind == ValueKind::constant;
        terms.push_back(m_draft.at(value).kind == ValueKind::constant ? m_draft.at(value).term : TermTable::nothing());
    };
    for (std::size_t i = first; i < call.positional.size(); ++i)
        take(call.positional[i]);
    for (const auto& [key, value] : call.keywords) {
        terms.push_back(m_draft.terms.text(key));
        take(value);
    }
    return m_draft.terms.make({.kind = TermKind::group}, terms);
}

bool TracedRegions::mayBeRefused(const TracedCall& call, InternedString field) const
{
    static constexpr std::array<std::string_view, 7> kDevices{"cpu", "cuda", "mps", "xpu", "hpu", "mtia", "xla"};
    static constexpr std::array<std::string_view, 4> kDefaultTypes{"float16", "bfloat16", "float32", "float64"};
    const auto isOneOf = [](std::span<const std::string_view> words, std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    const bool isAutocast = field.view().starts_with("autocast");
    const auto mayTake = [&](std::size_t slot) {
        const TermId id = m_draft.at(call.slot(slot)).term;
        const Term& term = m_draft.terms[id.isValid() ? id : TermTable::nothing()];
        if (term.kind != TermKind::constant)
            return false;
        switch (static_cast<ArgumentKind>(term.detail)) {
        case ArgumentKind::boolean: return !isAutocast || slot > 1;
        case ArgumentKind::none: return isAutocast && slot > 0;
        case ArgumentKind::dtype:
            return isAutocast ? slot == 1
                              : field.view() == "default dtype" && isOneOf(kDefaultTypes, m_draft.terms.textOf(id).view());
        case ArgumentKind::string:
            return isAutocast ? slot == 0 && isOneOf(kDevices, m_draft.terms.textOf(id).view())
                              : field.view() == "saved tensor hooks";
        default: return false;
        }
    };
    for (std::size_t slot = 0; slot < call.positional.size(); ++slot)
        if (!mayTake(slot))
            return true;
    return !call.keywords.empty();
}

void TracedRegions::checkSettings(TraceFrame& frame, NodeId id, const TracedCall& call, InternedString field)
{
    if (!mayBeRefused(call, field))
        return;
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const std::uint32_t step = m_steps.pushStep(frame, id, m_draft.functionTarget(node.target, node.op), call, m_draft.leaf({}));
    m_draft.trace.steps[step].role = CallRole::assertion;
}

InternedString TracedRegions::autocastField(ValueId device) const
{
    return intern("autocast on " + m_draft.terms.textOf(m_draft.at(device).term).str());
}

TermId TracedRegions::autocastSetting(TermId settings, ValueId dtype, InternedString field)
{
    // A region without a dtype inherits the current one.
    const bool ownDtype = dtype.isValid() && m_draft.at(dtype).term != m_draft.terms.literal(Argument());
    return ownDtype ? settings : m_draft.terms.make({.kind = TermKind::group}, {settings, m_draft.state.value(field)});
}

ValueId TracedRegions::enterRegion(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    bool complete = true;
    TermId active = constantArguments(call, 0, complete);
    Entered entered{.field = facts.field,
                    .gradModeBefore = m_draft.state.value(gradMode()),
                    .gradient = facts.field.view() == "inference mode"};
    if (!complete || call.positional.empty())
        return m_draft.unknown({frame.graph, id}, "it enters a region whose settings are not constant");
    if (!entered.gradient) { // each device type has its own autocast setting
        entered.field = autocastField(call.positional[0]);
        active = autocastSetting(active, call.positional.size() > 1 ? call.positional[1] : call.keyword("dtype"), entered.field);
    }
    checkSettings(frame, id, call, facts.field);
    entered.before = m_draft.state.value(entered.field);
    if (m_draft.state.fieldCount() >= kMaxFields)
        return m_draft.unknown({frame.graph, id}, "it changes more than 64 global settings");
    m_draft.state.set(entered.field, active, entered.gradient, m_draft.terms);
    if (entered.gradient)
        m_draft.state.set(gradMode(), m_draft.terms.make({.kind = TermKind::group}, {m_draft.terms.text(facts.field), active}),
                          true, m_draft.terms);
    m_entered.push_back(entered);
    return m_draft.add({.kind = ValueKind::context,
                        .term = m_draft.terms.make({.kind = TermKind::group}, {m_draft.terms.text(entered.field), active}),
                        .reference = static_cast<std::uint32_t>(m_entered.size() - 1)});
}

void TracedRegions::leaveRegion(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    if (call.positional.empty() || m_draft.at(call.positional[0]).kind != ValueKind::context) {
        m_draft.giveUp({frame.graph, id}, "it leaves a region that the program does not enter");
        return;
    }
    const Entered& entered = m_entered[m_draft.at(call.positional[0]).reference];
    m_draft.state.set(entered.field, entered.before, entered.gradient, m_draft.terms);
    if (entered.gradient)
        m_draft.state.set(gradMode(), entered.gradModeBefore, true, m_draft.terms);
}

void TracedRegions::setState(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    bool complete = true;
    TermId value = constantArguments(call, 0, complete);
    if (facts.field != gradMode()) // several functions set one field in different ways
        value = m_draft.terms.make({.kind = TermKind::group}, {m_draft.functionTarget(node.target, node.op), value});
    if (complete)
        checkSettings(frame, id, call, facts.field);
    else
        m_steps.emitEffect(frame, id, m_draft.functionTarget(node.target, node.op), call);
    m_draft.state.set(facts.field, value, facts.gradField, m_draft.terms);
}

ValueId TracedRegions::stir(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call)
{
    static const InternedString kOther = intern("other settings");
    static const InternedString kAutocast = intern("autocast settings");
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const TermId target = m_draft.functionTarget(node.target, node.op);
    const ValueId result = m_operators.primitive(frame, id, facts, call, target);
    const InternedString field = node.target.view().find("autocast") != std::string_view::npos ? kAutocast : kOther;
    m_draft.state.set(field, m_draft.terms.make({.kind = TermKind::group}, {m_draft.state.value(field), target}), false,
                      m_draft.terms);
    return result;
}

ValueId TracedRegions::backward(TraceFrame& frame, NodeId id, const OperatorFacts& facts, TracedCall call)
{
    if (!m_draft.context.assumePure) {
        std::unordered_set<std::uint32_t> regions;
        const std::size_t count = m_draft.trace.values.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Value& value = m_draft.trace.values[i];
            if (value.kind == ValueKind::leaf
                && (!m_draft.context.followMemory || regions.insert(m_draft.trace.regions.find(value.region)).second))
                call.positional.emplace_back(static_cast<std::uint32_t>(i));
        }
        return stir(frame, id, facts, call);
    }
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    return m_operators.primitive(frame, id, facts, call, m_draft.functionTarget(node.target, node.op));
}

bool TracedRegions::enterCalled(CallRole role, const TracedCall& call, std::size_t settings)
{
    TracedCall given;
    given.positional.assign(call.positional.begin(), call.positional.begin() + static_cast<std::ptrdiff_t>(settings));
    bool complete = true;
    const TermId active = constantArguments(given, 0, complete);
    if (!complete)
        return false;
    if (role == CallRole::gradRegion) {
        m_draft.state.set(gradMode(), active, true, m_draft.terms);
    } else {
        const InternedString field = autocastField(call.positional[0]);
        m_draft.state.set(field, autocastSetting(active, call.positional[1], field), false, m_draft.terms);
    }
    return true;
}

} // namespace sunder
