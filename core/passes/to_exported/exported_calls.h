#pragma once

#include "ir/namespace.h"
#include "ir/program.h"
#include "operators/exact_call.h"
#include "support/result.h"

#include <map>
#include <utility>

namespace sunder {

/// The calls of an exported program that is being made: translates those of a plain program one by one. What stands for a
/// node there is a node here, or a tree of nodes and constants where it gives, or is given, several values.
class ExportedCalls {
public:
    /// `names` holds every name of the source; nodes that are made on the way get others.
    ExportedCalls(const Program& source, Graph& graph, Namespace& names, std::vector<Argument>& standIns);

    /// Appends what a call_function or call_method does. Refuses what no exported program can hold.
    Result<void> add(NodeId call);
    /// A value of the source with what stands for the nodes in it; results of several come one by one.
    [[nodiscard]] Result<Argument> translate(const Argument& value);

private:
    using Items = std::map<std::pair<NodeId, std::int64_t>, NodeId>;

    [[nodiscard]] const Graph& from() const { return m_source.rootGraph(); }
    [[nodiscard]] Result<void> takeItem(NodeId call, const Argument& of, const Argument& key);
    [[nodiscard]] Result<Argument> item(NodeId of, std::int64_t number, InternedString name, const NodeMeta* meta);
    [[nodiscard]] Result<Argument> taken(const Argument& value);
    [[nodiscard]] std::optional<Argument> shapeOf(NodeId call, const Arguments& args);
    [[nodiscard]] std::optional<Argument> sizeOf(NodeId tensor, std::int64_t dimension, const Argument& size,
                                                 InternedString name);
    Result<void> append(NodeId call, ChosenCall made);

    const Program& m_source;
    Graph& m_graph;
    Namespace& m_names;
    std::vector<Argument>& m_standIns; ///< per node of the source: what stands for it
    OperatorCatalogue m_operators;
    Items m_sizes; ///< sizes that are asked for, by their tensor and dimension
    Items m_items; ///< of results of several, by their call and number
};

} // namespace sunder
