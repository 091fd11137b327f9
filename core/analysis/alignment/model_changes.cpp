#include "analysis/alignment/model_changes.h"

#include "analysis/alignment/folded_places.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sunder {
namespace {

/// The old and the new path of a renamed module, without what they share at the end: "encoder.layers.3" and "blocks.3".
std::pair<std::string, std::string> renamedPart(std::string old, std::string now)
{
    for (;;) {
        const std::size_t oldDot = old.rfind('.');
        const std::size_t nowDot = now.rfind('.');
        if (oldDot == std::string::npos || nowDot == std::string::npos || old.substr(oldDot) != now.substr(nowDot))
            return {std::move(old), std::move(now)};
        old.resize(oldDot);
        now.resize(nowDot);
    }
}

/// Sorts the ops by what a reader distinguishes, then folds each list.
class ChangedOps {
public:
    ChangedOps(const GraphIdentity& old, const GraphIdentity& now) : m_old(old), m_now(now) {}

    void add(const ModelChange& like, std::uint32_t node)
    {
        const auto key = std::tuple(like.kind, like.tag, like.suggestion, like.isEitherWay);
        ModelChange& list = m_lists.try_emplace(key, like).first->second;
        list.nodes.push_back(node);
    }

    void addRenamed(std::int32_t tag, std::uint32_t oldNode, std::uint32_t node)
    {
        const auto [from, to] = renamedPart(pathOf(m_old, oldNode), pathOf(m_now, node));
        Renamed& list = m_renamed[std::tuple(tag, numberlessPath(from), numberlessPath(to))];
        list.from.push_back(from);
        list.to.push_back(to);
        list.change.nodes.push_back(node);
    }

    /// Notes the old ops that an op replaces.
    void replace(std::uint32_t node, std::span<const std::uint32_t> old) { m_replaced[node].assign(old.begin(), old.end()); }

    std::vector<ModelChange> take()
    {
        std::vector<ModelChange> changes;
        for (auto& [key, like] : m_lists) {
            const GraphIdentity& graph = like.kind == ModelChangeKind::lost ? m_old : m_now;
            std::ranges::sort(like.nodes);
            for (FoldedPlace& place : foldedPlaces(graph, like.nodes)) {
                ModelChange& change = changes.emplace_back(like);
                change.place = std::move(place.place);
                change.nodes = std::move(place.nodes);
                change.operators = operatorsText(graph, change.nodes);
                if (like.kind == ModelChangeKind::replaced)
                    addReplaced(change);
            }
        }
        for (auto& [key, list] : m_renamed) {
            ModelChange& change = changes.emplace_back(std::move(list.change));
            change.kind = ModelChangeKind::renamed;
            change.tag = std::get<0>(key);
            change.from = placeOf(list.from);
            change.place = placeOf(list.to);
            change.operators = operatorsText(m_now, change.nodes);
        }
        std::ranges::stable_sort(changes, [](const ModelChange& a, const ModelChange& b) {
            return a.kind != b.kind ? a.kind < b.kind : a.nodes.size() > b.nodes.size();
        });
        return changes;
    }

private:
    struct Renamed {
        std::vector<std::string> from = {};
        std::vector<std::string> to = {};
        ModelChange change = {};
    };

    void addReplaced(ModelChange& change) const
    {
        std::set<std::uint32_t> replaced;
        for (const std::uint32_t node : change.nodes)
            if (const auto found = m_replaced.find(node); found != m_replaced.end())
                replaced.insert(found->second.begin(), found->second.end());
        change.replaced.assign(replaced.begin(), replaced.end());
        const std::vector<FoldedPlace> places = foldedPlaces(m_old, change.replaced);
        if (places.size() == 1 && places.front().place != change.place)
            change.from = places.front().place;
    }

    static std::string pathOf(const GraphIdentity& graph, std::uint32_t node)
    {
        return graph.modules[graph.nodes[node].module].path.str();
    }
    static std::string placeOf(const std::vector<std::string>& paths)
    {
        const std::string place = foldedPath(paths);
        return place.empty() ? "outside of modules" : place;
    }

    const GraphIdentity& m_old;
    const GraphIdentity& m_now;
    std::map<std::tuple<ModelChangeKind, std::int32_t, std::int32_t, bool>, ModelChange> m_lists;
    std::map<std::tuple<std::int32_t, std::string, std::string>, Renamed> m_renamed;
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_replaced; ///< per node of the new graph
};

ModelChangeKind changeOf(MatchKind kind)
{
    switch (kind) {
    case MatchKind::moved: return ModelChangeKind::moved;
    case MatchKind::inPlace: return ModelChangeKind::replaced;
    case MatchKind::undecided: return ModelChangeKind::undecided;
    case MatchKind::identity:
    case MatchKind::structure:
    case MatchKind::added: break;
    }
    return ModelChangeKind::added;
}

/// Returns the shapes and data types of the result and the weights of an op, in the order of its arguments.
std::vector<std::uint64_t> shapesOf(const GraphIdentity& graph, std::uint32_t node)
{
    std::vector<std::uint64_t> shapes{graph.nodes[node].value};
    for (const std::uint32_t read : graph.reads[node])
        if (graph.nodes[read].isWeight)
            shapes.push_back(graph.nodes[read].value);
    return shapes;
}

} // namespace

std::string_view name(ModelChangeKind kind)
{
    switch (kind) {
    case ModelChangeKind::added: return "new";
    case ModelChangeKind::lost: return "lost";
    case ModelChangeKind::undecided: return "undecided";
    case ModelChangeKind::replaced: return "replaced";
    case ModelChangeKind::moved: return "moved";
    case ModelChangeKind::renamed: return "renamed";
    case ModelChangeKind::resized: break;
    }
    return "resized";
}

ModelChanges modelChanges(const GraphIdentity& old, const GraphIdentity& now, const GraphAlignment& alignment,
                          const CarriedTags& carried, std::span<const std::int32_t> oldTags)
{
    ModelChanges found;
    ChangedOps changed(old, now);
    std::set<std::uint32_t> replaced;
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        const AlignedCall& call = alignment.calls[i];
        const CarriedTag& tag = carried.calls[i];
        if (call.kind == MatchKind::identity || call.kind == MatchKind::structure) {
            const InternedString before = old.modules[old.nodes[call.old].module].path;
            if (before != now.modules[now.nodes[call.node].module].path)
                changed.addRenamed(tag.tag, call.old, call.node);
            else if (shapesOf(old, call.old) != shapesOf(now, call.node))
                changed.add({.kind = ModelChangeKind::resized, .place = {}, .tag = tag.tag}, call.node);
            else
                ++found.unchanged;
            continue;
        }
        changed.add({.kind = changeOf(call.kind),
                     .place = {},
                     .tag = tag.tag,
                     .suggestion = tag.suggestion,
                     .isEitherWay = tag.isEitherWay},
                    call.node);
        if (call.kind == MatchKind::inPlace) {
            changed.replace(call.node, call.others);
            replaced.insert(call.others.begin(), call.others.end());
        }
    }
    for (const std::uint32_t node : alignment.lost)
        if (!replaced.contains(node))
            changed.add({.kind = ModelChangeKind::lost, .place = {}, .tag = oldTags[node]}, node);
    found.changes = changed.take();
    return found;
}

} // namespace sunder
