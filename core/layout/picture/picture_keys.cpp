#include "layout/collapse/collapse.h"
#include "layout/picture/picture.h"

#include <algorithm>

namespace sunder {
namespace {

using collapse::Collapsed;
using collapse::Entry;
using collapse::Index;
using collapse::kNone;

constexpr Index kSmallGraph = 300;  ///< units up to which everything is open at first
constexpr Index kFewMembers = 5;    ///< a level with no more than these says little about a model
constexpr Index kMostLevels = 16;   ///< that are opened one by one in search of a better one
constexpr Index kMostReveals = 256; ///< more than frames and runs can be nested

/// Keys of everything open with all inside.
std::set<std::string> keysOfFrames(const Collapsed& collapsed)
{
    std::set<std::string> keys;
    for (const Entry& entry : collapsed.entries) {
        if (entry.kind == ItemKind::frame)
            keys.insert(entry.key);
    }
    return keys;
}

/// True when the children of a body tell something: many of them, or a run.
bool showsStructure(const Collapsed& collapsed, const std::vector<Index>& children, const Graph& graph,
                    const collapse::UnitGraph& units)
{
    Index members = 0;
    for (const Index child : children) {
        const Entry& entry = collapsed.entries[child];
        if (!entry.memberKeys.empty())
            return true;
        const NodeId head = units.heads[collapsed.units[entry.begin]];
        members += entry.kind != ItemKind::node || graph.node(head).isCall() ? 1 : 0;
    }
    return members > kFewMembers;
}

} // namespace

std::set<std::string> initialOpenKeys(const Program& program, GraphId graphId)
{
    const Graph& graph = program.graph(graphId);
    const collapse::ScopeTree scopes = collapse::scopesOf(program);
    PictureOptions options;
    const collapse::UnitGraph units = collapse::unitsOf(program, graphId, scopes, options);
    options.openAll = units.size() <= kSmallGraph;
    for (Index level = 0; level < kMostLevels; ++level) {
        const Result<Collapsed> collapsed = collapse::collapse(graph, scopes, units, options, ProgressMonitor::none());
        if (!collapsed || options.openAll)
            return collapsed ? keysOfFrames(*collapsed) : options.open;
        const std::size_t before = options.open.size();
        const auto openBulk = [&](const std::vector<Index>& children) {
            if (showsStructure(*collapsed, children, graph, units))
                return;
            for (const Index child : children) {
                const Entry& entry = collapsed->entries[child];
                const Index size = entry.end - entry.begin;
                if (entry.kind == ItemKind::module && size > kFewMembers && size >= units.size() / 10)
                    options.open.insert(entry.key);
            }
        };
        openBulk(collapsed->roots);
        for (const Entry& entry : collapsed->entries) {
            if (entry.kind == ItemKind::frame)
                openBulk(entry.children);
        }
        if (options.open.size() == before)
            break;
    }
    return options.open;
}

std::set<std::string> keysThatShow(const Program& program, GraphId graphId, NodeId node, const PictureOptions& options)
{
    const Graph& graph = program.graph(graphId);
    const collapse::ScopeTree scopes = collapse::scopesOf(program, options.within);
    const collapse::UnitGraph units = collapse::unitsOf(program, graphId, scopes, options);
    PictureOptions opened = options;
    const Index unit = node.index() < units.unitOf.size() ? units.unitOf[node.index()] : kNone;
    for (Index step = 0; unit != kNone && step < kMostReveals; ++step) {
        const Result<Collapsed> collapsed = collapse::collapse(graph, scopes, units, opened, ProgressMonitor::none());
        if (!collapsed)
            break;
        const Entry& entry = collapsed->entries[collapsed->entryOf[unit]];
        std::string key = entry.key;
        if (entry.kind == ItemKind::run) {
            const Index first = collapsed->memberOf[collapsed->units[entry.begin]];
            key = entry.memberKeys[collapsed->memberOf[unit] - first];
        }
        if (entry.kind == ItemKind::node || !opened.open.insert(key).second)
            break;
    }
    return opened.open;
}

} // namespace sunder
