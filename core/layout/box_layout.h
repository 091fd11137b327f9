#pragma once

#include "layout/geometry.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sunder {

/// Input of a layout engine: boxes of fixed sizes and directed edges between them. The graph is usually acyclic, but engines must
/// handle cycles. Boxes are in execution order, which breaks ties.
struct BoxGraph {
    struct Box {
        Size size;
        float extraRight = 0; ///< space reserved on the right, e.g. for chips; ignored when the box is centered
        /// The same on the left. A frame whose main path is not in its middle is passed as a box around that path, with the
        /// remaining width as reserved space.
        float extraLeft = 0;
    };
    struct Edge {
        std::uint32_t from = 0; ///< index into boxes
        std::uint32_t to = 0;
        float weight = 1; ///< preference for a short, straight edge; highest on the main path
    };
    std::vector<Box> boxes;
    std::vector<Edge> edges;
};

struct LayoutOptions {
    float boxGap = 24; ///< between neighbors in a rank
    float rankGap = 26; ///< between ranks
    float edgeGap = 14; ///< clearance on both sides of a long edge
    std::uint32_t timeLimitMs = 2000; ///< for engines that may exceed their time
    /// Centers from a previous layout, one per box (NaN: none), as the starting order within ranks. Empty: none. Interchangeable
    /// branches stay in execution order regardless.
    std::vector<Point> previousCenters = {};
};

/// Placed boxes and routed edges. The top-left corner of the drawing is (0, 0).
struct BoxLayout {
    std::vector<Point> centers; ///< per box
    std::vector<BezierPath> routes; ///< per edge, from the bottom of `from` to the top of `to`
    Size size;
    /// Cost of the crossings, to compare drawings of the same graph. Engines that can count them use the same measure; the others
    /// report 0.
    std::uint64_t crossings = 0;
};

/// A layout algorithm. Stateless: it may be called from several threads at once.
class LayoutEngine {
public:
    virtual ~LayoutEngine() = default;
    /// Fails only when canceled or, for dot, when the time limit is exceeded. In the latter case, the caller should try another
    /// engine.
    [[nodiscard]] virtual Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                                   ProgressMonitor& monitor) const = 0;
    [[nodiscard]] virtual const char* name() const = 0;
    /// Returns an engine for all bodies of one picture, including repeated attempts. It bounds their total cost and lays out
    /// equal bodies only once. Not thread-safe. Null if this engine needs no such bound.
    [[nodiscard]] virtual std::unique_ptr<LayoutEngine> forPicture() const { return nullptr; }
};

/// Returns the built-in layered (Sugiyama) engine. Linear in practice; fails only when canceled.
std::unique_ptr<LayoutEngine> makeLayeredEngine();

/// Returns an engine that runs Graphviz `dot` in a child process and kills it at the time limit. `program` is the path of
/// sunder-cli, which is started with the hidden argument "--layout-child".
std::unique_ptr<LayoutEngine> makeDotEngine(std::string program);

/// Entry point of that child process: reads a graph from standard input, writes positions to standard output, and ends the
/// process. Returns an exit status only if there is nothing to lay out.
int runLayoutChild();

/// Version of the linked Graphviz library, e.g. "2.43.0".
std::string graphvizVersion();

/// Returns an engine that predicts the cost and chooses: `dot` for small bodies if given, the layered engine for all others and
/// whenever `dot` fails (`docs/pictures.md`, "Predict, then choose"). It has a budget for each body; an engine from `forPicture`
/// has one for all bodies.
std::unique_ptr<LayoutEngine> makeAutomaticEngine(std::unique_ptr<LayoutEngine> dotOrNull);

} // namespace sunder
