#include "models/inspection.h"

#include "analysis/tensors_read.h"
#include "document/runs/why_here.h"
#include "document/text.h"
#include "document/weight_readings.h"
#include "models/cost_lines.h"
#include "models/edge_text.h"
#include "models/tag_style_of.h"
#include "operators/operator_catalogue.h"
#include "support/format.h"
#include "text/amounts.h"
#include "text/shown_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

namespace sunder {
namespace {

constexpr std::size_t kListedWeights = 200;

QString figureText(double number)
{
    return QString::number(number, 'g', 6);
}

/// Returns e.g. "12 (1.4%)".
QString shareText(std::uint64_t part, std::uint64_t all)
{
    const QString count = text(formatCount(part));
    return part == 0 || all == 0
        ? count
        : QObject::tr("%1 (%2%)")
              .arg(count, QString::number(100.0 * static_cast<double>(part) / static_cast<double>(all), 'g', 3));
}

Property histogramLine(const FiniteElements& finite)
{
    const std::size_t bins = finite.histogram.size();
    Property line{QObject::tr("values"),
                  QObject::tr("%1, %2 to %3").arg(countText(bins, "bin"), text(finite.minText), text(finite.maxText)), false};
    const auto highest = std::ranges::max_element(finite.histogram);
    for (const std::uint64_t count : finite.histogram)
        line.bars.push_back(static_cast<double>(count) / static_cast<double>(*highest));
    const auto edge = [&](std::size_t bin) {
        const double share = static_cast<double>(bin) / static_cast<double>(bins);
        return figureText(finite.min * (1 - share) + finite.max * share);
    };
    const auto at = static_cast<std::size_t>(highest - finite.histogram.begin());
    line.tip = QObject::tr("%1. The highest bar: %2 from %3 to %4.")
                   .arg(line.value, countText(*highest, "element"), edge(at), edge(at + 1));
    return line;
}

void addStatistics(const TensorStatistics& found, std::vector<Property>& lines)
{
    if (found.finite) {
        lines.push_back({QObject::tr("min"), text(found.finite->minText)});
        lines.push_back({QObject::tr("max"), text(found.finite->maxText)});
        lines.push_back({QObject::tr("mean"), figureText(found.finite->mean)});
        lines.push_back({QObject::tr("std"), figureText(found.finite->deviation)});
        lines.push_back(histogramLine(*found.finite));
    }
    lines.push_back({QObject::tr("zeros"), shareText(found.zeros, found.count)});
    lines.push_back({QObject::tr("NaN"), shareText(found.nans, found.count)});
    lines.push_back({QObject::tr("infinities"), shareText(found.infinities, found.count)});
    if (!found.note.empty())
        lines.push_back({QObject::tr("note"), sentence(found.note), false});
}

void addSharing(const Snapshot& snapshot, TensorId id, std::vector<Property>& lines)
{
    const std::vector<TensorId> others = sharingMemory(snapshot.memory, id);
    for (std::size_t i = 0; i < std::min(others.size(), kListedWeights); ++i)
        lines.push_back({i == 0 ? QObject::tr("shares with") : QString(), text(snapshot.program.tensors[others[i]].fqn)});
    if (others.size() > kListedWeights)
        lines.push_back({{}, QObject::tr("and %1 more").arg(text(formatCount(others.size() - kListedWeights))), false});
}

Property weightLine(const Snapshot& snapshot, TensorId id, const WeightReadings& readings)
{
    const TensorTable& tensors = snapshot.program.tensors;
    const TensorMeta& meta = tensors[tensors.object(id)].meta;
    Property line{text(name(tensors[id].role)), text(tensors[id].fqn)};
    line.weight = id;
    std::vector<Property>& lines = line.children;
    lines.push_back({QObject::tr("dtype"), text(meta.dtype)});
    lines.push_back({QObject::tr("shape"), text(describe(meta))});
    if (const std::optional<std::uint64_t> bytes = byteSize(meta))
        lines.push_back({QObject::tr("bytes"), bytesText(*bytes)});
    addSharing(snapshot, id, lines);
    const WeightReading* reading = readings.of(id);
    if (reading != nullptr && reading->isUnderWay) {
        lines.push_back({QObject::tr("statistics"), QObject::tr("Reading…"), false});
    } else if (reading != nullptr && reading->why.isEmpty()) {
        addStatistics(reading->statistics, lines);
    } else {
        if (reading != nullptr)
            lines.push_back({QObject::tr("statistics"), reading->why, false});
        Property read{reading == nullptr ? QObject::tr("statistics") : QString(),
                      reading == nullptr ? QObject::tr("Read from the file") : QObject::tr("Read again"), false};
        read.action = LineAction::readWeight;
        read.weight = id;
        lines.push_back(std::move(read));
    }
    Property save{{}, QObject::tr("Save as .npy…"), false};
    save.action = LineAction::saveWeight;
    save.weight = id;
    save.tip = QObject::tr(
        "Write the elements as a NumPy file, in C order. A dtype that NumPy lacks, such as bfloat16, is written as "
        "unsigned integers of the same width.");
    lines.push_back(std::move(save));
    return line;
}

/// Returns a line for each weight that a source node uses: its name and, below it, dtype, shape, memory, the statistics available
/// in `readings`, and actions. At most 200.
std::vector<Property> weightLines(const Snapshot& snapshot, NodeId id, const WeightReadings& readings)
{
    std::vector<Property> lines;
    const std::vector<TensorId> read = tensorsReadBy(snapshot.program, id);
    for (std::size_t i = 0; i < std::min(read.size(), kListedWeights); ++i)
        lines.push_back(weightLine(snapshot, read[i], readings));
    if (read.size() > kListedWeights)
        lines.push_back({{}, QObject::tr("and %1").arg(countText(read.size() - kListedWeights, "more weight")), false});
    return lines;
}

constexpr std::size_t kListedSources = 200; ///< users and inputs listed individually

/// Returns e.g. "make_models.py:45" from a Python stack trace: the innermost frame outside torch, or else the innermost.
QString innermostFrame(const QString& trace)
{
    static const QRegularExpression pattern(QStringLiteral("File \"([^\"]+)\", line (\\d+)"));
    QString found;
    QString own;
    for (auto match = pattern.globalMatch(trace); match.hasNext();) {
        const auto one = match.next();
        found = one.captured(1).section(QLatin1Char('/'), -1) + QLatin1Char(':') + one.captured(2);
        if (!one.captured(1).contains(QLatin1String("/torch/")))
            own = found;
    }
    return own.isEmpty() ? found : own;
}

/// Returns the origin of a derived enclosing module; empty if the file states the module.
QString wordsOf(PlacedBy how)
{
    switch (how) {
    case PlacedBy::file: break;
    case PlacedBy::readers: return QObject::tr("with its users");
    case PlacedBy::weights: return QObject::tr("by the weights that the op uses");
    case PlacedBy::forwardCall: return QObject::tr("with its forward op");
    }
    return {};
}

/// Describes nodes of one graph of a program.
class Describing {
public:
    Describing(const Program& program, GraphId graphId, int run = 0)
        : m_program(program), m_graph(program.graph(graphId)), m_graphId(graphId), m_run(run)
    {
    }

    void about(NodeId id, std::vector<Property>& lines) const
    {
        const Node& node = m_graph[id];
        lines.push_back({tr("node"), text(node.name)});
        const std::string_view op = name(node.op);
        lines.push_back({tr("op"), text(op)});
        if (!node.target.empty())
            lines.push_back({tr("target"), withoutOps(text(node.target))});
        if (node.meta.val) {
            lines.push_back({tr("output"), argumentText(*node.meta.val, m_graph)});
            if (const auto bytes = byteSize(*node.meta.val); bytes && *bytes > 0)
                lines.push_back({tr("bytes"), bytesText(*bytes)});
        }
    }

    void arguments(NodeId id, std::vector<Property>& lines) const
    {
        const Node& node = m_graph[id];
        Property args{tr("args"), argumentText(Argument::tuple(node.args), m_graph, 120)};
        OperatorCatalog operators(m_program);
        const OperatorSchema* schema = node.op == Op::callFunction || node.op == Op::callMethod ? operators.of(node).schema()
                                                                                                : nullptr;
        for (std::size_t i = 0; i < std::min(node.args.size(), kListedSources); ++i)
            args.children.push_back(argument(nameOfArgument(schema, i), node.args[i]));
        for (std::size_t i = 0; i < std::min(node.kwargs.size(), kListedSources); ++i)
            args.children.push_back(argument(text(node.kwargs[i].key), node.kwargs[i].value));
        if (node.args.empty() && !node.kwargs.empty())
            args.value = QObject::tr("%1 by keyword").arg(node.kwargs.size());
        if (!args.children.empty())
            lines.push_back(std::move(args));
        Property users{tr("users"), text(formatCount(node.userCount()))};
        for (const NodeId user : m_graph.users(id)) {
            if (users.children.size() == kListedSources)
                break;
            users.children.push_back(link(QString(), user));
        }
        if (users.children.size() == 1)
            users = link(tr("user"), users.children.front().link.node);
        lines.push_back(std::move(users));
    }

    void origin(NodeId id, std::vector<Property>& lines) const
    {
        const Node& node = m_graph[id];
        if (!node.type.empty())
            lines.push_back({tr("type"), text(node.type)});
        if (node.meta.trace.empty())
            return;
        const QString trace = linesOf(node.meta.trace.view());
        const QString innermost = innermostFrame(trace);
        Property from{tr("from"), innermost.isEmpty() ? trace.section(QLatin1Char('\n'), 0, 0) : innermost};
        for (const QString& line : trace.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            from.children.push_back({{}, line.trimmed()});
        lines.push_back(std::move(from));
    }

    [[nodiscard]] Property moduleOf(NodeId id) const
    {
        const ModuleStack& stack = m_program.stackOf(m_graph[id]);
        Property module{tr("module"), stack.empty() ? QString() : text(stack.back().path)};
        if (stack.size() > 1)
            for (const ModuleFrame& frame : stack)
                module.children.push_back(
                    {text(frame.cls).section(QLatin1Char('.'), -1), frame.path.empty() ? tr("(root)") : text(frame.path)});
        if (const QString how = wordsOf(stack.placedBy); !how.isEmpty())
            module.children.push_back({tr("placed"), tr("%1 (the file states no module)").arg(how)});
        return module;
    }

private:
    [[nodiscard]] Property link(QString key, NodeId node) const
    {
        return {std::move(key), text(m_graph[node].name), true, {m_graphId, node}, m_run};
    }

    /// Returns the argument's name in the operator's schema, e.g. "weight"; its number if there is no schema.
    [[nodiscard]] static QString nameOfArgument(const OperatorSchema* schema, std::size_t position)
    {
        const bool isNamed = schema != nullptr && position < schema->arguments.size() && !schema->arguments[position].takesRest
            && !schema->arguments[position].keywordOnly && !schema->arguments[position].name.empty();
        return isNamed ? text(schema->arguments[position].name) : QString::number(position);
    }

    [[nodiscard]] Property argument(QString key, const Argument& value) const
    {
        if (value.is(ArgumentKind::node))
            return link(std::move(key), value.asNode());
        return {std::move(key), argumentText(value, m_graph)};
    }

    const Program& m_program;
    const Graph& m_graph;
    GraphId m_graphId;
    int m_run; ///< run of the program; 0: the source
};

QColor colorOf(const Document& document, int tag)
{
    return tag < 0 ? QColor() : tagLooksOf(document, currentTheme())[static_cast<std::size_t>(tag)].style.color;
}

Property tagLine(const Document& document, NodeId id)
{
    const std::int32_t tag = document.tags()[id];
    Property line{tr("tag"), tag < 0 ? tr("untagged") : document.tagName(tag), false};
    line.tag = tag;
    line.tagColor = colorOf(document, tag);
    return line;
}

/// Adds the part of an op in the shown partition, and the reason.
void placeLines(const Document& document, NodeId id, std::vector<Property>& lines)
{
    const SplitOutcomePtr cut = document.runs().shownSplit();
    const PlaceOfOp place = cut ? placeOfOp(*cut, id) : PlaceOfOp();
    if (place.part.isEmpty())
        return;
    const QString why = whyNodeHere(document.graph(), *cut, id).answer;
    lines.push_back({.key = tr("part"), .value = place.part, .tip = why});
    if (!place.devices.isEmpty())
        lines.push_back({.key = tr("device"), .value = place.devices, .tip = why});
}

/// Adds the parts of the shown partition that hold the selected ops, with their numbers of ops.
void partLines(const Document& document, std::span<const NodeId> selected, std::vector<Property>& lines)
{
    const SplitOutcomePtr cut = document.runs().shownSplit();
    if (!cut || !cut->plan)
        return;
    const PartitionSet& set = cut->plan->set;
    std::vector<std::uint64_t> opsOf(set.partitions.size());
    std::vector<NodeId> firstOf(set.partitions.size());
    for (const NodeId id : selected)
        if (id.index() < set.partitionOf.size() && set.partitionOf[id.index()] != PartitionSet::kNone)
            if (const std::uint32_t part = set.partitionOf[id.index()]; opsOf[part]++ == 0)
                firstOf[part] = id;
    bool first = true;
    for (std::size_t part = 0; part < opsOf.size(); ++part) {
        if (opsOf[part] == 0)
            continue;
        const PlaceOfOp place = placeOfOp(*cut, firstOf[part]);
        const QString figure = countText(opsOf[part], "op");
        lines.push_back({first ? tr("parts") : QString(),
                         place.devices.isEmpty() ? tr("%1 · %2").arg(place.part, figure)
                                                 : tr("%1 on %2 · %3").arg(place.part, place.devices, figure),
                         false});
        first = false;
    }
}

/// Returns the node of the selected picture item, which may have others folded into it, or the only selected node; otherwise
/// invalid.
NodeId inspectedNode(const Document& document)
{
    const Selection& selection = document.marks().selection();
    if (selection.run == 0 && selection.focus.node && selection.focus.graph == document.snapshot()->program.root)
        return selection.focus.node;
    return selection.source.size() == 1 ? selection.source.front() : NodeId();
}

std::vector<Property> aboutSourceNode(const Document& document, NodeId id, const WeightReadings* readings,
                                      const PartMemories* memories)
{
    std::vector<Property> lines;
    const Snapshot& snapshot = *document.snapshot();
    const Describing describing(snapshot.program, snapshot.program.root);
    describing.about(id, lines);
    if (const std::uint64_t weights = snapshot.sizes.parameterBytes[id.index()]; weights > 0)
        lines.push_back({tr("weights"), bytesText(weights)});
    std::ranges::move(costLines(document, std::span(&id, 1)), std::back_inserter(lines));
    if (Property module = describing.moduleOf(id); !module.value.isEmpty())
        lines.push_back(std::move(module));
    if (snapshot.graph()[id].isCall()) {
        lines.push_back(tagLine(document, id));
        addMemoryLines(document, lines.back().tag, memories, lines.back());
    }
    placeLines(document, id, lines);
    describing.arguments(id, lines);
    describing.origin(id, lines);
    if (readings != nullptr)
        std::ranges::move(weightLines(snapshot, id, *readings), std::back_inserter(lines));
    return lines;
}

std::vector<Property> aboutResultNode(const Document& document, NodeRef ref)
{
    std::vector<Property> lines;
    const int run = document.marks().selection().run;
    const Program& program = *programOf(*document.runs().find(run));
    const Describing describing(program, ref.graph, run);
    describing.about(ref.node, lines);
    if (const ModuleId owner = program.owners[ref.graph.index()]; owner)
        lines.push_back({tr("part"), program.modules[owner].path.empty() ? tr("main graph") : text(program.modules[owner].path)});
    const auto& selection = document.marks().selection();
    Property sources{tr("source"), countText(selection.source.size(), "node")};
    for (const NodeId id : selection.source) {
        if (sources.children.size() == kListedSources)
            break;
        sources.children.push_back({{}, text(document.graph()[id].name), true, {document.snapshot()->program.root, id}});
    }
    if (sources.children.size() == 1) {
        sources = sources.children.front();
        sources.key = tr("source");
    }
    if (!selection.source.empty())
        lines.push_back(std::move(sources));
    describing.arguments(ref.node, lines);
    describing.origin(ref.node, lines);
    return lines;
}

std::vector<Property> aboutMany(const Document& document, const PartMemories* memories)
{
    std::vector<Property> lines;
    const Selection& selection = document.marks().selection();
    const TagTotal total = totalOf(*document.snapshot(), selection.source);
    if (!selection.what.isEmpty())
        lines.push_back({tr("module"), visible(selection.what)});
    lines.push_back({tr("selected"), countText(selection.source.size(), "node"), false});
    lines.push_back({tr("ops"), text(formatCount(total.ops)), false});
    lines.push_back({tr("weights"), bytesText(total.bytes), false});
    std::ranges::move(costLines(document, selection.source), std::back_inserter(lines));
    std::vector<std::uint64_t> opsOf(static_cast<std::size_t>(document.tagCount()) + 1); // the first is "untagged"
    for (const NodeId id : selection.source)
        if (document.snapshot()->isCall(id))
            ++opsOf[static_cast<std::size_t>(document.tags()[id] + 1)];
    bool first = true;
    for (int tag = TagAssignment::kUntagged; tag < document.tagCount(); ++tag) {
        const std::uint64_t ops = opsOf[static_cast<std::size_t>(tag + 1)];
        if (ops == 0)
            continue;
        const QString name = tag < 0 ? tr("untagged") : document.tagName(tag);
        lines.push_back({first ? tr("tags") : QString(),
                         QStringLiteral("%1 · %2").arg(name, countText(ops, "op")),
                         false,
                         {},
                         false,
                         tag,
                         colorOf(document, tag)});
        addMemoryLines(document, tag, memories, lines.back());
        first = false;
    }
    partLines(document, selection.source, lines);
    return lines;
}

std::vector<Property> aboutEdge(const Document& document, const SelectedEdge& edge)
{
    if (edge.run == 0)
        return edgeProperties(document.snapshot()->program, edge);
    const Run* run = document.runs().find(edge.run);
    const Program* program = run == nullptr ? nullptr : programOf(*run);
    return program == nullptr ? std::vector<Property>() : edgeProperties(*program, edge);
}

} // namespace

std::vector<Property> inspect(const Document& document, const WeightReadings* readings, const PartMemories* memories)
{
    if (!document.isOpen() || document.marks().selection().empty())
        return {};
    const Selection& selection = document.marks().selection();
    if (selection.edge)
        return aboutEdge(document, *selection.edge);
    if (selection.run != 0 && selection.focus.node && document.runs().find(selection.run) != nullptr)
        return aboutResultNode(document, selection.focus);
    if (const NodeId node = inspectedNode(document))
        return aboutSourceNode(document, node, readings, memories);
    if (selection.source.empty())
        return {};
    return aboutMany(document, memories);
}

} // namespace sunder
