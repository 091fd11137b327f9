#include "tagging/problems.h"

#include "analysis/cut/cut_text.h"
#include "support/format.h"
#include "tagging/repaired_tags.h"
#include "tagging/tag_repairs.h"

#include <algorithm>
#include <map>
#include <span>

namespace sunder {
namespace {

/// A reason as a sentence of its own: with a capital and a full stop.
std::string asSentence(std::string why)
{
    if (!why.empty() && why.back() != '.')
        why += '.';
    if (!why.empty() && why.front() >= 'a' && why.front() <= 'z')
        why.front() = static_cast<char>(why.front() - 'a' + 'A');
    return why;
}

std::string joined(const std::vector<std::string>& names)
{
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

/// Collects problems, with one look-up for the things that every sentence needs.
class Collecting {
public:
    Collecting(const Snapshot& snapshot, const TagAssignment& tags, const TagReport& report, const ProblemOptions& options)
        : m_snapshot(snapshot), m_graph(snapshot.graph()), m_tags(tags), m_report(report), m_active(options.activeTag),
          m_limit(options.limit), m_splitWanted(options.splitWanted)
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
        more.text = formatCount(fans.size() - shown) + " more values run backwards.";
        for (std::size_t i = shown; i < fans.size(); ++i)
            more.nodes.push_back(fans[i].producer);
        more.repairs.push_back(show(more.nodes));
        m_problems.push_back(std::move(more));
    }

    void addUntagged()
    {
        const std::vector<NodeId>& untagged = m_report.untagged;
        if (untagged.empty())
            return;
        if (untagged.size() == m_snapshot.callCount) {
            addNothingPainted();
            return;
        }
        const bool standOut = m_splitWanted || untaggedStandOut(m_report, m_snapshot.callCount);
        Problem problem{.kind = Problem::Kind::untagged,
                        .severity = standOut ? Severity::error : Severity::note,
                        .text = untaggedSentence(),
                        .nodes = untagged};
        if (m_active >= 0)
            problem.repairs.push_back({.kind = Repair::Kind::retag,
                                       .label = "Tag " + tagName(m_active),
                                       .tip = "Give all of them the active tag",
                                       .nodes = untagged,
                                       .tag = m_active});
        if (!m_tags.order.empty())
            problem.repairs.push_back(
                {.kind = Repair::Kind::fillIn, .label = "Fill in", .tip = "Give each the earliest tag that its inputs allow"});
        for (Repair& repair : problem.repairs)
            price(repair, untagged);
        problem.repairs.push_back(show(untagged));
        m_problems.push_back(std::move(problem));
    }

    void addProof(const SplitProof& proof)
    {
        if (proof.report == nullptr || proof.report->verdict == Verdict::same)
            return;
        const bool differs = proof.report->verdict == Verdict::different;
        Problem problem{.kind = differs ? Problem::Kind::notEqual : Problem::Kind::undecided,
                        .severity = differs ? Severity::error : Severity::warning};
        problem.text = (differs ? "The parts compute something else than the model. "
                                : "It is not proven that the parts compute what the model does. ")
            + asSentence(proof.report->why);
        const GraphId root = m_snapshot.program.root;
        if (proof.report->nodeA.graph == root && proof.report->nodeA.node)
            problem.nodes.push_back(proof.report->nodeA.node);
        for (const IdentityMap::Pair& pair : proof.map->sourcesOf(proof.report->nodeB))
            if (pair.source.graph == root && std::ranges::find(problem.nodes, pair.source.node) == problem.nodes.end())
                problem.nodes.push_back(pair.source.node);
        if (!problem.nodes.empty())
            problem.repairs.push_back(show(problem.nodes));
        m_problems.push_back(std::move(problem));
    }

    void addOverflows(const DeviceFit& fit)
    {
        for (std::size_t i = 0; i < fit.loads.size(); ++i)
            if (fit.loads[i].overflowBytes() > 0)
                addOverflow(fit, fit.devices[i], fit.loads[i]);
    }

    void addSharedMemory()
    {
        for (const SharedMemory& shared : std::span(m_report.shared).first(std::min(m_limit, m_report.shared.size()))) {
            Problem problem{.kind = Problem::Kind::sharedWeight, .severity = Severity::warning};
            std::vector<std::string> names;
            for (const std::int32_t tag : shared.tags)
                names.push_back(tagName(tag));
            problem.text = m_snapshot.program.tensors[shared.tensor].fqn.str() + " is read in " + joined(names)
                + " and would be stored " + std::to_string(shared.tags.size())
                + " times: " + formatBytes(shared.bytes * (shared.tags.size() - 1)) + " more.";
            problem.nodes = readersOf(shared);
            if (!problem.nodes.empty())
                problem.repairs.push_back(show(problem.nodes));
            m_problems.push_back(std::move(problem));
        }
    }

    void addNonTensors()
    {
        for (const NonTensorCrossing& crossing :
             std::span(m_report.nonTensors).first(std::min(m_limit, m_report.nonTensors.size()))) {
            Problem problem{.kind = Problem::Kind::nonTensor, .severity = Severity::note};
            problem.text = nodeName(crossing.producer) + " is no tensor and passes from " + tagName(crossing.producerTag) + " to "
                + nodeName(crossing.consumer) + ".";
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
                                  .text = "No op has the tag " + tagName(tag) + "; its part would be empty.",
                                  .repairs = {{.kind = Repair::Kind::removeTag,
                                               .label = "Remove " + tagName(tag),
                                               .tip = "Take the tag out of the list",
                                               .tag = tag}}});
    }

private:
    static constexpr std::size_t kPriced = 20; ///< problems whose repairs are priced: each costs a walk of the graph

    [[nodiscard]] std::string nodeName(NodeId id) const { return m_graph[id].name.str(); }
    [[nodiscard]] std::string tagName(int tag) const
    {
        return tag < 0 ? std::string("untagged") : m_tags.order[static_cast<std::size_t>(tag)].str();
    }
    [[nodiscard]] static Repair show(std::vector<NodeId> nodes)
    {
        return {.kind = Repair::Kind::show, .label = "Show", .tip = "Select in the graph", .nodes = std::move(nodes)};
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
        std::string readers = nodeName(fan.consumers.front()) + " (tag " + tagName(fan.consumerTag) + ")";
        if (fan.consumers.size() > 1)
            readers += " and " + formatCount(fan.consumers.size() - 1) + " more";
        const std::string from = tagName(fan.producerTag);
        problem.text = nodeName(fan.producer) + " (tag " + from + ") feeds " + readers + ", but " + from + " comes after "
            + tagName(fan.consumerTag) + ".";
        if (!legalOrder.empty())
            problem.repairs.push_back({.kind = Repair::Kind::reorder,
                                       .label = "Reorder tags",
                                       .tip = "Put the tags in an order in which no edge runs backwards",
                                       .order = legalOrder});
        if (priced) {
            addMove(problem, laterProducers(m_graph, m_tags, fan.producer, fan.consumerTag), fan.producer, fan.consumerTag);
            addMove(problem, earlierConsumers(m_graph, m_tags, fan.producer, fan.producerTag), fan.consumers.front(),
                    fan.producerTag);
        }
        problem.repairs.push_back(show(problem.nodes));
        m_problems.push_back(std::move(problem));
    }

    void addOverflow(const DeviceFit& fit, const Device& device, const DeviceLoad& load)
    {
        std::vector<std::string> parts;
        Problem problem{.kind = Problem::Kind::overflow};
        for (const std::int32_t part : load.parts) {
            parts.push_back(fit.cut.order[static_cast<std::size_t>(part)].str());
            for (const NodeId id : m_graph.nodes())
                if (m_graph[id].isCall() && fit.cut[id] == part)
                    problem.nodes.push_back(id);
        }
        const bool isOne = parts.size() == 1;
        problem.text = joined(parts) + (isOne ? " needs " : " together need ") + formatBytes(load.usedBytes()) + " on "
            + describe(device) + ", which has " + formatBytes(*load.capacity) + ": " + formatBytes(load.overflowBytes())
            + " too much (" + describeNeed(load) + ").";
        if (fit.isOfTags && isOne) {
            addMoveToFit(problem, fit, load.parts.front(), 1);
            addMoveToFit(problem, fit, load.parts.front(), -1);
            addStagesThatFit(problem, fit);
        }
        problem.repairs.push_back(show(problem.nodes));
        m_problems.push_back(std::move(problem));
    }

    /// To the next part with ops, later or earlier.
    void addMoveToFit(Problem& problem, const DeviceFit& fit, std::int32_t from, int step) const
    {
        std::int32_t to = from + step;
        const auto count = static_cast<std::int32_t>(fit.metrics.parts.size());
        while (to >= 0 && to < count && fit.metrics.parts[static_cast<std::size_t>(to)].sizes.ops == 0)
            to += step;
        if (to < 0 || to >= count)
            return;
        std::vector<NodeId> nodes = movedToFit(fit, from, to);
        if (nodes.empty())
            return;
        Repair move{.kind = Repair::Kind::retag, .tag = to};
        move.label = "Move the " + std::string(step > 0 ? "last " : "first ") + formatCount(nodes.size(), "op") + " to "
            + tagName(to);
        price(move, nodes);
        move.tip = "Moves " + formatBytes(move.bytes) + " of weights; then both fit";
        move.nodes = std::move(nodes);
        problem.repairs.push_back(std::move(move));
    }

    void addStagesThatFit(Problem& problem, const DeviceFit& fit) const
    {
        Repair stages{.kind = Repair::Kind::stages, .tag = static_cast<int>(fit.devices.size())};
        if (stages.tag < 2)
            return;
        const Result<TagAssignment> tags = repaired(m_snapshot, m_tags, stages);
        if (!tags)
            return;
        const DeviceFit after = deviceFit(fit.graph, *tags, fit.devices);
        if (std::ranges::any_of(after.loads, [](const DeviceLoad& load) { return load.overflowBytes() > 0; }))
            return;
        stages.label = formatCount(fit.devices.size()) + " equal stages";
        stages.tip = "Tag all ops anew: consecutive stages, equal by bytes, one a device; then all fit";
        const auto nodes = m_graph.nodes();
        std::vector<NodeId> calls;
        std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(calls), [&](NodeId id) { return m_graph[id].isCall(); });
        price(stages, calls);
        problem.repairs.push_back(std::move(stages));
    }

    [[nodiscard]] std::string untaggedSentence() const
    {
        const std::size_t count = m_report.untagged.size();
        std::vector<std::string> names;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, count); ++i)
            names.push_back(nodeName(m_report.untagged[i]));
        if (count == 1)
            return "1 op has no tag: " + joined(names) + ".";
        const std::string rest = count <= 3 ? "." : " and " + formatCount(count - 3) + " more.";
        return formatCount(count) + " ops have no tag: " + joined(names) + rest;
    }

    void addNothingPainted()
    {
        Problem problem{.kind = Problem::Kind::nothingTagged, .severity = Severity::note, .text = "Nothing is painted yet."};
        problem.repairs.push_back({.kind = Repair::Kind::stages,
                                   .label = "Two equal stages",
                                   .tip = "Tag all ops: two consecutive stages, equal by bytes",
                                   .tag = 2});
        price(problem.repairs.back(), m_report.untagged);
        m_problems.push_back(std::move(problem));
    }

    void addMove(Problem& problem, std::vector<NodeId> nodes, NodeId first, int tag) const
    {
        if (nodes.empty())
            return;
        Repair move{.kind = Repair::Kind::retag};
        move.label = nodes.size() == 1
            ? "Move " + nodeName(first) + " to " + tagName(tag)
            : "Move " + nodeName(first) + " … to " + tagName(tag) + " +" + formatCount(nodes.size()) + " ops";
        price(move, nodes);
        move.tip = "Moves " + formatBytes(move.bytes) + " of weights";
        move.nodes = std::move(nodes);
        move.tag = tag;
        problem.repairs.push_back(std::move(move));
    }

    void price(Repair& repair, std::span<const NodeId> nodes) const
    {
        repair.calls = nodes.size();
        for (const NodeId id : nodes)
            repair.bytes += m_snapshot.sizes.parameterBytes[id.index()];
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
    bool m_splitWanted;
    Problems m_problems;
};

} // namespace

Problems problemsOf(const Snapshot& snapshot, const TagAssignment& tags, const TagReport& report, const ProblemOptions& options)
{
    Collecting collecting(snapshot, tags, report, options);
    collecting.addProof(options.proof);
    collecting.addBackwardEdges();
    for (const DeviceFit& fit : options.fits)
        collecting.addOverflows(fit);
    collecting.addUntagged();
    collecting.addSharedMemory();
    collecting.addNonTensors();
    collecting.addEmptyTags();
    return collecting.take();
}

} // namespace sunder
