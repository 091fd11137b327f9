#pragma once

#include "module_program.h"
#include "passes/unflatten/module_places.h"
#include "passes/unflatten/open_calls.h"

namespace sunder::test {

/// A flat program, its outline, and the objects that work on the outline, before any node is copied.
struct Outlining {
    explicit Outlining(Program program, UnflattenOptions chosen = {})
        : flat(std::move(program)), options(chosen), draft(flat, 8), crossings(draft, options),
          values(draft, crossings, options.crossing), preserved(draft, values), places(draft, options.asUpstream),
          calls(draft, signatures, places, preserved)
    {
    }

    [[nodiscard]] NodeId node(std::string_view name) const { return draft.flat.find(intern(name)); }
    /// Continues as if all nodes before the named one had been copied.
    void goTo(std::string_view name) { draft.at = draft.uses.positions[node(name).index()]; }
    /// Opens a call of a module below the last one; each path is a separate module.
    void open(std::string_view path, std::uint32_t call = 0)
    {
        calls.open({.path = intern(path), .cls = intern("Part"), .call = call}, intern(path));
    }
    /// Adds a copy of a flat node to a frame's graph and records it.
    NodeId copy(std::size_t frame, std::string_view name)
    {
        const Node& from = draft.flat.node(node(name));
        const NodeId made = draft.graphOf(frame).insert(
            {.op = from.op, .name = from.name, .target = from.target, .fn = from.fn, .meta = from.meta});
        draft.noteValue(frame, node(name), made, false);
        return made;
    }
    [[nodiscard]] const Node& in(std::size_t frame, NodeId id) { return draft.graphOf(frame).node(id); }
    /// "name: op target" for the nodes of a frame's graph, in order.
    [[nodiscard]] std::vector<std::string> nodesOf(std::size_t frame)
    {
        std::vector<std::string> said;
        const Graph& graph = draft.graphOf(frame);
        for (const NodeId id : graph.nodes())
            said.push_back(graph.node(id).name.str() + ": " + graph.node(id).target.str());
        return said;
    }
    [[nodiscard]] std::string error() const { return draft.error ? draft.error->message : std::string(); }

    Program flat;
    UnflattenOptions options;
    CallSignatures signatures;
    OutlineDraft draft;
    CrossingReads crossings;
    FrameValues values;
    PreservedCalls preserved;
    ModulePlaces places;
    OpenCalls calls;
};

/// x passes through relu in a, then with the weight of a.b through mul in a.b; neg is outside.
inline Program twoModules()
{
    ModuleProgram made;
    const NodeId weight = made.parameter("p_a_b_weight", "a.b.weight");
    const NodeId x = made.input("x");
    const NodeId relu = made.call("relu", "relu.default", {x}, {"a"});
    const NodeId view = made.call("view", "view.default", {relu}, {"a"});
    const NodeId mul = made.call("mul", "mul.Tensor", {view, weight}, {"a", "a.b"});
    const NodeId add = made.call("add_", "add_.Tensor", {mul, weight}, {"a", "a.b"});
    const NodeId neg = made.call("neg", "neg.default", {add}, {});
    return made.finish({neg, relu});
}

} // namespace sunder::test
