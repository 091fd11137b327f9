#include "verify/gradient_reach.h"

#include "operators/operator_target.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace sunder {
namespace {

/// Whether a value requires gradients.
enum class Requires : std::uint8_t {
    unread, ///< not determined yet
    same,   ///< the same in both programs
    surely, ///< required in both, if gradients are recorded
    unsure, ///< depends on a tensor whose requires_grad is compared
};

/// Whether a query of a tensor does not depend on gradients.
bool asksNoGradient(std::string_view name)
{
    static constexpr std::array<std::string_view, 17> kNames{
        "device", "dim",  "dtype",  "element_size",       "getattr",  "is_contiguous", "layout",    "ndim",          "numel",
        "shape",  "size", "stride", "sym_storage_offset", "sym_size", "sym_stride",    "sym_numel", "storage_offset"};
    return std::ranges::find(kNames, name) != kNames.end();
}

/// Whether an operator selects its algorithm, and thus its rounding, by the requires_grad of its arguments.
bool choosesByGradients(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kNames{"matmul",
                                                             "__matmul__",
                                                             "linear",
                                                             "Linear",
                                                             "bilinear",
                                                             "einsum",
                                                             "tensordot",
                                                             "MultiheadAttention",
                                                             "scaled_dot_product_attention",
                                                             "multi_head_attention_forward",
                                                             "TransformerEncoderLayer",
                                                             "TransformerEncoder"};
    return std::ranges::find(kNames, name) != kNames.end();
}

class GradientReach {
public:
    GradientReach(Trace& trace, const TermTable& terms)
        : m_trace(trace), m_terms(terms), m_known(trace.values.size(), Requires::unread)
    {
    }

    void begin(std::span<const TermId> tensors)
    {
        const std::unordered_set<TermId> compared(tensors.begin(), tensors.end());
        for (const ValueId root : m_trace.roots) {
            const Value& value = m_trace.values[root.index()];
            const bool isWritten = m_trace.regions.size() > 0 && m_trace.regions.isWritten(value.region);
            const bool isTensor = m_terms[value.term].kind == TermKind::tensor;
            if (compared.contains(value.term))
                m_known[root.index()] = Requires::unsure;
            else if (isTensor && m_terms[value.term].detail != 0 && !isWritten)
                m_known[root.index()] = Requires::surely;
        }
    }

    /// Returns false if the effect of a step may depend on gradients.
    [[nodiscard]] bool follow(const Step& step)
    {
        Requires given = Requires::same;
        for (const ValueId argument : m_trace.at(step.arguments))
            given = worst(given, of(argument));
        const bool isRecorded = step.gradientState == TermTable::nothing();
        Requires& result = m_known[step.result.index()];
        if (given != Requires::unsure) {
            const bool isKept = given == Requires::surely && step.keepsGradients && isRecorded;
            if (result == Requires::unread)
                result = isKept ? Requires::surely : Requires::same;
            return true;
        }
        const std::string_view name = operatorName(m_terms.textOf(step.target).view()).name;
        if (step.written.count != 0 || step.marked.count != 0 || step.random || step.opaque || choosesByGradients(name))
            return false;
        if (step.role == CallRole::query || name == "detach") {
            result = Requires::same;
            return name == "detach" || asksNoGradient(name);
        }
        const bool isView = step.logicalView || (step.role == CallRole::getItem && step.reading == Reading::firstByLocation);
        if (!isView && !step.keepsGradients)
            return false;
        const bool isSure = step.keepsGradients && isRecorded
            && std::ranges::any_of(m_trace.at(step.arguments), [&](ValueId id) { return holdsSure(id); });
        result = isSure ? Requires::surely : Requires::unsure;
        return true;
    }

    [[nodiscard]] Requires of(ValueId id)
    {
        Requires& known = m_known[id.index()];
        if (known != Requires::unread)
            return known;
        Requires found = Requires::same;
        if (m_trace.values[id.index()].kind == ValueKind::container)
            for (const ValueId item : m_trace.items(m_trace.values[id.index()]))
                found = worst(found, of(item));
        return m_known[id.index()] = found;
    }

private:
    static Requires worst(Requires a, Requires b) { return std::max(a, b); }

    /// Whether a value, or one in a list, certainly requires gradients.
    [[nodiscard]] bool holdsSure(ValueId id)
    {
        const Value& value = m_trace.values[id.index()];
        return value.kind == ValueKind::container
            ? std::ranges::any_of(m_trace.items(value), [&](ValueId item) { return of(item) == Requires::surely; })
            : of(id) == Requires::surely;
    }

    Trace& m_trace;
    const TermTable& m_terms;
    std::vector<Requires> m_known; ///< by ValueId
};

} // namespace

bool dependsOnGradientsOf(std::span<const TermId> tensors, Trace& trace, const TermTable& terms)
{
    if (!trace.bodies.empty()) // closures may return any value
        return true;
    GradientReach reach(trace, terms);
    reach.begin(tensors);
    if (!std::ranges::all_of(trace.steps, [&](const Step& step) { return reach.follow(step); }))
        return true;
    return reach.of(trace.output) == Requires::unsure;
}

} // namespace sunder
