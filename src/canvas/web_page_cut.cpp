// The parts of a cut in a page: their figures, what passes between them, their graph, and problems of the tags.
#include "analysis/cut/cut_edges.h"
#include "analysis/cut/cut_text.h"
#include "canvas/web_page_data.h"
#include "layout/box_layout.h"
#include "support/format.h"
#include "support/text.h"

#include <algorithm>
#include <cmath>

namespace sunder::webpage {
namespace {

constexpr Size kDagBox{148, 44};
constexpr std::size_t kMaxValues = 12;   ///< listed per crossing
constexpr std::size_t kMaxProblems = 20; ///< listed per kind

const char* wordOf(Severity severity)
{
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: break;
    }
    return "note";
}

class CutWriter {
public:
    CutWriter(const WebPage& page, JsonWriter& json)
        : m_page(page), m_json(json), m_graph(cutGraph(page.program)), m_metrics(cutMetrics(m_graph, *page.cut)),
          m_drawn(drawnCut(m_graph, *page.cut, m_metrics))
    {
        m_nodes.resize(m_metrics.parts.size());
        for (const NodeId node : page.graph.nodes())
            if (const std::int32_t part = (*page.cut)[node]; part >= 0 && static_cast<std::size_t>(part) < m_nodes.size())
                m_nodes[static_cast<std::size_t>(part)].push_back(node);
    }

    Result<void> write(const LayoutEngine& engine, ProgressMonitor& monitor)
    {
        m_json.member("cut", describeTotals(m_metrics));
        writeParts();
        writeCrossings();
        SUNDER_PROPAGATE(writeDag(engine, monitor));
        writeProblems();
        return {};
    }

private:
    void writeParts()
    {
        std::size_t index = 0;
        m_json.key("parts");
        m_json.list(m_metrics.parts, [&](const PartMetrics& part) { m_json.object([&] { writePart(part, index++); }); });
    }

    void writePart(const PartMetrics& part, std::size_t index)
    {
        std::uint64_t in = 0;
        std::uint64_t out = 0;
        for (const CutEdge& edge : m_metrics.cutEdges) {
            in += edge.to == static_cast<std::int32_t>(index) ? edge.bytes : 0;
            out += edge.from == static_cast<std::int32_t>(index) ? edge.bytes : 0;
        }
        m_json.member("name", visibleText(part.name.view()));
        m_json.member("ops", part.sizes.ops);
        m_json.member("weights", formatBytes(part.sizes.parameterBytes));
        m_json.member("peak", formatBytes(part.sizes.usedBytes()));
        m_json.member("in", formatBytes(in));
        m_json.member("out", formatBytes(out));
        m_json.key("costs");
        m_json.list(m_page.costs, [&](const CostFiguresPtr& figures) {
            const CostFigure figure = figures->sum(m_nodes[index]);
            m_json.object([&] {
                m_json.member("name",
                              figures->unit == CostUnit::byte         ? "moved"
                                  : figures->unit == CostUnit::second ? "time"
                                                                      : visibleText(figures->name));
                m_json.member("text", figure.isKnown() ? costText(figures->unit, figure.value) : describe(*figures, figure));
                if (figures->total.value > 0)
                    m_json.member("share", std::round(figure.value / figures->total.value * 1000) / 1000);
            });
        });
    }

    /// Writes the members that crossings and edges of the DAG share.
    void writeEdge(const CutEdge& edge)
    {
        m_json.member("from", edge.from);
        m_json.member("to", edge.to);
        m_json.member("bytes", formatBytes(edge.bytes));
        if (edge.isBackward())
            m_json.member("backward", true);
    }

    void writeCrossings()
    {
        m_json.key("crossings");
        m_json.list(m_metrics.cutEdges, [&](const CutEdge& edge) {
            m_json.object([&] {
                writeEdge(edge);
                std::vector<std::string> values;
                for (std::size_t i = 0; i < std::min(kMaxValues, edge.values.size()); ++i)
                    values.push_back(visibleText(describe(edge.values[i], m_page.graph)));
                m_json.member("values", values);
                if (edge.values.size() > kMaxValues)
                    m_json.member("more", edge.values.size() - kMaxValues);
            });
        });
    }

    /// Lays out the parts with calls. Values that many parts read have no edges, as in the window.
    Result<void> writeDag(const LayoutEngine& engine, ProgressMonitor& monitor)
    {
        BoxGraph boxes;
        for (std::size_t i = 0; i < m_metrics.parts.size(); ++i)
            boxes.boxes.push_back({.size = kDagBox});
        for (const CutEdge& edge : m_drawn.cutEdges)
            boxes.edges.push_back({static_cast<std::uint32_t>(edge.from), static_cast<std::uint32_t>(edge.to),
                                   1 + static_cast<float>(std::log10(1.0 + static_cast<double>(edge.bytes)))});
        SUNDER_TRY(const BoxLayout layout, engine.layout(boxes, {.boxGap = 28, .rankGap = 44}, monitor));
        m_json.key("dag");
        m_json.object([&] {
            m_json.member("w", std::lround(layout.size.width));
            m_json.member("h", std::lround(layout.size.height));
            m_json.member("box", std::vector<int>{static_cast<int>(kDagBox.width), static_cast<int>(kDagBox.height)});
            m_json.key("centers");
            m_json.list(layout.centers, [&](const Point& center) {
                m_json.value(std::vector<long>{std::lround(center.x), std::lround(center.y)});
            });
            m_json.key("edges");
            std::size_t index = 0;
            m_json.list(m_drawn.cutEdges, [&](const CutEdge& edge) {
                m_json.object([&] {
                    writeEdge(edge);
                    m_json.key("p");
                    writeRoute(layout.routes[index++], m_json);
                });
            });
        });
        std::vector<std::string> shared;
        shared.reserve(m_drawn.shared.size());
        for (const Port& port : m_drawn.shared)
            shared.push_back(visibleText(m_page.graph[port.node].name.view()) + ": " + formatCount(port.to.size(), "part") + ", "
                             + formatBytes(port.bytes));
        m_json.memberIfAny("shared", shared);
        return {};
    }

    void writeProblems()
    {
        const TagReport report = checkTags(m_page.program, *m_page.cut);
        m_json.member("legal", report.isLegal());
        m_json.key("problems");
        m_json.list(describe(report, m_page.program, *m_page.cut, kMaxProblems), [&](const Diagnostic& problem) {
            m_json.value(std::vector<std::string>{wordOf(problem.severity), visibleText(problem.message)});
        });
    }

    const WebPage& m_page;
    JsonWriter& m_json;
    CutGraph m_graph;
    CutMetrics m_metrics;
    DrawnCut m_drawn;
    std::vector<std::vector<NodeId>> m_nodes; ///< per part
};

} // namespace

Result<void> writeCut(const WebPage& page, const LayoutEngine& engine, JsonWriter& json, ProgressMonitor& monitor)
{
    return CutWriter(page, json).write(engine, monitor);
}

} // namespace sunder::webpage
