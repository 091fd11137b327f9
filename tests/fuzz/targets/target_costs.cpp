#include "target.h"

#include "io/side_files/costs_file.h"

/// COSTS.json, CSV, traces, and node data
SUNDER_TARGET(text)
{
    static const sunder::Program program = [] {
        sunder::Program made;
        sunder::Graph& graph = made.graph(made.root = made.addGraph(sunder::ModuleTree::root()));
        graph.append({.op = sunder::Op::callFunction,
                      .name = sunder::intern("mm"),
                      .target = sunder::intern("torch.ops.aten.mm.default")});
        return made;
    }();
    sunder::MeasuredCosts costs;
    (void)sunder::addCosts(program, text, "costs.json", costs);
}
