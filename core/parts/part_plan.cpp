#include "parts/part_plan.h"

#include "ir/getitem.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

constexpr std::int32_t kNone = -1;

bool isSeveral(const Node& node)
{
    return node.meta.val
        && (node.meta.val->is(ArgumentKind::tuple) || node.meta.val->is(ArgumentKind::list)
            || node.meta.val->is(ArgumentKind::dict));
}

/// A value that an exported program can take as an input: a tensor or a symbolic integer.
bool canPass(const Node& node)
{
    if (!node.meta.val)
        return false;
    return node.meta.val->is(ArgumentKind::tensor)
        || (node.meta.val->is(ArgumentKind::symbolic) && node.meta.val->asSymbolic().kind == SymbolKind::integer);
}

/// A number or truth value: cheap to compute once more, and always the same.
bool isScalar(const Node& node)
{
    if (!node.meta.val)
        return false;
    switch (node.meta.val->kind()) {
    case ArgumentKind::symbolic:
    case ArgumentKind::boolean:
    case ArgumentKind::integer:
    case ArgumentKind::floating: return true;
    default: return false;
    }
}

class PartPlanner {
public:
    PartPlanner(const Program& source, const SplitResult& split, const PartPlanOptions& options)
        : m_source(source), m_graph(source.rootGraph()), m_split(split), m_options(options), m_inputOf(signatureInputs(source))
    {
        const std::size_t parts = split.parts.size();
        m_plan.partOf.assign(m_graph.idBound(), kNone);
        m_plan.calls.resize(parts);
        m_plan.inputs.resize(parts);
        m_plan.lifted.resize(parts);
        m_plan.outputs.resize(parts);
        m_plan.writes.resize(parts);
        m_takenBy.assign(m_graph.idBound(), kNone);
        m_isGiven.assign(m_graph.idBound(), 0);
        m_position = m_graph.positions();
    }

    Result<PartPlan> run()
    {
        readParts();
        keepItemsWithTheirCall();
        for (const NodeId id : m_graph.nodes())
            if (const std::int32_t part = m_plan.partOf[id.index()]; part != kNone)
                m_plan.calls[static_cast<std::size_t>(part)].push_back(id);
        for (std::size_t part = 0; part < m_plan.calls.size(); ++part)
            if (const Result<void> done = collectInputs(part); !done)
                return forward(done);
        if (const Result<void> done = collectResults(); !done)
            return forward(done);
        for (std::size_t part = 0; part < m_plan.calls.size(); ++part)
            sortByPosition(part);
        return std::move(m_plan);
    }

private:
    /// A node of the root graph may have been carried into other graphs than those of parts; these do not count.
    void readParts()
    {
        std::vector<std::int32_t> partOfGraph(m_split.program.graphs.size(), kNone);
        for (std::size_t i = 0; i < m_split.parts.size(); ++i)
            partOfGraph[m_split.parts[i].index()] = static_cast<std::int32_t>(i);
        for (const IdentityMap::Pair& pair : m_split.map.pairs())
            if (pair.source.graph == m_source.root && !pair.created && m_graph.node(pair.source.node).isCall()
                && partOfGraph[pair.result.graph.index()] != kNone)
                m_plan.partOf[pair.source.node.index()] = partOfGraph[pair.result.graph.index()];
    }

    /// A file of an exported program has no getitem: what a call gives are the items.
    void keepItemsWithTheirCall()
    {
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph.node(id);
            if (!isGetitem(node) || node.args.empty() || !node.args[0].is(ArgumentKind::node))
                continue;
            const NodeId of = node.args[0].asNode();
            if (m_graph.node(of).isCall() && isSeveral(m_graph.node(of)))
                m_plan.partOf[id.index()] = m_plan.partOf[of.index()];
        }
    }

    /// Inputs of the calls of a part; the list grows by what is computed again.
    Result<void> collectInputs(std::size_t part)
    {
        for (std::size_t i = 0; i < m_plan.calls[part].size(); ++i) {
            const NodeId call = m_plan.calls[part][i];
            for (const NodeId input : m_graph.inputs(call))
                if (const Result<void> taken = take(input, call, part); !taken)
                    return taken;
        }
        return {};
    }

    Result<void> take(NodeId value, NodeId user, std::size_t part)
    {
        const auto here = static_cast<std::int32_t>(part);
        if (m_plan.partOf[value.index()] == here || m_takenBy[value.index()] == here)
            return {};
        m_takenBy[value.index()] = here;
        const Node& node = m_graph.node(value);
        if (node.op == Op::placeholder) {
            (isLifted(value) ? m_plan.lifted : m_plan.inputs)[part].push_back(value);
            return {};
        }
        if (node.op == Op::getAttr) {
            m_plan.calls[part].push_back(value);
            return {};
        }
        if (canPass(node) && m_plan.partOf[value.index()] != kNone) {
            m_plan.inputs[part].push_back(value);
            give(value);
            return {};
        }
        if (isScalar(node)) {
            m_plan.calls[part].push_back(value);
            return {};
        }
        return fail(ErrorCode::refused,
                    node.name.str() + " passes from one part to another (to " + m_graph.node(user).name.str()
                        + "), but a program of its own cannot take such a value",
                    {.node = node.name.str(), .other = m_graph.node(user).name.str()});
    }

    [[nodiscard]] Result<void> inNoPart(NodeId value) const
    {
        return fail(ErrorCode::refused, m_graph.node(value).name.str() + " is in no part of the split",
                    {.node = m_graph.node(value).name.str()});
    }

    void give(NodeId value)
    {
        if (std::exchange(m_isGiven[value.index()], char{1}) == 0)
            m_plan.outputs[static_cast<std::size_t>(m_plan.partOf[value.index()])].push_back(value);
    }

    /// What the whole returns or writes is given by the part that computes it; a parameter by the last part.
    Result<void> collectResults()
    {
        const Arguments results = flatOutputs(m_graph);
        const std::vector<OutputSpec>& specs = m_source.signature->outputs;
        for (std::size_t i = 0; i < results.size() && !m_plan.calls.empty(); ++i) {
            if (!results[i].is(ArgumentKind::node))
                continue;
            const NodeId value = results[i].asNode();
            const OutputKind kind = i < specs.size() ? specs[i].kind : OutputKind::user;
            const bool isGiven = kind == OutputKind::user || kind == OutputKind::loss || kind == OutputKind::gradient;
            const Result<void> done = isGiven ? collectResult(value) : collectWrite(value, static_cast<std::uint32_t>(i));
            if (!done)
                return done;
        }
        return {};
    }

    Result<void> collectResult(NodeId value)
    {
        const Node& node = m_graph.node(value);
        const std::size_t last = m_plan.calls.size() - 1;
        if (node.isCall() && isSeveral(node))
            return fail(ErrorCode::refused, node.name.str() + " is returned whole, but a part gives tensors and numbers only",
                        {.node = node.name.str()});
        if (node.isCall() && m_plan.partOf[value.index()] == kNone)
            return inNoPart(value);
        if (node.isCall())
            give(value);
        else if (isLifted(value) && std::exchange(m_isGiven[value.index()], char{1}) == 0) {
            addOnce(m_plan.lifted[last], value);
            m_plan.outputs[last].push_back(value);
        }
        return {};
    }

    /// The part that computes what is written makes the write, and holds what is written to.
    Result<void> collectWrite(NodeId value, std::uint32_t entry)
    {
        const OutputSpec& spec = m_source.signature->outputs[entry];
        if (spec.kind == OutputKind::token)
            return fail(ErrorCode::refused,
                        m_graph.node(value).name.str()
                            + " is an effect token that the program gives, which no part can give on its own; export the program "
                              "without effects, or give all of it to one part",
                        {.node = m_graph.node(value).name.str()});
        const bool isComputed = m_graph.node(value).isCall();
        if (isComputed && m_plan.partOf[value.index()] == kNone)
            return inNoPart(value);
        const std::size_t part = isComputed ? static_cast<std::size_t>(m_plan.partOf[value.index()]) : m_plan.calls.size() - 1;
        if (!isComputed)
            addOnce((isLifted(value) ? m_plan.lifted : m_plan.inputs)[part], value);
        m_plan.writes[part].push_back(entry);
        const NodeId written = placeholderOf(spec);
        if (!written)
            return {};
        addOnce((isLifted(written) ? m_plan.lifted : m_plan.inputs)[part], written);
        return m_options.allowSplitState ? Result<void>() : checkReaders(written, part, isLifted(written));
    }

    [[nodiscard]] NodeId placeholderOf(const OutputSpec& spec) const
    {
        for (const NodeId id : m_graph.nodes()) {
            const std::int32_t at = m_inputOf[id.index()];
            if (at == kNone)
                continue;
            const InputSpec& input = m_source.signature->inputs[static_cast<std::size_t>(at)];
            const bool isIt = spec.kind == OutputKind::inputMutation
                ? m_graph.node(id).name == spec.target
                : input.kind != InputKind::user && input.target == spec.target;
            if (isIt)
                return id;
        }
        return {};
    }

    /// Copies of a buffer would differ after the first run; an input is changed for whoever reads it later.
    Result<void> checkReaders(NodeId written, std::size_t writer, bool isState) const
    {
        for (std::size_t part = isState ? 0 : writer + 1; part < m_plan.calls.size(); ++part) {
            const std::vector<NodeId>& taken = isState ? m_plan.lifted[part] : m_plan.inputs[part];
            if (part != writer && std::find(taken.begin(), taken.end(), written) != taken.end()) {
                const std::string name = m_graph.node(written).name.str();
                return fail(ErrorCode::refused,
                            name + " is written by part " + tag(writer) + " and read by part " + tag(part)
                                + ", which would not see the change; give both to one part",
                            {.node = name, .other = tag(part)});
            }
        }
        return {};
    }

    [[nodiscard]] std::string tag(std::size_t part) const
    {
        const std::vector<InternedString>& order = m_split.partNames;
        return part < order.size() ? order[part].str() : std::to_string(part);
    }

    static void addOnce(std::vector<NodeId>& to, NodeId value)
    {
        if (std::find(to.begin(), to.end(), value) == to.end())
            to.push_back(value);
    }

    [[nodiscard]] bool isLifted(NodeId placeholder) const
    {
        const std::int32_t at = m_inputOf[placeholder.index()];
        return at != kNone && m_source.signature->inputs[static_cast<std::size_t>(at)].kind != InputKind::user;
    }

    void sortByPosition(std::size_t part)
    {
        const auto before = [this](NodeId a, NodeId b) { return m_position[a.index()] < m_position[b.index()]; };
        std::sort(m_plan.calls[part].begin(), m_plan.calls[part].end(), before);
        std::sort(m_plan.inputs[part].begin(), m_plan.inputs[part].end(), before);
        std::sort(m_plan.lifted[part].begin(), m_plan.lifted[part].end(),
                  [&](NodeId a, NodeId b) { return m_inputOf[a.index()] < m_inputOf[b.index()]; });
        std::sort(m_plan.outputs[part].begin(), m_plan.outputs[part].end(), before);
    }

    const Program& m_source;
    const Graph& m_graph;
    const SplitResult& m_split;
    PartPlanOptions m_options;
    std::vector<std::int32_t> m_inputOf;
    std::vector<std::int32_t> m_takenBy; ///< per NodeId: the part that took it last
    std::vector<char> m_isGiven;
    std::vector<std::uint32_t> m_position;
    PartPlan m_plan;
};

} // namespace

std::vector<std::int32_t> signatureInputs(const Program& program)
{
    std::vector<std::int32_t> entries(program.rootGraph().idBound(), kNone);
    std::int32_t next = 0;
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph().node(id).op == Op::placeholder && program.signature
            && static_cast<std::size_t>(next) < program.signature->inputs.size())
            entries[id.index()] = next++;
    return entries;
}

Arguments flatOutputs(const Graph& graph)
{
    const NodeId output = graph.output();
    if (!output || graph.node(output).args.empty())
        return {};
    const Argument& result = graph.node(output).args.front();
    return result.isCompound() ? Arguments(result.items().begin(), result.items().end()) : Arguments{result};
}

Result<PartPlan> planParts(const Program& source, const SplitResult& split, const PartPlanOptions& options)
{
    if (!source.signature)
        return fail(ErrorCode::refused, "the program has no export signature");
    return PartPlanner(source, split, options).run();
}

} // namespace sunder
