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

/// An input of forward() as Python code declares it: "x", "*rest", "**options".
struct ForwardInput {
    NodeId node;
    std::string stars;
    std::string name;
    bool hasDefault = false;
};

/// The inputs of a graph's forward(), so that they may stand together in Python.
class ForwardInputs {
public:
    /// Calls inputs by the targets of placeholders where those are names that are free; `nameOf` gives the name of a node
    /// otherwise, `names` new ones. Default values that Python would work out when it reads a class are left out
    /// (`insideClass`), as are those before an input that has to be given. Every change has a note. Call once. O(nodes).
    void find(const Graph& graph, bool insideClass, const std::function<std::string(NodeId)>& nameOf, Namespace& names,
              std::vector<std::string>& notes);

    [[nodiscard]] std::size_t size() const { return m_inputs.size(); }
    [[nodiscard]] const ForwardInput& operator[](std::size_t place) const { return m_inputs[place]; }
    /// Where the input of a placeholder stands.
    [[nodiscard]] std::size_t placeOf(NodeId placeholder) const { return m_placeOf.at(placeholder); }

private:
    void putRestLast(std::vector<std::string>& notes);
    void dropDefaults(std::vector<std::string>& notes);

    std::vector<ForwardInput> m_inputs;
    std::unordered_map<NodeId, std::size_t> m_placeOf;
};

/// The values of a graph's output, flat, in order. They live as long as the output keeps its arguments.
std::span<const Argument> flatResults(const Graph& graph);

/// How a program nests its inputs and results, if it takes and returns as many leaves; else null. O(calls).
const ModuleCall* nestingOf(const Program& program, std::size_t inputs, std::size_t results);

} // namespace sunder
