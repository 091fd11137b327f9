#pragma once

#include "ir/graph.h"
#include "ir/namespace.h"
#include "ir/program.h"

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sunder {

/// A parameter of forward() as declared in Python: "x", "*rest", "**options".
struct ForwardInput {
    NodeId node;
    std::string stars;
    std::string name;
    bool hasDefault = false;
};

/// The parameters of a graph's forward(), adjusted to be valid in Python.
class ForwardInputs {
public:
    /// Determines the parameters. Uses the targets of placeholders as names if these are valid and free; otherwise `nameOf`
    /// provides the name of the node, and `names` makes new ones. Omits default values that Python would evaluate when it reads a
    /// class (`insideClass`), and those before a required parameter. Adds a note for each change. Call once. O(nodes).
    void find(const Graph& graph, bool insideClass, const std::function<std::string(NodeId)>& nameOf, Namespace& names,
              std::vector<std::string>& notes);

    [[nodiscard]] std::size_t size() const { return m_inputs.size(); }
    [[nodiscard]] const ForwardInput& operator[](std::size_t place) const { return m_inputs[place]; }
    /// Returns the position of a placeholder's parameter.
    [[nodiscard]] std::size_t placeOf(NodeId placeholder) const { return m_placeOf.at(placeholder); }

private:
    void putRestLast(std::vector<std::string>& notes);
    void dropDefaults(std::vector<std::string>& notes);

    std::vector<ForwardInput> m_inputs;
    std::unordered_map<NodeId, std::size_t> m_placeOf;
};

/// Returns the values of a graph's output in order. The span is valid until the output's arguments change.
std::span<const Argument> flatResults(const Graph& graph);

/// Returns the nesting of a program's inputs and results if their numbers of leaves match; null otherwise. O(calls).
const ModuleCall* nestingOf(const Program& program, std::size_t inputs, std::size_t results);

} // namespace sunder
