#pragma once

#include "layout/geometry.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sunder {

/// What a layout engine places: boxes of fixed sizes and directed edges between them. No cycles are needed, but
/// engines must survive them. The order of boxes is the order of execution and breaks ties.
struct BoxGraph {
    struct Box {
        Size size;
        float extraRight = 0; ///< room kept free at the right side (chips beside the box); the box is not centred in it
        /// The same at the left. A frame whose main path does not run through its middle is a box around that path with
        /// the rest of it as room.
        float extraLeft = 0;
    };
    struct Edge {
        std::uint32_t from = 0; ///< index into boxes
        std::uint32_t to = 0;
        float weight = 1; ///< how much it should be short and straight; the main path has the most
    };
    std::vector<Box> boxes;
    std::vector<Edge> edges;
};

struct LayoutOptions {
    float boxGap = 24;   ///< between neighbours in a rank
    float rankGap = 26;  ///< between ranks
    float edgeGap = 14;  ///< kept free beside a long edge
    std::uint32_t timeLimitMs = 2000; ///< for engines that may not end in time
    /// Centres from elsewhere, one per box (NaN: none), that the order within ranks starts from; empty: none. Branches that
    /// may stand either way are in order of execution all the same.
    std::vector<Point> previousCenters = {};
};

/// Where everything goes; the top left corner of all is at (0, 0).
struct BoxLayout {
    std::vector<Point> centers;     ///< per box
    std::vector<BezierPath> routes; ///< per edge, from the lower border of `from` to the upper border of `to`
    Size size;
    /// What its crossings cost, to compare drawings of the same graph: engines count alike where they can, 0 elsewhere.
    std::uint64_t crossings = 0;
};

/// A way to lay out boxes. Stateless: may be called from several threads at once.
class LayoutEngine {
public:
    virtual ~LayoutEngine() = default;
    /// Fails only when cancelled, or (dot) when it gives up in time; then another engine is to be tried.
    [[nodiscard]] virtual Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                                   ProgressMonitor& monitor) const = 0;
    [[nodiscard]] virtual const char* name() const = 0;
    /// An engine for the bodies of one picture and for all tries at it: what it spends on them is bounded in all, and equal
    /// bodies are laid out once. For one thread at a time. Null where this one needs no such bound.
    [[nodiscard]] virtual std::unique_ptr<LayoutEngine> forPicture() const { return nullptr; }
};

/// Our Sugiyama engine: linear in practice, never fails but when cancelled.
std::unique_ptr<LayoutEngine> makeLayeredEngine();

/// Graphviz `dot` in a child process (`program` run with the hidden argument "--layout-child"), killed at the time
/// limit. `program` is the path of sunder-cli.
std::unique_ptr<LayoutEngine> makeDotEngine(std::string program);

/// Entry of that child: reads a graph from standard input, writes positions to standard output, ends the process.
/// Returns an exit status when there is nothing to lay out.
int runLayoutChild();

/// Version of the Graphviz that this process is linked to: "2.43.0".
std::string graphvizVersion();

/// Predicts the cost and chooses: `dot` for small bodies when given, ours for the rest and whenever `dot` fails
/// (`docs/pictures.md`, "Predict, then choose"). Used by itself it has a budget for each body, from `forPicture` one for all.
std::unique_ptr<LayoutEngine> makeAutomaticEngine(std::unique_ptr<LayoutEngine> dotOrNull);

} // namespace sunder
