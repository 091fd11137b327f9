#include "document/problems.h"

#include "document/text.h"
#include "support/format.h"
#include "text/amounts.h"

#include <algorithm>
#include <map>

namespace sunder {
namespace {

/// Collects problems, with one look-up for the things that every sentence needs.
class Collecting {
public:
    Collecting(const Snapshot& snapshot, const TagAssignment& tags, const TagReport& report, int activeTag, std::size_t limit)
        : m_snapshot(snapshot), m_graph(snapshot.graph()), m_tags(tags), m_report(report), m_active(activeTag), m_limit(limit)
    {
    }

    Problems take() { return std::move(m_problems); }

    void addBackwardEdges()
    {
        const std::vector<BackwardFan> fans = backwardFans();
        const std::vector<int> legalOrder = fans.empty() ? std::vector<int>() : legalTagOrder(m_graph, m_tags);
        const std::size_t shown = std::min(m_limit, fans.size());
        for (std::size_t i = 0; i < shown; ++i)
            addBackwardFan(fans[i], legalOrder, i < kPriced);
        if (shown == fans.size())
            return;
        Problem more{.kind = Problem::Kind::more, .severity = Severity::error};
        more.text = QObject::tr("%1 more values run backwards.").arg(text(formatCount(fans.size() - shown)));
        for (std::size_t i = shown; i < fans.size(); ++i)
            more.nodes.push_back(fans[i].producer);
        more.repairs.push_back(show(more.nodes));
        m_problems.push_back(std::move(more));
    }

    void addUntagged()
    {
        if (m_report.untagged.empty())
            return;
        if (m_report.untagged.size() == m_snapshot.callCount) {
            addNothingPainted();
            return;
        }
        Problem problem{.kind = Problem::Kind::untagged, .nodes = m_report.untagged};
        const std::size_t count = m_report.untagged.size();
        QStringList names;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, count); ++i)
            names << nodeName(m_report.untagged[i]);
        const QString joined = names.join(QStringLiteral(", "));
        problem.text = count == 1 ? QObject::tr("1 op has no tag: %1.").arg(joined)
            : count <= 3          ? QObject::tr("%1 ops have no tag: %2.").arg(QString::number(count), joined)
                                  : QObject::tr("%1 ops have no tag: %2 and %3 more.")
                               .arg(text(formatCount(count)), joined, text(formatCount(count - 3)));
        if (m_active >= 0)
            problem.repairs.push_back({.kind = Repair::Kind::retag,
                                       .label = QObject::tr("Tag %1").arg(tagName(m_active)),
                                       .tip = QObject::tr("Give all of them the active tag"),
                                       .nodes = m_report.untagged,
                                       .tag = m_active});
        if (!m_tags.order.empty())
            problem.repairs.push_back({.kind = Repair::Kind::fillIn,
                                       .label = QObject::tr("Fill in"),
                                       .tip = QObject::tr("Give each the earliest tag that its inputs allow")});
        problem.repairs.push_back(show(m_report.untagged));
        m_problems.push_back(std::move(problem));
    }

    void addOutcome(const SplitOutcome& outcome, const Snapshot& snapshot)
    {
        if (outcome.isProven())
            return;
        const bool differs = outcome.report.verdict == Verdict::different;
        Problem problem{.kind = differs ? Problem::Kind::notEqual : Problem::Kind::undecided,
                        .severity = differs ? Severity::error : Severity::warning};
        problem.text = differs ? QObject::tr("The parts compute something else than the model. %1")
                               : QObject::tr("It is not proven that the parts compute what the model does. %1");
        problem.text = problem.text.arg(sentence(outcome.report.why));
        if (outcome.report.nodeA.graph == snapshot.program.root && outcome.report.nodeA.node)
            problem.nodes.push_back(outcome.report.nodeA.node);
        for (const IdentityMap::Pair& pair : outcome.split.map.sourcesOf(outcome.report.nodeB))
            if (pair.source.graph == snapshot.program.root)
                problem.nodes.push_back(pair.source.node);
        if (!problem.nodes.empty())
            problem.repairs.push_back(show(problem.nodes));
        m_problems.push_back(std::move(problem));
    }

    void addSharedMemory()
    {
        std::size_t shown = 0;
        for (const SharedMemory& shared : m_report.shared) {
            if (shown++ == m_limit)
                break;
            Problem problem{.kind = Problem::Kind::sharedWeight, .severity = Severity::warning};
            QStringList names;
            for (const std::int32_t tag : shared.tags)
                names << tagName(tag);
            problem.text = QObject::tr("%1 is read in %2 and would be stored %3 times: %4 more.")
                               .arg(text(m_snapshot.program.tensors[shared.tensor].fqn), names.join(QStringLiteral(", ")),
                                    QString::number(shared.tags.size()), bytesText(shared.bytes * (shared.tags.size() - 1)));
            problem.nodes = readersOf(shared);
            if (!problem.nodes.empty())
                problem.repairs.push_back(show(problem.nodes));
            m_problems.push_back(std::move(problem));
        }
    }

    void addNonTensors()
    {
        std::size_t shown = 0;
        for (const NonTensorCrossing& crossing : m_report.nonTensors) {
            if (shown++ == m_limit)
                break;
            Problem problem{.kind = Problem::Kind::nonTensor, .severity = Severity::note};
            problem.text = QObject::tr("%1 is no tensor and passes from %2 to %3.")
                               .arg(nodeName(crossing.producer), tagName(crossing.producerTag), nodeName(crossing.consumer));
            problem.nodes = {crossing.producer, crossing.consumer};
            problem.repairs.push_back(show(problem.nodes));
            m_problems.push_back(std::move(problem));
        }
    }

    void addEmptyTags()
    {
        if (m_report.untagged.size() == m_snapshot.callCount)
            return; // nothing is painted yet: that says it all
        for (const std::int32_t tag : m_report.emptyTags)
            m_problems.push_back({.kind = Problem::Kind::emptyTag,
                                  .severity = Severity::note,
                                  .text = QObject::tr("No op has the tag %1; its part would be empty.").arg(tagName(tag)),
                                  .repairs = {{.kind = Repair::Kind::removeTag,
                                               .label = QObject::tr("Remove %1").arg(tagName(tag)),
                                               .tip = QObject::tr("Take the tag out of the list"),
                                               .tag = tag}}});
    }

private:
    static constexpr std::size_t kPriced = 20; ///< problems whose repairs are priced: each costs a walk of the graph

    [[nodiscard]] QString nodeName(NodeId id) const { return text(m_graph[id].name); }
    [[nodiscard]] QString tagName(int tag) const
    {
        return tag < 0 ? QObject::tr("untagged") : text(m_tags.order[static_cast<std::size_t>(tag)]);
    }
    [[nodiscard]] static Repair show(std::vector<NodeId> nodes)
    {
        return {.kind = Repair::Kind::show,
                .label = QObject::tr("Show"),
                .tip = QObject::tr("Select in the graph"),
                .nodes = std::move(nodes)};
    }

    /// A value that runs backwards to one tag, with all who read it there: one problem, not one an edge.
    struct BackwardFan {
        NodeId producer;
        std::int32_t producerTag;
        std::int32_t consumerTag;
        std::vector<NodeId> consumers;
    };

    [[nodiscard]] std::vector<BackwardFan> backwardFans() const
    {
        std::vector<BackwardFan> fans;
        std::map<std::pair<NodeId, std::int32_t>, std::size_t> places;
        for (const BackwardEdge& edge : m_report.backward) {
            const auto [at, isNew] = places.try_emplace({edge.producer, edge.consumerTag}, fans.size());
            if (isNew)
                fans.push_back({edge.producer, edge.producerTag, edge.consumerTag, {}});
            fans[at->second].consumers.push_back(edge.consumer);
        }
        return fans;
    }

    void addBackwardFan(const BackwardFan& fan, const std::vector<int>& legalOrder, bool priced)
    {
        Problem problem{.kind = Problem::Kind::backwardEdge, .nodes = {fan.producer}};
        problem.nodes.insert(problem.nodes.end(), fan.consumers.begin(), fan.consumers.end());
        QString readers = QObject::tr("%1 (tag %2)").arg(nodeName(fan.consumers.front()), tagName(fan.consumerTag));
        if (fan.consumers.size() > 1)
            readers += QObject::tr(" and %1 more").arg(text(formatCount(fan.consumers.size() - 1)));
        problem.text = QObject::tr("%1 (tag %2) feeds %3, but %2 comes after %4.")
                           .arg(nodeName(fan.producer), tagName(fan.producerTag), readers, tagName(fan.consumerTag));
        if (!legalOrder.empty())
            problem.repairs.push_back({.kind = Repair::Kind::reorder,
                                       .label = QObject::tr("Reorder tags"),
                                       .tip = QObject::tr("Put the tags in an order in which no edge runs backwards"),
                                       .order = legalOrder});
        if (priced) {
            addMove(problem, laterProducers(m_graph, m_tags, fan.producer, fan.consumerTag), fan.producer, fan.consumerTag);
            addMove(problem, earlierConsumers(m_graph, m_tags, fan.producer, fan.producerTag), fan.consumers.front(),
                    fan.producerTag);
        }
        problem.repairs.push_back(show(problem.nodes));
        m_problems.push_back(std::move(problem));
    }

    void addNothingPainted()
    {
        Problem problem{.kind = Problem::Kind::untagged, .severity = Severity::note};
        problem.text = QObject::tr("Nothing is painted yet. Choose the brush (B) and paint ops and modules with a tag, "
                                   "or begin with stages of equal size.");
        problem.repairs.push_back({.kind = Repair::Kind::stages,
                                   .label = QObject::tr("Two equal stages"),
                                   .tip = QObject::tr("Tag all ops: two consecutive stages, equal by bytes"),
                                   .tag = 2});
        m_problems.push_back(std::move(problem));
    }

    void addMove(Problem& problem, std::vector<NodeId> nodes, NodeId first, int tag) const
    {
        if (nodes.empty())
            return;
        const QString label = nodes.size() == 1
            ? QObject::tr("Move %1 to %2").arg(nodeName(first), tagName(tag))
            : QObject::tr("Move %1 … to %2 +%3 ops").arg(nodeName(first), tagName(tag), text(formatCount(nodes.size())));
        problem.repairs.push_back({.kind = Repair::Kind::retag,
                                   .label = label,
                                   .tip = QObject::tr("Moves %1 of weights").arg(bytesText(weights(nodes))),
                                   .nodes = std::move(nodes),
                                   .tag = tag});
    }

    [[nodiscard]] std::uint64_t weights(const std::vector<NodeId>& nodes) const
    {
        std::uint64_t bytes = 0;
        for (const NodeId id : nodes)
            bytes += m_snapshot.sizes.parameterBytes[id.index()];
        return bytes;
    }

    [[nodiscard]] std::vector<NodeId> readersOf(const SharedMemory& shared) const
    {
        const std::uint32_t memory = m_snapshot.memory.memoryOf[shared.tensor.index()];
        std::vector<NodeId> readers;
        for (const NodeId id : m_graph.nodes()) {
            const auto read = m_snapshot.reads.of(id);
            if (m_graph[id].isCall() && std::find(read.begin(), read.end(), memory) != read.end())
                readers.push_back(id);
        }
        return readers;
    }

    const Snapshot& m_snapshot;
    const Graph& m_graph;
    const TagAssignment& m_tags;
    const TagReport& m_report;
    int m_active;
    std::size_t m_limit;
    Problems m_problems;
};

} // namespace

Problems problemsOf(const Snapshot& snapshot, const TagAssignment& tags, const TagReport& report, int activeTag,
                    const SplitOutcome* outcome, std::size_t limit)
{
    Collecting collecting(snapshot, tags, report, activeTag, limit);
    if (outcome != nullptr)
        collecting.addOutcome(*outcome, snapshot);
    collecting.addBackwardEdges();
    collecting.addUntagged();
    collecting.addSharedMemory();
    collecting.addNonTensors();
    collecting.addEmptyTags();
    return collecting.take();
}

} // namespace sunder
