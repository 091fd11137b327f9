#pragma once

#include "ir/program.h"
#include "verify/operator_facts.h"

#include <vector>

namespace sunder {

/// What a call does besides computing its value, from `mutated` and from the facts of its target.
struct CallEffects {
    /// Inputs whose memory it writes to; for a leaf module those in whose memory its result lies, perhaps unchanged.
    std::vector<NodeId> written;
    bool writesBuffers = false;  ///< of the module that it calls
    bool writesHeld = false;     ///< or to tensors that the graphs which it calls hold, if they do
    bool random = false;         ///< draws random numbers, or may
    bool ordered = false;        ///< asserts, prints, or does what is not known
    bool setsState = false;      ///< of the whole program: autocast, grad mode, default dtype …
};

/// Finds the effects of calls of one program's root graph. What a nested graph may do its callers do.
class EffectFinder {
public:
    explicit EffectFinder(const Program& program);
    /// `node` is one of `graph`. O(arguments).
    CallEffects of(const Graph& graph, const Node& node);

private:
    void addFacts(const Node& node, const OperatorFacts& facts, CallEffects& effects) const;
    void addModule(const Graph& graph, const Node& node, CallEffects& effects);
    void addNested(const Node& node, CallEffects& effects) const;

    const Program& m_program;
    OperatorCatalogue m_catalogue;
    CallEffects m_nested; ///< of all graphs but the root graph together; `written` is not empty when one of them writes
};

} // namespace sunder
