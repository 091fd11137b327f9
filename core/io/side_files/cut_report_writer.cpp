#include "io/side_files/cut_report_writer.h"

#include "io/side_files/indented_json.h"
#include "support/file.h"

namespace sunder {
namespace {

using Json = nlohmann::ordered_json;

Json boundJson(const PartBound& bound, const Graph& graph)
{
    const bool isCall = bound.reason == PartBound::Reason::call;
    Json json{{"bytes", bound.bytes}, {"reason", isCall ? "call" : "parameters"}};
    if (isCall)
        json["node"] = graph[bound.call].name.view();
    return json;
}

Json totalsJson(const CutMetrics& metrics, const Graph& graph)
{
    Json json{{"cut", metrics.cutBytes},
              {"crossing", metrics.crossingBytes},
              {"backward", metrics.backwardBytes},
              {"parameters", metrics.parameterBytes},
              {"duplicated", metrics.duplicatedBytes}};
    json["largest"] = metrics.largest < 0 ? Json(nullptr)
                                          : Json(metrics.parts[static_cast<std::size_t>(metrics.largest)].name.view());
    json["imbalance"] = metrics.imbalance;
    json["bound"] = boundJson(metrics.bound, graph);
    const std::optional<double> gap = metrics.gap();
    json["gap"] = gap ? Json(*gap) : Json(nullptr);
    json["unknown_crossings"] = metrics.unknownCrossings;
    json["untagged_calls"] = metrics.untaggedCalls;
    return json;
}

Json partJson(const Program& source, const PartMetrics& part)
{
    const Graph& graph = source.rootGraph();
    const PartSizes& sizes = part.sizes;
    Json json{{"name", part.name.view()},
              {"ops", sizes.ops},
              {"parameters", sizes.parameterBytes},
              {"duplicated", sizes.duplicatedBytes},
              {"activation_peak", sizes.activationPeakBytes},
              {"activation_sum", sizes.activationSumBytes}};
    json["peak_at"] = part.peakAt ? Json(graph[part.peakAt].name.view()) : Json(nullptr);
    json["inputs"] = sizes.inputBytes;
    json["program_inputs"] = sizes.programInputBytes;
    json["outputs"] = sizes.outputBytes;
    json["used"] = sizes.usedBytes();
    json["unknown_values"] = Json::array();
    for (const NodeId id : part.unknownValues)
        json["unknown_values"].push_back(graph[id].name.view());
    json["unknown_tensors"] = Json::array();
    for (const TensorId id : part.unknownTensors)
        json["unknown_tensors"].push_back(source.tensors[id].fqn.view());
    return json;
}

Json valueJson(const CutEdgeValue& value, const Graph& graph)
{
    const Node& node = graph[value.node];
    Json json{{"name", node.name.view()}};
    if (node.meta.val && node.meta.val->is(ArgumentKind::tensor))
        json["dtype"] = node.meta.val->asTensor().dtype.view();
    if (node.meta.val)
        json["shape"] = describeShape(*node.meta.val);
    json["bytes"] = value.isKnown ? Json(value.bytes) : Json(nullptr);
    return json;
}

} // namespace

std::string cutReportJson(const Program& source, const CutMetrics& metrics)
{
    const Graph& graph = source.rootGraph();
    Json json{{"totals", totalsJson(metrics, graph)}};
    addAssumedSizes(json, assumedSizes(sizeAssumptions(source)));
    json["parts"] = Json::array();
    json["ribbons"] = Json::array();
    for (const PartMetrics& part : metrics.parts)
        json["parts"].push_back(partJson(source, part));
    for (const CutEdge& cutEdge : metrics.cutEdges) {
        Json values = Json::array();
        for (const CutEdgeValue& value : cutEdge.values)
            values.push_back(valueJson(value, graph));
        json["ribbons"].push_back({{"from", metrics.parts[static_cast<std::size_t>(cutEdge.from)].name.view()},
                                   {"to", metrics.parts[static_cast<std::size_t>(cutEdge.to)].name.view()},
                                   {"bytes", cutEdge.bytes},
                                   {"values", std::move(values)}});
    }
    return indentedText(json);
}

Result<void> writeCutReport(const Program& source, const CutMetrics& metrics, const std::string& path)
{
    return writeFileAtomically(path, cutReportJson(source, metrics));
}

} // namespace sunder
