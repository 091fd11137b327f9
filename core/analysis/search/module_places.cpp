#include "analysis/search/module_places.h"

#include "analysis/search/node_matcher.h"
#include "ir/module_tree.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
std::vector<ModulePlace> modulePlaces(const Program& program)
{
    std::vector<ModulePlace> places;
    std::unordered_map<std::string, std::size_t> placeOf;
    const auto placeAt = [&](std::string_view path) -> ModulePlace& {
        const auto [at, isNew] = placeOf.try_emplace(std::string(path), places.size());
        if (isNew)
            places.push_back({.path = at->first});
        return places[at->second];
    };
    const auto addWithAll = [&](std::string_view path) { // including its parents
        for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1))
            placeAt(path.substr(0, dot));
        if (!path.empty())
            placeAt(path);
    };
    std::unordered_set<const ModuleStack*> seen; // nodes share stacks
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (stack.empty()) {
            addWithAll(modulePathOf(program, graph[id]));
            continue;
        }
        if (!seen.insert(&stack).second)
            continue;
        for (const ModuleFrame& frame : stack) {
            addWithAll(frame.path.view());
            if (!frame.path.empty())
                placeAt(frame.path.view()).cls = frame.cls;
        }
    }
    return places;
}

std::vector<NodeId> nodesIn(const Program& program, std::string_view path)
{
    std::vector<NodeId> nodes;
    std::unordered_map<const ModuleStack*, bool> isIn;
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (stack.empty()) {
            if (isWithin(modulePathOf(program, graph[id]), path))
                nodes.push_back(id);
            continue;
        }
        const auto [at, isNew] = isIn.try_emplace(&stack, false);
        if (isNew)
            at->second = std::ranges::any_of(stack, [&](const ModuleFrame& frame) { return isWithin(frame.path.view(), path); });
        if (at->second)
            nodes.push_back(id);
    }
    return nodes;
}

} // namespace sunder
