#pragma once

#include "verify/explanation.h"
#include "verify/tensor_contents.h"

namespace sunder {

/// What a verdict on two programs that compute the same rests on.
struct DependedTensors {
    std::vector<TensorPair> reached; ///< outputs, writes, effects and assertions follow from these
    std::vector<TensorPair> called;  ///< only calls whose results nobody uses read these; such a call may still fail
    std::string doubt; ///< why something else may differ: leaf modules, attributes, functions; half a sentence, or empty
    std::vector<std::string> objects; ///< leaf modules of which neither file states fields
    ComparedBytes bytes = ComparedBytes::elements; ///< what of these tensors has to be equal
};

/// In order of the second program's tensors. Linear in terms and tensors.
DependedTensors dependedTensors(const ExplainedSide& a, const ExplainedSide& b, const TermTable& terms,
                                const Correspondence& correspondence);

/// The same of two programs that are written alike: all tensors, and all that could be called. Linear in terms and tensors.
DependedTensors allTensors(const Program& a, const Program& b, const TermTable& terms, const Correspondence& correspondence);

} // namespace sunder
