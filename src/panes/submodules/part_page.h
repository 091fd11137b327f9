#pragma once

#include "document/runs/split_outcome.h"

#include <QString>

namespace sunder {

/// One graph of a cut: the main graph or a part.
struct PartPage {
    int run = 0;
    SplitOutcomePtr outcome = {}; ///< keeps the graph alive
    GraphId graph = {};
    int part = -1;       ///< −1: the main graph
    QString name = {};   ///< "stage0"; "main" of the main graph

    [[nodiscard]] const Program& program() const { return outcome->split.program; }
    [[nodiscard]] const Graph& nodes() const { return program().graph(graph); }
};

} // namespace sunder
