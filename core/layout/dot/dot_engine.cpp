#include "layout/dot/dot_child_process.h"
#include "layout/dot/dot_effort.h"
#include "layout/dot/dot_protocol.h"
#include "layout/layered/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sunder {
namespace {

/// Derives ranks from the y coordinates of centers, because dot aligns all boxes of a rank.
std::vector<layered::Index> ranksOf(const std::vector<Point>& centers)
{
    std::vector<layered::Index> order(centers.size());
    std::iota(order.begin(), order.end(), layered::Index{0});
    std::sort(order.begin(), order.end(), [&](layered::Index a, layered::Index b) { return centers[a].y < centers[b].y; });
    std::vector<layered::Index> ranks(centers.size(), 0);
    layered::Index rank = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (centers[order[i]].y - centers[order[i - 1]].y > 0.5F)
            ++rank;
        ranks[order[i]] = rank;
    }
    return ranks;
}

/// Uses Graphviz for ranks and order. Straight paths, lanes, and routes are computed as in the layered engine.
class DotEngine final : public LayoutEngine {
public:
    explicit DotEngine(std::string program) : m_program(std::move(program)) {}

    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        if (graph.boxes.size() > dot::kMaxBoxes || graph.edges.size() > dot::kMaxEdges)
            return fail(ErrorCode::refused,
                        "dot is not used for layouts of " + std::to_string(graph.boxes.size()) + " boxes and "
                            + std::to_string(graph.edges.size()) + " edges.");
        SUNDER_TRY(const std::vector<Point> centers, askChild(graph, options, monitor));
        LayoutOptions placing = options;
        placing.previousCenters = centers;
        return layered::layOutInRanks(graph, placing, ranksOf(centers), monitor);
    }

    [[nodiscard]] const char* name() const override { return "dot"; }

private:
    [[nodiscard]] Result<std::vector<Point>> askChild(const BoxGraph& graph, const LayoutOptions& options,
                                                      ProgressMonitor& monitor) const
    {
        const DotEffort effort = predictDot(layered::measureRanks(graph));
        const std::string request = dot::encodeRequest({.graph = graph,
                                                        .boxGap = options.boxGap,
                                                        .rankGap = options.rankGap,
                                                        .timeLimitMs = options.timeLimitMs,
                                                        .isBounded = effort != DotEffort::full});
        SUNDER_TRY(const std::string answer,
                   dot::runChild({.command = {m_program, "--layout-child"},
                                  .input = request,
                                  .outputLimit = dot::answerSize(graph.boxes.size()),
                                  .timeLimitMs = options.timeLimitMs},
                                 monitor));
        std::optional<std::vector<Point>> centers = dot::decodeAnswer(answer, graph.boxes.size());
        if (!centers)
            return fail(ErrorCode::malformed,
                        m_program + " did not return the positions of " + std::to_string(graph.boxes.size()) + " boxes.");
        return *std::move(centers);
    }

    std::string m_program;
};

} // namespace

std::unique_ptr<LayoutEngine> makeDotEngine(std::string program)
{
    return std::make_unique<DotEngine>(std::move(program));
}

} // namespace sunder
