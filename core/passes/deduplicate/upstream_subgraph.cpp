#include "passes/deduplicate/upstream_subgraph.h"

#include "ir/getitem.h"
#include "passes/deduplicate/replacement.h"

#include <algorithm>
#include <deque>

namespace sunder {

std::vector<NodeId> readsOf(const Node& node)
{
    std::vector<NodeId> reads;
    forEachNode(node.args, node.kwargs, [&](NodeId input) { reads.push_back(input); });
    return reads;
}

namespace {

class Maker {
public:
    Maker(const Graph& graph, std::span<const NodeId> region, const ErasedArguments& erased)
        : m_graph(graph), m_region(region), m_erased(erased)
    {
        for (std::uint32_t i = 0; i < region.size(); ++i)
            m_placeOf[region[i]] = i;
        m_made.copies.resize(region.size());
    }

    Result<UpstreamSubgraph> run(std::span<const std::uint32_t> outputs)
    {
        for (const NodeId input : outerInputs())
            SUNDER_PROPAGATE(addInput(input));
        Arguments results;
        auto output = outputs.begin();
        for (std::uint32_t place = 0; place < m_region.size(); ++place) {
            const bool leaves = output != outputs.end() && *output == place;
            output += leaves ? 1 : 0;
            if (m_parts.contains(m_region[place]))
                continue;
            SUNDER_PROPAGATE(copy(place));
            if (leaves)
                SUNDER_PROPAGATE(addResult(place, results));
        }
        m_made.graph.create(
            {.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
        return std::move(m_made);
    }

private:
    std::vector<NodeId> outerInputs()
    {
        std::vector<NodeId> order;
        for (std::uint32_t place = 0; place < m_region.size(); ++place) {
            std::uint32_t argument = 0;
            for (const NodeId input : readsOf(m_graph.node(m_region[place]))) {
                const RegionUse use{place, argument++};
                if (m_placeOf.contains(input))
                    continue;
                const auto [at, isNew] = m_inputAt.emplace(input, order.size());
                if (isNew) {
                    order.push_back(input);
                    m_made.inputs.emplace_back();
                }
                m_made.inputs[at->second].uses.push_back(use);
            }
        }
        return order;
    }

    Result<void> addInput(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (!node.meta.val)
            return fail(ErrorCode::refused, "PyTorch fails here: the value of " + node.name.str() + " is unknown",
                        {.node = node.name.str()});
        UpstreamSubgraph::Input& input = m_made.inputs[m_inputAt.at(id)];
        input.isTuple = isTuple(*node.meta.val);
        if (!input.isTuple) {
            m_inner[id] = placeholder("subgraph_input_" + node.name.str());
            return {};
        }
        SUNDER_TRY(const std::vector<std::uint32_t> parts, partsOf(id));
        for (const std::uint32_t part : parts) {
            m_inner[m_region[part]] = placeholder("supgraph_input_" + node.name.str() + "_flattened_" + std::to_string(part));
            m_made.copies[part] = m_inner[m_region[part]];
            m_parts.emplace(m_region[part], part);
        }
        input.parts = parts;
        return {};
    }

    /// Returns the places of the region that take items of the tuple and are used in the region, breadth first.
    Result<std::vector<std::uint32_t>> partsOf(NodeId tuple) const
    {
        std::vector<std::uint32_t> parts;
        std::deque<NodeId> todo{tuple};
        while (!todo.empty()) {
            const NodeId at = todo.front();
            todo.pop_front();
            const bool usedInside = at != tuple
                && std::ranges::any_of(usersOf(at), [&](NodeId user) { return m_placeOf.contains(user); });
            if (usedInside) {
                const auto place = m_placeOf.find(at);
                if (place == m_placeOf.end())
                    return fail(ErrorCode::refused,
                                "PyTorch fails here: " + m_graph.node(at).name.str() + ", an item of the tuple "
                                    + m_graph.node(tuple).name.str() + ", is used in a region but is not in it",
                                {.node = m_graph.node(at).name.str(), .other = m_graph.node(tuple).name.str()});
                if (std::ranges::find(parts, place->second) == parts.end())
                    parts.push_back(place->second);
            }
            for (const NodeId user : m_graph.users(at))
                if (takesItem(m_graph.node(user)))
                    todo.push_back(user);
        }
        return parts;
    }

    [[nodiscard]] std::vector<NodeId> usersOf(NodeId id) const
    {
        std::vector<NodeId> users;
        for (const NodeId user : m_graph.users(id))
            users.push_back(user);
        return users;
    }

    NodeId placeholder(const std::string& target)
    {
        return m_made.graph.create({.op = Op::placeholder, .name = {}, .target = intern(target)});
    }

    Result<void> copy(std::uint32_t place)
    {
        const NodeId id = m_region[place];
        const Node& node = m_graph.node(id);
        const auto gone = m_erased.find(id);
        const Arguments& args = gone != m_erased.end() ? gone->second.first : node.args;
        const Keywords& kwargs = gone != m_erased.end() ? gone->second.second : node.kwargs;
        NodeId foreign;
        const auto inner = [&](NodeId input) {
            const auto found = m_inner.find(input);
            if (found != m_inner.end())
                return Argument::node(found->second);
            foreign = input;
            return Argument();
        };
        Arguments newArgs = mapNodes(args, inner);
        Keywords newKwargs = mapNodes(kwargs, inner);
        if (foreign)
            return fail(ErrorCode::refused,
                        "PyTorch creates an invalid subgraph here: " + node.name.str() + " uses "
                            + m_graph.node(foreign).name.str() + ", which is not passed to it",
                        {.node = node.name.str(), .other = m_graph.node(foreign).name.str()});
        m_made.copies[place] = m_made.graph.copy(m_graph, id, std::move(newArgs), std::move(newKwargs));
        m_inner[id] = m_made.copies[place];
        return {};
    }

    Result<void> addResult(std::uint32_t place, Arguments& results)
    {
        const Node& node = m_graph.node(m_region[place]);
        if (!node.meta.val)
            return fail(ErrorCode::refused, "PyTorch fails here: the value of " + node.name.str() + " is unknown",
                        {.node = node.name.str()});
        const NodeId whole = m_made.copies[place];
        if (!isTuple(*node.meta.val)) {
            results.push_back(Argument::node(whole));
            return {};
        }
        struct Item {
            Argument val;
            std::vector<std::int64_t> path;
            NodeId parent;
        };
        std::deque<Item> todo;
        const auto addItems = [&](const Argument& val, const std::vector<std::int64_t>& path, NodeId parent) {
            std::int64_t i = 0;
            for (const Argument& item : val.items()) {
                todo.push_back({item, path, parent});
                todo.back().path.push_back(i++);
            }
        };
        addItems(*node.meta.val, {}, whole);
        auto& numbers = m_made.tupleResults[place];
        for (; !todo.empty(); todo.pop_front()) {
            const Item item = todo.front();
            const InsertScope behind(m_made.graph, Graph::InsertPoint::after(item.parent));
            NodeSpec spec = getitemSpec(item.parent, Argument::integer(item.path.back()));
            spec.meta.val = item.val;
            spec.meta.valFrom = node.meta.valFrom;
            const NodeId part = m_made.graph.create(std::move(spec));
            numbers.emplace(item.path, static_cast<std::uint32_t>(numbers.size()));
            results.push_back(Argument::node(part));
            if (isTuple(item.val))
                addItems(item.val, item.path, part);
        }
        return {};
    }

    const Graph& m_graph;
    std::span<const NodeId> m_region;
    const ErasedArguments& m_erased;
    UpstreamSubgraph m_made;
    std::unordered_map<NodeId, std::uint32_t> m_placeOf;
    std::unordered_map<NodeId, std::size_t> m_inputAt;
    std::unordered_map<NodeId, NodeId> m_inner; ///< node of the graph → node of the subgraph
    std::unordered_map<NodeId, std::uint32_t> m_parts;
};

} // namespace

Result<UpstreamSubgraph> upstreamSubgraph(const Graph& graph, std::span<const NodeId> region,
                                          std::span<const std::uint32_t> outputs, const ErasedArguments& erased)
{
    return Maker(graph, region, erased).run(outputs);
}

} // namespace sunder
