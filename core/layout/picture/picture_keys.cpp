#include "layout/collapse/collapse.h"
#include "layout/collapse/collapse_groups.h"
#include "layout/picture/picture.h"

#include <algorithm>

namespace sunder {
namespace {

using collapse::Collapsed;
using collapse::Entry;
using collapse::Index;
using collapse::kNone;

constexpr Index kMaxReveals = 256; ///< exceeds any nesting depth of frames and runs

} // namespace

bool isGroupKey(std::string_view key)
{
    return key.find(collapse::kGroupMark) != std::string_view::npos;
}

std::set<std::string> keysThatShow(const Program& program, GraphId graphId, NodeId node, const PictureOptions& options)
{
    const Graph& graph = program.graph(graphId);
    const collapse::ScopeTree scopes = *collapse::scopesOf(program, options.within, ProgressMonitor::none());
    const collapse::UnitGraph units = *collapse::unitsOf(program, graphId, scopes, options, ProgressMonitor::none());
    PictureOptions opened = options;
    const Index unit = node.index() < units.unitOf.size() ? units.unitOf[node.index()] : kNone;
    for (Index step = 0; unit != kNone && step < kMaxReveals; ++step) {
        const Result<Collapsed> collapsed = collapse::collapse(graph, scopes, units, opened, ProgressMonitor::none());
        if (!collapsed)
            break;
        const Entry& entry = collapsed->entries[collapsed->entryOf[unit]];
        std::string key = entry.key;
        if (entry.kind == ItemKind::run && !entry.isGroup) {
            const Index first = collapsed->memberOf[collapsed->units[entry.begin]];
            key = entry.memberKeys[collapsed->memberOf[unit] - first];
        }
        opened.closed.erase(key);
        if (entry.kind == ItemKind::node || !opened.open.insert(key).second)
            break;
    }
    return opened.open;
}

} // namespace sunder
