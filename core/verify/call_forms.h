#pragma once

#include "verify/explanation.h"

#include <unordered_map>
#include <vector>

namespace sunder {

/// Whether a call that the first program does not make can fail where the first program runs. Many operators fail by
/// dtypes, shapes, strides and constants alone: calls of one form, in which these are equal, then fail together. A form
/// is a term: of what the first program's file describes (`val`, tensor table) its description, of other results the
/// operator with the forms of its operands. What memory holds is left out.
class CallForms {
public:
    /// Forms of everything that both compute. O(terms).
    CallForms(const ExplainedSide& first, const ExplainedSide& second, const Correspondence& correspondence,
              TermTable& terms);

    /// Whether `call`, which the second program makes, has the form of one that the first makes.
    [[nodiscard]] bool isOfKnownForm(TermId call) const { return m_known[call.index()]; }

private:
    void describeInputs(const Correspondence& correspondence);
    TermId formOf(TermId term);
    TermId formOfCall(TermId call);
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
    std::vector<TermId> m_forms; ///< by term
    std::vector<bool> m_known;   ///< by term
    std::unordered_map<TermId, TermId> m_results; ///< form of the result by the form of the call
};

} // namespace sunder
