#pragma once

#include "ir/program.h"
#include "operators/module_facts.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What a call does besides computing its value, from `mutated` and from the facts of its target. What nobody knows may
/// do all of it.
struct CallEffects {
    /// Inputs whose memory it writes to, or may.
    std::vector<NodeId> written;
    bool writesBuffers = false;  ///< or parameters, of the module that it calls
    bool writesHeld = false;     ///< or to tensors that the graphs which it calls hold, if they do
    bool random = false;         ///< draws random numbers, or may
    bool ordered = false;        ///< asserts, prints, or does what is not known
    bool asserts = false;        ///< that is all that `ordered` stands for: which of two assertions fails first is one answer
    bool known = true;           ///< false: nobody knows what it does, so it may do all of it
    bool setsState = false;      ///< of the whole program: autocast, grad mode, default dtype …
};

/// Finds the effects of calls of one program's root graph. What a nested graph may do its callers do.
class EffectFinder {
public:
    explicit EffectFinder(const Program& program);
    /// O(arguments).
    CallEffects of(const Node& node);

private:
    void noteOutside(const Graph& graph, NodeId id, std::vector<std::uint8_t>& isOutside);
    void addFacts(const Node& node, CallEffects& effects);
    void addModule(const Node& node, CallEffects& effects);
    void addNested(const Node& node, CallEffects& effects) const;

    const Program& m_program;
    OperatorCatalogue m_catalogue;
    ModuleFacts m_leaves;
    CallEffects m_nested; ///< of all graphs except the root graph; `written` is not empty if one of them writes to memory
        ///< that it takes or holds
};

} // namespace sunder
