#include "analysis/fill/modules_around.h"

#include "analysis/search/node_matcher.h"
#include "ir/module_path.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

/// Adds a path and its prefixes, innermost first. Paths that exist already keep their positions.
void addWithHolders(std::vector<EnclosingModule>& around, std::string_view path, InternedString cls)
{
    for (bool isItself = true; !path.empty(); isItself = false) {
        const auto known = std::ranges::find(around, path, &EnclosingModule::path);
        if (known == around.end())
            around.push_back({std::string(path), isItself ? cls : InternedString()});
        else if (isItself && known->cls.empty())
            known->cls = cls;
        const std::size_t dot = path.rfind('.');
        path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
    }
}

std::vector<EnclosingModule> aroundOne(const Program& program, const Node& node)
{
    std::vector<EnclosingModule> around;
    const ModuleStack& stack = program.stackOf(node);
    if (stack.empty())
        addWithHolders(around, modulePathOf(program, node), {});
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
        addWithHolders(around, frame->path.view(), frame->cls);
    // The caller of a module need not be its parent by name, so the order follows calls first, then names.
    return around;
}

bool runsIn(const Program& program, const Node& node, std::string_view path)
{
    const ModuleStack& stack = program.stackOf(node);
    if (stack.empty())
        return isWithin(modulePathOf(program, node), path);
    return std::ranges::any_of(stack, [&](const ModuleFrame& frame) { return isWithin(frame.path.view(), path); });
}

} // namespace

std::vector<EnclosingModule> modulesAround(const Program& program, std::span<const NodeId> nodes, std::string_view from)
{
    const Graph& graph = program.rootGraph();
    // Nodes of a module's parameters are often outside of it, so only calls count unless there are none.
    std::vector<NodeId> picked;
    std::ranges::copy_if(nodes, std::back_inserter(picked), [&](NodeId id) { return graph[id].isCall(); });
    if (picked.empty())
        picked.assign(nodes.begin(), nodes.end());
    if (picked.empty())
        return {};
    std::vector<EnclosingModule> around = aroundOne(program, graph[picked.front()]);
    std::unordered_map<const ModuleStack*, bool> seen; // nodes share stacks
    for (const NodeId id : picked) {
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (!stack.empty() && !seen.try_emplace(&stack, true).second)
            continue;
        std::erase_if(around, [&](const EnclosingModule& one) { return !runsIn(program, graph[id], one.path); });
    }
    if (const auto named = std::ranges::find(around, from, &EnclosingModule::path); named != around.end())
        around.erase(around.begin(), named);
    return around;
}

} // namespace sunder
