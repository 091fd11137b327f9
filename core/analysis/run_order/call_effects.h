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

/// The side effects of a call, from `mutated` and the facts of its target. Unknown operators are assumed to have all of them.
struct CallEffects {
    /// Inputs whose memory it may write.
    std::vector<NodeId> written;
    bool writesBuffers = false;  ///< writes to buffers or parameters of the called module
    bool writesHeld = false;     ///< also writes to tensors of the called graphs, if there are any
    bool random = false;         ///< may draw random numbers
    bool ordered = false;        ///< asserts, prints, or has unknown effects
    bool asserts = false;        ///< `ordered` is due to assertions alone, whose relative order does not matter
    bool known = true;           ///< false: unknown operator, assumed to have all effects
    bool setsState = false;      ///< global state: autocast, grad mode, default dtype …

    /// Returns whether the call can only return a result, or fail by an assertion.
    [[nodiscard]] bool onlyComputes() const
    {
        return known && written.empty() && !writesBuffers && !writesHeld && !setsState && !random && (!ordered || asserts);
    }
    /// Returns whether the call can only return a result: it asserts nothing, either.
    [[nodiscard]] bool isPure() const { return onlyComputes() && !ordered; }
};

/// The effects of a nested graph outside memory that it allocates.
struct GraphEffects {
    CallEffects effects; ///< `written` is empty; `writesHeld`: writes to tensors that it reads by get_attr
    std::vector<std::uint8_t> written; ///< per placeholder: 1 if the graph may write to its memory
    bool returnsOutside = false; ///< a result may share memory with a placeholder or a tensor
};

/// Finds the effects of calls in a program's graphs. A call of graphs has the effects of these graphs.
class EffectFinder {
public:
    explicit EffectFinder(const Program& program);
    /// Returns the effects of a node of the root graph. O(arguments), except for the first call of a graph.
    CallEffects of(const Node& node);
    /// Same for a node in the graph of a module: targets are paths below that module.
    CallEffects of(ModuleId owner, const Node& node);
    /// Returns whether a call runs graphs whose results are known to be in memory that these graphs allocate.
    bool returnsFresh(const Node& node);

private:
    /// The graphs that a call runs, and its operands in placeholder order, if both are known.
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
    /// Returns the effects of all nested graphs, for calls of unknown graphs; `writesHeld` is also set if a graph writes to a
    /// placeholder.
    const CallEffects& effectsOfAny();

    const Program& m_program;
    OperatorCatalog m_catalogue;
    ModuleFacts m_leaves;
    std::unordered_map<ModuleId, GraphEffects> m_graphs; ///< by module that owns the graph
    std::optional<CallEffects> m_any;
    std::size_t m_depth = 0; ///< nesting depth of the graph that effectsOf() examines
};

/// Finds dead ops: returns 1, per NodeId of a graph, for assertions, and for calls without effects whose results are unused or
/// only used by such calls. Calls of modules, unknown operators and random ops are never dead; nor are unused results in a graph
/// without an output. O(nodes + arguments).
std::vector<char> deadAndAssertNodes(const Program& program, GraphId graph);

} // namespace sunder
