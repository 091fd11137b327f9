#pragma once

#include "ir/program.h"
#include "operators/module_facts.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
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

/// Effects of a nested graph: writes to memory that it does not allocate, and others.
struct GraphEffects {
    CallEffects effects; ///< `written` is empty, `writesHeld`: it writes to tensors that it reads by get_attr
    std::vector<std::uint8_t> written; ///< per placeholder: 1 if the graph may write to its memory
    bool returnsOutside = false; ///< a result may share memory with a placeholder or a tensor
};

/// Finds the effects of calls of one program's graphs. Calls of graphs have the effects of these graphs.
class EffectFinder {
public:
    explicit EffectFinder(const Program& program);
    /// O(arguments), except for the first call of a graph.
    CallEffects of(const Node& node);
    /// The same for a node of the graph of a module: its targets are paths below that module.
    CallEffects of(ModuleId owner, const Node& node);
    /// True for a call of graphs whose results are known to be in memory that these graphs allocate.
    bool returnsFresh(const Node& node);

private:
    /// Graphs that a call runs, and its operands in the order of their placeholders, if both are known.
    struct Called {
        std::vector<ModuleId> graphs = {};
        std::vector<NodeId> operands = {};
        bool hasOperands = false; ///< all operands are nodes, by position
    };

    CallEffects effectsOf(const Graph& graph, std::string_view owner, const Node& node);
    void addFacts(const Graph& graph, std::string_view owner, const Node& node, CallEffects& effects);
    void addModule(const Graph& graph, std::string_view owner, const Node& node, CallEffects& effects);
    void addNested(const Graph& graph, std::string_view owner, const Node& node, CallEffects& effects);
    [[nodiscard]] Called calledBy(const Graph& graph, std::string_view owner, const Node& node) const;
    const GraphEffects& effectsOf(ModuleId module);
    /// For calls of graphs that are not known: the effects of all nested graphs; `writesHeld` also if one writes to a placeholder.
    const CallEffects& effectsOfAny();

    const Program& m_program;
    OperatorCatalogue m_catalogue;
    ModuleFacts m_leaves;
    std::unordered_map<ModuleId, GraphEffects> m_graphs; ///< by module that owns the graph
    std::optional<CallEffects> m_any;
    std::size_t m_depth = 0; ///< nesting of the graph that effectsOf() examines
};

} // namespace sunder
