#pragma once

#include "ir/program.h"
#include "operators/exact_call.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// The shape of a strided tensor with hints for symbolic sizes, in elements.
struct Shape {
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> strides; ///< of a contiguous tensor if the file states none

    void transpose(); ///< swaps the last two dimensions
    void makeContiguous();
};

/// The known arguments of a call by the names and positions of its operator's schema: shapes, numbers, and flags. References the
/// graph, the call, and `val`.
class CallShapes {
public:
    CallShapes(const Graph& graph, const ChosenCall& call, const std::optional<Argument>& val)
        : m_graph(graph), m_call(call), m_val(val)
    {
    }

    [[nodiscard]] std::optional<Shape> tensor(std::string_view name, std::size_t position) const;
    /// Returns the tensors of a list; empty if one is unknown.
    [[nodiscard]] std::vector<Shape> tensors(std::string_view name, std::size_t position) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name, std::size_t position) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name, std::size_t position) const;
    [[nodiscard]] std::optional<bool> flag(std::string_view name, std::size_t position) const;
    [[nodiscard]] std::vector<bool> flags(std::string_view name, std::size_t position) const;
    /// Returns a non-negative integer that may be symbolic.
    [[nodiscard]] std::optional<std::uint64_t> size(std::size_t position) const;
    [[nodiscard]] std::string_view text(std::string_view name, std::size_t position) const;
    /// Returns a tensor of the result: the result itself, or an item of it.
    [[nodiscard]] std::optional<Shape> result(std::size_t item) const;

private:
    /// Returns the value of an argument; null if it is missing or unknown.
    [[nodiscard]] const Argument* argument(std::string_view name, std::size_t position) const;

    const Graph& m_graph;
    const ChosenCall& m_call;
    const std::optional<Argument>& m_val;
};

/// Returns the module at a path that a graph refers to; invalid if there is none.
ModuleId moduleCalled(const Program& program, GraphId in, InternedString target);

/// Returns the graph of that module; invalid if there is none, as for a leaf.
GraphId moduleGraph(const Program& program, GraphId in, InternedString target);

/// Returns the graph that an argument of a node refers to: a graph, or the graph of a module by get_attr; invalid if there is none.
GraphId graphOf(const Program& program, GraphId in, const Argument& argument);

} // namespace sunder
