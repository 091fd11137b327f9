#include "layout/collapse/collapse.h"

#include "layout/collapse/collapse_body.h"
#include "layout/collapse/collapse_groups.h"
#include "layout/collapse/collapse_pieces.h"
#include "layout/collapse/fold_structure.h"
#include "layout/collapse/run_folding.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace sunder::collapse {
namespace {

constexpr std::string_view kEllipsis = "…";

class Collapser {
public:
    Collapser(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units, const PictureOptions& options,
              ProgressMonitor& monitor)
        : m_scopes(scopes), m_units(units), m_options(options), m_monitor(monitor), m_bodies(scopes, units, options),
          m_groups(scopes, options), m_hasher(graph, scopes, units)
    {
        noteRunKeys(options.open);
        noteRunKeys(options.openDeep);
    }

    Result<Collapsed> run()
    {
        m_result.units.resize(m_units.size());
        std::iota(m_result.units.begin(), m_result.units.end(), Index{0});
        m_result.entryOf.assign(m_units.size(), kNone);
        m_result.memberOf.assign(m_units.size(), kNone);
        SUNDER_PROPAGATE(buildBody(kNone, 0, 0, m_units.size(), m_options.openAll));
        SUNDER_PROPAGATE(m_monitor.check());
        return std::move(m_result);
    }

private:
    void noteRunKeys(const std::set<std::string>& keys)
    {
        for (const std::string& key : keys) {
            const std::size_t at = key.find(kEllipsis);
            if (at != std::string::npos)
                m_runKeys[key.substr(0, at)].push_back(key.substr(at + kEllipsis.size()));
        }
    }

    /// Fills the frame `parent` (kNone: the picture) with the contents of `scope`. The recursion depth is that of the scopes,
    /// which is bounded.
    Result<void> buildBody(Index parent, Index scope, Index begin, Index end, bool isDeep)
    {
        SUNDER_PROPAGATE(m_monitor.check());
        const std::string frame = parent == kNone ? std::string() : m_result.entries[parent].key;
        const CollapseBody body = m_bodies.make({m_result.units.begin() + begin, m_result.units.begin() + end}, scope, frame,
                                                isDeep);
        SUNDER_PROPAGATE(m_monitor.check());
        const auto structureOf = [&](const std::vector<Index>& children, bool isVaried) {
            std::vector<Index> units;
            Index module = scope; // module names count relative to the member
            for (const Index child : children) {
                units.insert(units.end(), body.unitsOf(child).begin(), body.unitsOf(child).end());
                module = body.children[child].scope != kNone ? body.children[child].scope : module;
            }
            return isVaried ? m_hasher.hashOfKind(units, module) : m_hasher.hash(units, module);
        };
        const std::vector<Piece> pieces = isDeep ? std::vector<Piece>() : piecesOf(body);
        SUNDER_PROPAGATE(m_monitor.check());
        const Folding folding = foldPieces(body.graph, pieces, structureOf);
        SUNDER_PROPAGATE(m_monitor.check());
        const std::vector<Index> order = executionOrder(folding.graph);
        Index next = begin;
        Index place = 0;
        const auto addUntil = [&](Index last) -> Result<void> {
            for (; place < last; ++place) {
                SUNDER_PROPAGATE(m_monitor.check());
                SUNDER_TRY(next, addElement(parent, body, folding, order[place], next));
            }
            return {};
        };
        for (const Group& group : isDeep ? std::vector<Group>() : m_groups.find(body, folding, order, scope)) {
            SUNDER_PROPAGATE(addUntil(group.begin));
            SUNDER_TRY(
                next,
                addGroup(parent, body, folding, std::span(order).subspan(group.begin, group.end - group.begin), group, next));
            place = group.end;
        }
        return addUntil(static_cast<Index>(order.size()));
    }

    Result<Index> addElement(Index parent, const CollapseBody& body, const Folding& folding, Index element, Index next)
    {
        const Index piece = folding.pieceOf[element];
        if (piece == kNone)
            return addChild(parent, body, folding.elements[element].front(), next);
        return folding.pieces[piece].isOpen ? addRunFrame(parent, body, folding.pieces[piece], next)
                                            : addRun(parent, body, folding.pieces[piece], next);
    }

    std::vector<Piece> piecesOf(const CollapseBody& body)
    {
        std::vector<Sibling> siblings(body.children.size());
        for (Index i = 0; i < siblings.size(); ++i) {
            const Index scope = body.children[i].scope;
            if (scope == kNone)
                continue;
            const Scope& module = m_scopes.scopes[scope];
            siblings[i] = {scope, module.path.view(), module.call, module.cls};
        }
        const std::vector<Run> runs = findRuns(siblings,
                                               [&](Index i) { return m_hasher.hash(body.unitsOf(i), body.children[i].scope); });
        std::vector<Piece> pieces;
        for (const Run& run : runs) {
            divideRun(body, run, false, pieces);
            for (const Index child : run)
                siblings[child] = {.breaksRuns = true};
        }
        // The remaining siblings may still be of one kind, e.g. layers of a dense block or stages of growing width.
        const auto kindOf = [&](Index i) { return m_hasher.hashOfKind(body.unitsOf(i), body.children[i].scope); };
        for (const Run& run : findRuns(siblings, kindOf))
            divideRun(body, run, true, pieces);
        return pieces;
    }

    /// Splits a run at members that are open and at sections that are opened as frames.
    void divideRun(const CollapseBody& body, const Run& run, bool isVaried, std::vector<Piece>& pieces) const
    {
        Piece closed{.isVaried = isVaried};
        const auto finish = [&] {
            if (closed.members.size() >= kMinRest)
                pieces.push_back(closed);
            closed.members.clear();
        };
        for (Index i = 0; i < run.size(); ++i) {
            const Index last = lastOfOpenRun(body, run, i);
            if (last != i) {
                finish();
                Piece& frame = pieces.emplace_back();
                frame.isOpen = true;
                frame.isVaried = isVaried;
                for (; i <= last; ++i)
                    frame.members.push_back({run[i]});
                --i;
            } else if (body.children[run[i]].isOpen) {
                finish();
            } else {
                closed.members.push_back({run[i]});
            }
        }
        finish();
    }

    [[nodiscard]] Index lastOfOpenRun(const CollapseBody& body, const Run& run, Index first) const
    {
        const auto found = m_runKeys.find(body.children[run[first]].key);
        if (found == m_runKeys.end())
            return first;
        for (Index last = static_cast<Index>(run.size()) - 1; last > first; --last) {
            const std::string& key = body.children[run[last]].key;
            if (std::find(found->second.begin(), found->second.end(), key) != found->second.end())
                return last;
        }
        return first;
    }

    Index addEntry(Entry entry)
    {
        const Index index = static_cast<Index>(m_result.entries.size());
        entry.depth = entry.parent == kNone ? 0 : m_result.entries[entry.parent].depth + 1;
        (entry.parent == kNone ? m_result.roots : m_result.entries[entry.parent].children).push_back(index);
        m_result.entries.push_back(std::move(entry));
        return index;
    }

    /// Writes a child's units to position `next` and following. They belong to `entry` unless it is kNone.
    Index addUnits(std::span<const Index> units, Index entry, Index next)
    {
        for (const Index unit : units) {
            m_result.units[next++] = unit;
            m_result.entryOf[unit] = entry;
            m_result.memberOf[unit] = m_result.memberCount;
        }
        return next;
    }

    Result<Index> addChild(Index parent, const CollapseBody& body, Index index, Index begin, bool isDeep = false)
    {
        Child child = body.children[index];
        if (isDeep && child.scope != kNone && !m_options.closed.contains(child.key))
            child.isOpen = child.isDeep = true;
        const std::span<const Index> units = body.unitsOf(index);
        const Index end = begin + static_cast<Index>(units.size());
        const bool isModule = child.scope != kNone;
        const ItemKind kind = !isModule ? ItemKind::node : (child.isOpen ? ItemKind::frame : ItemKind::module);
        const Index entry = addEntry({.kind = kind,
                                      .parent = parent,
                                      .scope = child.scope,
                                      .stretch = child.stretch,
                                      .key = child.key,
                                      .canOpen = isModule,
                                      .begin = begin,
                                      .end = end});
        addUnits(units, entry, begin);
        if (child.isOpen)
            SUNDER_PROPAGATE(buildBody(entry, child.scope, begin, end, child.isDeep));
        else
            ++m_result.memberCount;
        return end;
    }

    Entry entryOfRun(ItemKind kind, Index parent, const CollapseBody& body, const Piece& piece) const
    {
        Entry entry{.kind = kind, .parent = parent, .canOpen = true};
        for (const std::vector<Index>& member : piece.members) {
            const auto module = std::find_if(member.begin(), member.end(),
                                             [&](Index child) { return body.children[child].scope != kNone; });
            const Child& child = body.children[module != member.end() ? *module : member.front()];
            entry.memberKeys.push_back(child.key);
            if (entry.scope == kNone)
                entry.scope = child.scope;
            entry.lastScope = child.scope;
        }
        entry.key = entry.memberKeys.front() + std::string(kEllipsis) + entry.memberKeys.back();
        entry.isParallel = isParallel(body, piece);
        entry.isVaried = piece.isVaried;
        return entry;
    }

    /// True if no module of the run depends on another. Plain ops of the run may depend on several, such as a sum of all results.
    [[nodiscard]] static bool isParallel(const CollapseBody& body, const Piece& piece)
    {
        std::vector<Index> inRun;
        for (const std::vector<Index>& member : piece.members)
            inRun.insert(inRun.end(), member.begin(), member.end());
        std::sort(inRun.begin(), inRun.end()); // in execution order
        std::vector<bool> needsModule(inRun.size(), false); // is a module or depends on one
        for (std::size_t i = 0; i < inRun.size(); ++i) {
            const bool isModule = body.children[inRun[i]].scope != kNone;
            for (Index e = body.graph.inStart[inRun[i]]; e < body.graph.inStart[inRun[i] + 1]; ++e) {
                const auto from = std::lower_bound(inRun.begin(), inRun.end(), body.graph.in[e]);
                if (from == inRun.end() || *from != body.graph.in[e])
                    continue;
                if (needsModule[static_cast<std::size_t>(from - inRun.begin())])
                    needsModule[i] = true;
            }
            if (isModule && needsModule[i])
                return false;
            needsModule[i] = needsModule[i] || isModule;
        }
        return true;
    }

    Index addRun(Index parent, const CollapseBody& body, const Piece& piece, Index begin)
    {
        const Index entry = addEntry(entryOfRun(ItemKind::run, parent, body, piece));
        const Index next = addMembers(body, piece, entry, begin);
        m_result.entries[entry].begin = begin;
        m_result.entries[entry].end = next;
        return next;
    }

    [[nodiscard]] Entry entryOfGroup(Index parent, const CollapseBody& body, const Folding& folding,
                                     std::span<const Index> elements, const Group& group) const
    {
        Entry entry{.kind = group.isOpen ? ItemKind::frame : ItemKind::run, .parent = parent, .key = group.key};
        entry.canOpen = entry.isGroup = true;
        for (const Index element : elements) {
            for (const Index index : folding.elements[element]) {
                const Child& child = body.children[index];
                if (child.scope == kNone)
                    continue;
                entry.memberKeys.push_back(child.key);
                entry.lastScope = child.scope;
                if (entry.scope == kNone)
                    entry.scope = child.scope;
                const InternedString cls = m_scopes.scopes[child.scope].cls;
                if (std::find(entry.classes.begin(), entry.classes.end(), cls) == entry.classes.end())
                    entry.classes.push_back(cls);
            }
        }
        return entry;
    }

    Result<Index> addGroup(Index parent, const CollapseBody& body, const Folding& folding, std::span<const Index> elements,
                           const Group& group, Index begin)
    {
        const Index entry = addEntry(entryOfGroup(parent, body, folding, elements, group));
        Index next = begin;
        for (const Index element : elements) {
            const Index piece = folding.pieceOf[element];
            if (group.isOpen && !group.isDeep) {
                SUNDER_TRY(next, addElement(entry, body, folding, element, next));
            } else if (group.isOpen) {
                for (const Index child : folding.elements[element]) {
                    SUNDER_TRY(next, addChild(entry, body, child, next, true));
                }
            } else if (piece == kNone) {
                next = addUnits(body.unitsOf(folding.elements[element].front()), entry, next);
                ++m_result.memberCount;
            } else {
                next = addMembers(body, folding.pieces[piece], entry, next);
            }
        }
        m_result.entries[entry].begin = begin;
        m_result.entries[entry].end = next;
        return next;
    }

    Index addMembers(const CollapseBody& body, const Piece& piece, Index entry, Index next)
    {
        for (const std::vector<Index>& member : piece.members) {
            for (const Index child : member)
                next = addUnits(body.unitsOf(child), entry, next);
            ++m_result.memberCount;
        }
        return next;
    }

    Result<Index> addRunFrame(Index parent, const CollapseBody& body, const Piece& piece, Index begin)
    {
        const Index entry = addEntry(entryOfRun(ItemKind::frame, parent, body, piece));
        const bool isDeep = m_options.openDeep.contains(m_result.entries[entry].key);
        Index next = begin;
        for (const std::vector<Index>& member : piece.members) {
            for (const Index child : member) {
                SUNDER_TRY(next, addChild(entry, body, child, next, isDeep));
            }
        }
        m_result.entries[entry].begin = begin;
        m_result.entries[entry].end = next;
        return next;
    }

    const ScopeTree& m_scopes;
    const UnitGraph& m_units;
    const PictureOptions& m_options;
    ProgressMonitor& m_monitor;
    BodyMaker m_bodies;
    GroupFinder m_groups;
    StructureHasher m_hasher;
    std::unordered_map<std::string, std::vector<std::string>> m_runKeys; ///< key of the first member → keys of last members
    Collapsed m_result;
};

} // namespace

Result<Collapsed> collapse(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units, const PictureOptions& options,
                           ProgressMonitor& monitor)
{
    return Collapser(graph, scopes, units, options, monitor).run();
}

} // namespace sunder::collapse
