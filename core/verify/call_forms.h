#pragma once

#include "operators/operator_catalogue.h"
#include "verify/explanation.h"

#include <unordered_map>
#include <vector>

namespace sunder {

/// Whether a call that the first program does not make can fail where the first program runs. Many operators fail by
/// dtypes, shapes, strides and constants alone (`failsByForm`): calls of one form, in which these are equal, then fail
/// together. A form is a term: of what the first program's file describes (`val`, tensor table) its description, of other
/// results the operator with the forms of its operands. What memory holds is left out, but not of tensors that are taken for
/// numbers, as in `x.select(0, index)`.
class CallForms {
public:
    /// Forms of everything that both compute. O(terms).
    CallForms(const ExplainedSide& first, const ExplainedSide& second, Side firstSide, const Correspondence& correspondence,
              TermTable& terms);

    /// Whether `call`, which the second program makes, has the form of one that the first makes.
    [[nodiscard]] bool isOfKnownForm(TermId call) const { return m_known[call.index()]; }
    /// Whether `call` succeeds: its function is total, or the file describes its result and descriptions alone decide.
    [[nodiscard]] bool succeeds(TermId call);

private:
    void describeInputs(Side firstSide, const Correspondence& correspondence);
    /// What an operator takes in a place.
    enum class Takes : std::uint8_t { tensors, numbers, unknown };

    [[nodiscard]] bool holdsConstants(TermId term) const;
    TermId formOf(TermId term);
    TermId formOfCall(TermId call);
    /// Whether the form of a term leaves out what it holds.
    [[nodiscard]] bool leavesOut(TermId term) const;
    [[nodiscard]] const Step* stepOf(TermId call, const ExplainedSide*& side) const;
    std::vector<Takes> taken(TermId call);
    TermId operand(TermId term, Takes takes);
    [[nodiscard]] bool isOfOneElement(TermId description) const;
    TermId whole(TermId term, std::span<const TermId> parts);
    TermId formOfTensor(TermId tensor);
    TermId formOfVersion(TermId version);
    TermId reshaped(TermId place, TermId shapes);
    /// A term like `term` with the forms of its children.
    TermId withForms(TermId term);
    /// What a file says of a value; `otherwise` when it does not say all that calls can fail by.
    TermId description(const std::optional<Argument>& val, TermId otherwise);

    const ExplainedSide& m_first;
    const ExplainedSide& m_second;
    TermTable& m_terms;
    OperatorCatalogue m_operators;
    std::vector<TermId> m_forms;   ///< by term
    std::vector<bool> m_leavesOut; ///< by term
    std::vector<bool> m_known;   ///< by term
    std::unordered_map<TermId, TermId> m_results; ///< form of the result by the form of the call
};

} // namespace sunder
