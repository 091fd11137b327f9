// Reads node lines.
#include "io/fx_json/fx_json_program_builder.h"

#include <limits>

namespace sunder {
namespace {

// clang-format off
enum Name : std::size_t {
    kK, kG, kName, kOp, kTarget, kArgs, kKwargs, kFn, kType, kVal, kValFrom, kMods, kTrace, kTag, kSizeBytes, kOutType,
    kRegionKey, kMutated, kUsers, kMeta, kNameCount
};
// clang-format on

constexpr std::array<std::string_view, kNameCount> kNodeNames = {
    "k",        "g",    "name",  "op",  "target",     "args",     "kwargs",     "fn",      "type",  "val",
    "val_from", "mods", "trace", "tag", "size_bytes", "out_type", "region_key", "mutated", "users", "meta"};

} // namespace

void FxJsonProgramBuilder::takeNode()
{
    const FxJsonFields fields("the node line", m_tape.root(), kNodeNames, m_fault);
    NodeSpec node{.name = fields.requiredText(kName)};
    const std::optional<Op> op = opOf(fields.requiredText(kOp).view());
    const InternedString graphName = fields.id(kG);
    const JsonValue args = fields.requiredArray(kArgs);
    const JsonValue kwargs = fields.requiredArray(kKwargs);
    if (graphName.empty())
        m_fault.report("the node line lacks \"g\"");
    if (!fields.value(kTarget) || !fields.value(kTarget).is(JsonType::string))
        m_fault.report("node " + node.name.str() + " lacks a \"target\" that is a string");
    if (!op)
        m_fault.report("node " + node.name.str() + " has the unknown op " + quoted(fields.text(kOp).view()));
    if (node.name.empty())
        m_fault.report("the node line has an empty \"name\"");
    if (m_fault.isReported())
        return;
    const GraphId graph = m_graphs.find(graphName, m_line);
    m_values.setScope(m_graphs.names(graph), FxJsonValueReader::UnknownNode::refuse, "node " + node.name.str());
    node.op = *op;
    node.target = fields.text(kTarget);
    node.fn = fields.text(kFn);
    node.args = m_values.readList(args);
    node.kwargs = m_values.readKeywords(kwargs);
    node.type = fields.text(kType);
    node.tag = fields.text(kTag);
    node.extra = fields.extra();
    readSizeBytes(node, fields);
    readMeta(node, fields);
    if (m_fault.isReported())
        return;
    const InternedString name = node.name;
    const InternedString traceId = fields.id(kTrace);
    const auto trace = m_strings.find(traceId);
    if (trace != m_strings.end())
        node.meta.trace = trace->second;
    const NodeId id(m_program.graph(graph).idBound());
    if (!m_graphs.names(graph).emplace(name, id).second)
        return m_fault.report("two nodes of one graph are named " + quoted(name.view()));
    m_program.graph(graph).append(std::move(node));
    if (!traceId.empty() && trace == m_strings.end())
        m_lateTraces.push_back({m_line, graph, id, traceId});
    if (fields.has(kUsers))
        m_userOrders.push_back({graph, id, fields.texts(kUsers)});
}

void FxJsonProgramBuilder::readMeta(NodeSpec& node, const FxJsonFields& fields)
{
    if (fields.value(kVal))
        node.meta.val = m_values.read(fields.value(kVal));
    node.meta.valFrom = fields.text(kValFrom);
    node.meta.outType = fields.text(kOutType);
    node.meta.regionKey = fields.text(kRegionKey);
    if (const JsonValue meta = fields.object(kMeta))
        node.meta.json = intern(meta.raw());
    if (const InternedString id = fields.id(kMods); !id.empty())
        node.meta.modules = stack(id).id;
    readMutated(node, fields);
}

void FxJsonProgramBuilder::readMutated(NodeSpec& node, const FxJsonFields& fields)
{
    const JsonValue positions = fields.array(kMutated);
    if (!positions)
        return;
    std::vector<std::int32_t> mutated;
    for (JsonValue item = positions.firstItem(); item; item = item.nextItem()) {
        const bool fits = item.is(JsonType::integer) && item.asInteger() >= 0
            && item.asInteger() <= std::numeric_limits<std::int32_t>::max();
        if (!fits)
            return m_fault.report("node " + node.name.str() + " has a \"mutated\" that is not an array of positions");
        mutated.push_back(static_cast<std::int32_t>(item.asInteger()));
    }
    node.meta.mutated = std::move(mutated);
}

void FxJsonProgramBuilder::readSizeBytes(NodeSpec& node, const FxJsonFields& fields)
{
    static constexpr std::array<std::string_view, 2> kSizeNames = {"output", "total"};
    const JsonValue sizes = fields.object(kSizeBytes);
    if (!sizes)
        return;
    const std::string what = "size_bytes of node " + node.name.str();
    const FxJsonFields size(what, sizes, kSizeNames, m_fault);
    const std::optional<std::uint64_t> output = size.size(0);
    const std::optional<std::uint64_t> total = size.size(1);
    if (!output || !total)
        return m_fault.report(what + " lacks \"output\" or \"total\"");
    node.sizeBytes = SizeBytes{.output = *output, .total = *total, .extra = size.extra()};
}

} // namespace sunder
