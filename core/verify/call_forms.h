#pragma once

#include "operators/operator_catalogue.h"
#include "verify/explanation.h"

#include <unordered_map>
#include <vector>

namespace sunder {

/// Decides whether a call that only the second program makes can fail when the first program succeeds.
///
/// The success of many operators depends only on dtypes, shapes, strides, and constants (`failsByForm`). Calls that agree in
/// these have the same form and fail together. A form is a term: the description of a value that the first program's file
/// describes (`val`, tensor table), or else the operator applied to the forms of its operands. Forms omit memory contents, except
/// for tensors used as numbers, as in `x.select(0, index)`.
class CallForms {
public:
    /// Computes the forms of all terms of both programs. O(terms).
    CallForms(const ExplainedSide& first, const ExplainedSide& second, Side firstSide, const SymbolMapping& mapping,
              TermTable& terms);

    /// Whether `call`, made by the second program, has the form of a call that the first program makes.
    [[nodiscard]] bool isOfKnownForm(TermId call) const { return m_known[call.index()]; }
    /// Whether `call` always succeeds: its function is total, or the file describes its result and descriptions alone decide.
    [[nodiscard]] bool succeeds(TermId call);

private:
    void describeInputs(Side firstSide, const SymbolMapping& mapping);
    /// The kind of values that an operator accepts for an argument.
    enum class Takes : std::uint8_t { tensors, numbers, unknown };

    [[nodiscard]] bool holdsConstants(TermId term) const;
    TermId formOf(TermId term);
    TermId formOfCall(TermId call);
    /// Whether the form of a term omits its contents.
    [[nodiscard]] bool leavesOut(TermId term) const;
    [[nodiscard]] const Step* stepOf(TermId call, const ExplainedSide*& side) const;
    std::vector<Takes> taken(TermId call);
    TermId operand(TermId term, Takes takes);
    [[nodiscard]] bool isOfOneElement(TermId description) const;
    TermId whole(TermId term, std::span<const TermId> parts);
    TermId formOfTensor(TermId tensor);
    TermId formOfVersion(TermId version);
    TermId reshaped(TermId place, TermId shapes);
    /// Returns a term like `term` whose children are forms.
    TermId withForms(TermId term);
    /// Returns the description in the file; `otherwise` if it omits something that can make a call fail.
    TermId description(const std::optional<Argument>& val, TermId otherwise);

    const ExplainedSide& m_first;
    const ExplainedSide& m_second;
    TermTable& m_terms;
    OperatorCatalog m_operators;
    std::vector<TermId> m_forms; ///< by TermId
    std::vector<bool> m_leavesOut; ///< by TermId
    std::vector<bool> m_known; ///< by TermId
    std::unordered_map<TermId, TermId> m_results; ///< form of the call → form of its result
};

} // namespace sunder
