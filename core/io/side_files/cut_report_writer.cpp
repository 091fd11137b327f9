#include "io/side_files/cut_report_writer.h"

#include "io/side_files/figure_basis.h"
#include "support/file.h"
#include "support/json_writer.h"

#include <optional>
#include <string_view>

namespace sunder {
namespace {

std::optional<std::string_view> nameOf(const Graph& graph, NodeId id)
{
    return id ? std::optional(graph[id].name.view()) : std::nullopt;
}

class CutReportText {
public:
    CutReportText(const Program& source, const CutMetrics& metrics)
        : m_source(source), m_graph(source.rootGraph()), m_metrics(metrics)
    {
    }

    std::string text()
    {
        m_json.object([this] {
            m_json.key("totals");
            m_json.object([this] { addTotals(); });
            writeAssumedSizes(assumedSizes(sizeAssumptions(m_source)), m_json);
            m_json.key("parts");
            m_json.list(m_metrics.parts, [this](const PartMetrics& part) { m_json.object([&] { addPart(part); }); });
            m_json.key("ribbons");
            m_json.list(m_metrics.cutEdges, [this](const CutEdge& edge) { m_json.object([&] { addEdge(edge); }); });
        });
        return m_json.take();
    }

private:
    [[nodiscard]] std::string_view partName(std::int32_t part) const
    {
        return m_metrics.parts[static_cast<std::size_t>(part)].name.view();
    }

    void addTotals()
    {
        m_json.member("cut", m_metrics.cutBytes);
        m_json.member("crossing", m_metrics.crossingBytes);
        m_json.member("backward", m_metrics.backwardBytes);
        m_json.member("parameters", m_metrics.parameterBytes);
        m_json.member("duplicated", m_metrics.duplicatedBytes);
        m_json.member("largest", m_metrics.largest < 0 ? std::nullopt : std::optional(partName(m_metrics.largest)));
        m_json.member("imbalance", m_metrics.imbalance);
        m_json.key("bound");
        m_json.object([this] {
            const PartBound& bound = m_metrics.bound;
            const bool isCall = bound.reason == PartBound::Reason::call;
            m_json.member("bytes", bound.bytes);
            m_json.member("reason", isCall ? "call" : "parameters");
            if (isCall)
                m_json.member("node", m_graph[bound.call].name.view());
        });
        m_json.member("gap", m_metrics.gap());
        m_json.member("unknown_crossings", m_metrics.unknownCrossings);
        m_json.member("untagged_calls", m_metrics.untaggedCalls);
    }

    void addPart(const PartMetrics& part)
    {
        const PartSizes& sizes = part.sizes;
        m_json.member("name", part.name.view());
        m_json.member("ops", sizes.ops);
        m_json.member("parameters", sizes.parameterBytes);
        m_json.member("duplicated", sizes.duplicatedBytes);
        m_json.member("activation_peak", sizes.activationPeakBytes);
        m_json.member("activation_sum", sizes.activationSumBytes);
        m_json.member("peak_at", nameOf(m_graph, part.peakAt));
        m_json.member("inputs", sizes.inputBytes);
        m_json.member("program_inputs", sizes.programInputBytes);
        m_json.member("outputs", sizes.outputBytes);
        m_json.member("used", sizes.usedBytes());
        m_json.key("unknown_values");
        m_json.list(part.unknownValues, [this](NodeId id) { m_json.value(m_graph[id].name.view()); });
        m_json.key("unknown_tensors");
        m_json.list(part.unknownTensors, [this](TensorId id) { m_json.value(m_source.tensors[id].fqn.view()); });
    }

    void addEdge(const CutEdge& edge)
    {
        m_json.member("from", partName(edge.from));
        m_json.member("to", partName(edge.to));
        m_json.member("bytes", edge.bytes);
        m_json.key("values");
        m_json.list(edge.values, [this](const CutEdgeValue& value) { m_json.object([&] { addValue(value); }); });
    }

    void addValue(const CutEdgeValue& value)
    {
        const Node& node = m_graph[value.node];
        m_json.member("name", node.name.view());
        if (node.meta.val && node.meta.val->is(ArgumentKind::tensor))
            m_json.member("dtype", node.meta.val->asTensor().dtype.view());
        if (node.meta.val)
            m_json.member("shape", describeShape(*node.meta.val));
        m_json.member("bytes", value.isKnown ? std::optional(value.bytes) : std::nullopt);
    }

    const Program& m_source;
    const Graph& m_graph;
    const CutMetrics& m_metrics;
    JsonWriter m_json;
};

} // namespace

std::string cutReportJson(const Program& source, const CutMetrics& metrics)
{
    return CutReportText(source, metrics).text();
}

Result<void> writeCutReport(const Program& source, const CutMetrics& metrics, const std::string& path)
{
    return writeFileAtomically(path, cutReportJson(source, metrics));
}

} // namespace sunder
