#include "verify/kept_casts.h"

#include "operators/operator_library.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace sunder {
namespace {

/// Models the cast cache of autocast. It caches casts of autograd leaves only: of tensors from outside, and of tensors that a
/// call makes leaves.
class KeptCasts {
public:
    KeptCasts(Trace& trace, const TermTable& terms, const SymbolMapping& mapping) : m_trace(trace), m_terms(terms)
    {
        for (const ValueId root : trace.roots) {
            const Term& place = terms[trace.values[root.index()].term];
            const bool mayRequire = place.kind == TermKind::input
                ? mapping.mayRequireGradient(static_cast<std::uint32_t>(place.bits))
                : place.kind != TermKind::tensor || place.detail != 0;
            if (mayRequire)
                m_leaves.insert(regionOf(root));
        }
    }

    /// Whether a step writes to a tensor that may have been cast.
    [[nodiscard]] bool follow(const Step& step)
    {
        std::unordered_set<std::uint32_t> written;
        for (const Operands stretch : {step.written, step.marked})
            for (const ValueId value : m_trace.at(stretch))
                written.insert(regionOf(value));
        if (makesLeaf(step)) {
            m_leaves.insert(written.begin(), written.end());
            addLeaf(step.result);
        }
        if (!step.mayCast) {
            m_cast.clear();
            return false;
        }
        if (std::ranges::any_of(written, [&](std::uint32_t region) { return m_cast.contains(region); }))
            return true;
        if (step.reading == Reading::contents)
            for (const ValueId argument : m_trace.at(step.arguments))
                cast(argument, written);
        return false;
    }

private:
    [[nodiscard]] std::uint32_t regionOf(ValueId value) { return m_trace.regions.find(m_trace.values[value.index()].region); }

    void addLeaf(ValueId value)
    {
        if (m_trace.values[value.index()].kind == ValueKind::leaf)
            m_leaves.insert(regionOf(value));
    }

    [[nodiscard]] bool makesLeaf(const Step& step) const
    {
        static constexpr std::array<std::string_view, 4> kNames{"requires_grad_", "setattr", "__setattr__", "set_data"};
        const std::string_view name = operatorName(m_terms.textOf(step.target).view()).name;
        if (step.opaque || std::ranges::find(kNames, name) != kNames.end())
            return true;
        const std::span<const TermId> keywords = step.keywords == TermTable::nothing() ? std::span<const TermId>()
                                                                                       : m_terms.children(step.keywords);
        return std::ranges::any_of(keywords, [&](TermId key) { return m_terms.textOf(key).view() == "requires_grad"; });
    }

    void cast(ValueId id, const std::unordered_set<std::uint32_t>& written)
    {
        const Value& value = m_trace.values[id.index()];
        if (value.kind == ValueKind::container)
            for (const ValueId item : m_trace.items(value))
                cast(item, written);
        if (value.kind == ValueKind::leaf && m_leaves.contains(regionOf(id)) && !written.contains(regionOf(id)))
            m_cast.insert(regionOf(id));
    }

    Trace& m_trace;
    const TermTable& m_terms;
    std::unordered_set<std::uint32_t> m_leaves; ///< regions with autograd leaves
    std::unordered_set<std::uint32_t> m_cast;   ///< regions of arguments of calls in the current autocast region
};

} // namespace

std::optional<NodeRef> writeToKeptCast(Trace& trace, const TermTable& terms, const SymbolMapping& mapping)
{
    if (trace.regions.size() == 0 || std::ranges::none_of(trace.steps, &Step::mayCast))
        return std::nullopt;
    KeptCasts casts(trace, terms, mapping);
    for (const Step& step : trace.steps)
        if (casts.follow(step))
            return step.node;
    return std::nullopt;
}

} // namespace sunder
