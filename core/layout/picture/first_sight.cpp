#include "layout/picture/first_sight.h"

#include "ir/tensor_meta.h"
#include "layout/collapse/collapse.h"
#include "layout/compose/compose.h"
#include "layout/picture/isolation.h"
#include "layout/picture/item_looks.h"
#include "layout/picture/list_groups.h"
#include "layout/picture/picture.h"
#include "layout/picture/picture_values.h"
#include "support/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace sunder {
namespace {

/// Draws one graph several times with different modules open, and computes everything that does not depend on open modules only
/// once. The program must outlive it.
class PictureBuilder {
public:
    /// Uses only `within`, `asides`, and `collapse` of the options. Fails only when canceled. Linear in nodes and uses.
    static Result<PictureBuilder> of(const Program& program, GraphId graph, const PictureOptions& options,
                                     ProgressMonitor& monitor);

    /// See buildPicture().
    Result<Picture> build(const PictureOptions& options, const LayoutEngine& engine, ProgressMonitor& monitor) const;
    /// The same with known items: `items` is the result of collapsed() for these options.
    Result<Picture> build(const collapse::Collapsed& items, const PictureOptions& options, const LayoutEngine& engine,
                          ProgressMonitor& monitor) const;
    /// Returns the items of the picture without sizes and positions.
    Result<collapse::Collapsed> collapsed(const PictureOptions& options, ProgressMonitor& monitor) const;

    [[nodiscard]] const Graph& graph() const { return m_graph; }
    [[nodiscard]] const collapse::ScopeTree& scopes() const { return m_scopes; }
    [[nodiscard]] const collapse::UnitGraph& units() const { return m_units; }

private:
    PictureBuilder(const Program& program, GraphId graph, collapse::ScopeTree scopes, collapse::UnitGraph units)
        : m_program(program), m_graph(program.graph(graph)), m_scopes(std::move(scopes)), m_units(std::move(units))
    {
    }

    const Program& m_program;
    const Graph& m_graph;
    collapse::ScopeTree m_scopes;
    collapse::UnitGraph m_units;
};

/// Returns the total bytes of an edge's values; 0 if any is unknown.
std::uint64_t bytesOf(const Graph& graph, const std::vector<NodeId>& values)
{
    std::uint64_t total = 0;
    for (const NodeId value : values) {
        const std::optional<Argument>& val = graph.node(value).meta.val;
        const std::optional<std::uint64_t> bytes = val ? byteSize(*val) : std::nullopt;
        if (!bytes || __builtin_add_overflow(total, *bytes, &total))
            return 0;
    }
    return total;
}

Result<PictureBuilder> PictureBuilder::of(const Program& program, GraphId graph, const PictureOptions& options,
                                          ProgressMonitor& monitor)
{
    SUNDER_TRY(collapse::ScopeTree scopes, collapse::scopesOf(program, options.within, monitor));
    SUNDER_TRY(collapse::UnitGraph units, collapse::unitsOf(program, graph, scopes, options, monitor));
    return PictureBuilder(program, graph, std::move(scopes), std::move(units));
}

Result<collapse::Collapsed> PictureBuilder::collapsed(const PictureOptions& options, ProgressMonitor& monitor) const
{
    SUNDER_PROPAGATE(monitor.check());
    return collapse::collapse(m_graph, m_scopes, m_units, options, monitor);
}

Result<Picture> PictureBuilder::build(const PictureOptions& options, const LayoutEngine& engine, ProgressMonitor& monitor) const
{
    SUNDER_TRY(const collapse::Collapsed items, collapsed(options, monitor));
    return build(items, options, engine, monitor);
}

Result<Picture> PictureBuilder::build(const collapse::Collapsed& items, const PictureOptions& options, const LayoutEngine& engine,
                                      ProgressMonitor& monitor) const
{
    const collapse::ValueFlow flow = collapse::flowOf(m_graph, m_units, items, options);
    SUNDER_PROPAGATE(monitor.check());
    Picture picture;
    picture.items = collapse::itemsOf({m_program, m_graph, m_scopes, m_units, items, flow, options});
    picture.itemOf = collapse::itemOfNodes(m_units, items);
    SUNDER_PROPAGATE(monitor.check());
    std::optional<collapse::Isolated> isolated;
    if (!options.only.empty())
        isolated = collapse::isolate(options.only, items, flow, picture);
    SUNDER_PROPAGATE(compose::composePicture(m_graph, isolated ? isolated->items : items,
                                             isolated ? isolated->flow.dependencies : flow.dependencies, engine, options, picture,
                                             monitor));
    for (PictureEdge& edge : picture.edges)
        edge.bytes = bytesOf(m_graph, edge.values);
    return picture;
}

using collapse::Collapsed;
using collapse::Entry;
using collapse::Index;
using collapse::kNone;

constexpr Index kFewMembers = 5; ///< a level with at most this many members says little about a model
constexpr Index kMaxLevels = 16; ///< maximum number of levels opened in search of a better one
constexpr int kMaxTries = 40; ///< maximum number of pictures drawn to test whether they fit
constexpr std::ptrdiff_t kMinMembers = 2; ///< minimum number of members in a level
constexpr float kMinZoom = 0.4F; ///< minimum zoom at which a level is still useful
constexpr float kMinArea = 8000; ///< minimum area of an item, including the space around it

/// True if the children of a body show structure: more than a few members, or a run.
bool showsStructure(const PictureBuilder& builder, const Collapsed& collapsed, const std::vector<Index>& children)
{
    Index members = 0;
    for (const Index child : children) {
        const Entry& entry = collapsed.entries[child];
        if (!entry.memberKeys.empty())
            return true;
        const NodeId head = builder.units().heads[collapsed.units[entry.begin]];
        members += entry.kind != ItemKind::node || builder.graph().node(head).isCall() ? 1 : 0;
    }
    return members > kFewMembers;
}

class LevelOpener {
public:
    LevelOpener(PictureBuilder builder, const PictureOptions& options, const LayoutEngine& engine, ProgressMonitor& monitor)
        : m_builder(std::move(builder)), m_options(options), m_engine(engine), m_monitor(monitor)
    {
        m_options.open.clear();
        m_options.openDeep.clear();
        m_options.openAll = false;
        m_options.closed.clear();
        m_options.columns.setting = ColumnOptions::Setting::fit;
    }

    Result<FirstSight> run()
    {
        SUNDER_PROPAGATE(openOutermost());
        SUNDER_PROPAGATE(drawOutermost());
        while (fits(m_picture) && m_tries < kMaxTries) {
            SUNDER_TRY(const bool deeper, openLevel());
            if (!deeper)
                break;
        }
        return FirstSight{std::move(m_picture), std::move(m_options.open), std::move(m_options.closed)};
    }

private:
    /// One step of opening: the key of a module, or of the first member of a run.
    struct Step {
        std::string key;
        std::vector<std::string> members; ///< of a run: all members; the others stay folded
        Index ops = 0;
    };
    using Steps = std::vector<Step>;

    /// Opens the largest modules until the first level with more than a few members.
    Result<void> openOutermost()
    {
        for (Index level = 0; level < kMaxLevels; ++level) {
            SUNDER_TRY(const Collapsed collapsed, m_builder.collapsed(m_options, m_monitor));
            const std::size_t before = m_options.open.size();
            openBulk(collapsed, collapsed.roots);
            for (const Entry& entry : collapsed.entries) {
                if (entry.kind == ItemKind::frame)
                    openBulk(collapsed, entry.children);
            }
            if (m_options.open.size() == before)
                break;
            m_levels.push_back(m_options.open);
        }
        return {};
    }

    /// Takes the deepest of these levels with all texts readable, folded if necessary. Otherwise takes the deepest level that is
    /// useful at a lower zoom. Levels with only one member are skipped.
    Result<void> drawOutermost()
    {
        std::vector<Picture> drawn; // one per level, the deepest first
        for (std::size_t level = m_levels.size(); level-- > 0;) {
            PictureOptions options = m_options;
            options.open = m_levels[level];
            SUNDER_TRY(Picture plain, m_builder.build(options, m_engine, m_monitor));
            const bool isDeepest = drawn.empty();
            drawn.push_back(std::move(plain));
            if (!isDeepest && membersOf(drawn.back()) < kMinMembers)
                break;
            if (fits(drawn.back()) && (isDeepest || membersOf(drawn.back()) > kFewMembers)) {
                take(std::move(options), std::move(drawn.back()));
                return {};
            }
            SUNDER_TRY(const bool isFolded, drawFolded(level, drawn.back(), isDeepest ? kMinMembers : kFewMembers + 1));
            if (isFolded)
                return {};
        }
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            if (i > 0 && membersOf(drawn[i]) < kMinMembers)
                break;
            m_picture = std::move(drawn[i]);
            m_options.open = m_levels[m_levels.size() - 1 - i];
            if (fits(m_picture, kMinZoom))
                break;
        }
        return {};
    }

    /// Tries to draw a level that does not fit: with lists folded by stages, then with fewer modules open, then with whole lists
    /// folded. Returns false if it still does not fit.
    Result<bool> drawFolded(std::size_t level, const Picture& plain, std::ptrdiff_t leastMembers)
    {
        PictureOptions options = m_options;
        options.open = m_levels[level];
        SUNDER_TRY(const Collapsed collapsed, m_builder.collapsed(options, m_monitor));
        const std::vector<std::set<std::string>> ways = waysToGroup(m_builder.graph(), m_builder.scopes(), m_builder.units(),
                                                                    collapsed, m_options.within);
        for (std::size_t way = 0; way < ways.size(); ++way) {
            if (way + 1 == ways.size()) {
                const Result<bool> fewer = drawFewer(level, plain, leastMembers);
                if (!fewer || *fewer)
                    return fewer;
            }
            options.closed = ways[way];
            const Result<bool> drawn = tryToDraw(options, leastMembers);
            if (!drawn || *drawn)
                return drawn;
        }
        return ways.empty() ? drawFewer(level, plain, leastMembers) : false;
    }

    /// Closes the modules opened in this level, smallest classes first.
    Result<bool> drawFewer(std::size_t level, const Picture& plain, std::ptrdiff_t leastMembers)
    {
        std::map<std::string, Steps> classes;
        for (const Item& item : plain.items) {
            if (item.kind == ItemKind::frame && level > 0 && !m_levels[level - 1].contains(item.key))
                classes[kindOf(item)].push_back({item.key, {}, item.opCount});
        }
        std::vector<Steps> byOps = largestFirst(std::move(classes));
        PictureOptions options = m_options;
        options.open = m_levels[level];
        for (; byOps.size() > 1; byOps.pop_back()) {
            for (const Step& step : byOps.back())
                options.open.erase(step.key);
            const Result<bool> drawn = tryToDraw(options, leastMembers);
            if (!drawn || *drawn)
                return drawn;
        }
        return false;
    }

    /// Draws a picture and keeps it if it fits and shows at least this many members.
    Result<bool> tryToDraw(const PictureOptions& options, std::ptrdiff_t leastMembers)
    {
        SUNDER_TRY(const Collapsed collapsed, m_builder.collapsed(options, m_monitor));
        if (!mayFit(collapsed) || ++m_tries > kMaxTries)
            return false;
        SUNDER_TRY(Picture drawn, m_builder.build(collapsed, options, m_engine, m_monitor));
        if (!fits(drawn) || membersOf(drawn) < leastMembers)
            return false;
        take(options, std::move(drawn));
        return true;
    }

    void take(PictureOptions options, Picture picture)
    {
        m_picture = std::move(picture);
        m_options.open = std::move(options.open);
        m_options.closed = std::move(options.closed);
    }

    [[nodiscard]] static std::ptrdiff_t membersOf(const Picture& picture)
    {
        return std::count_if(picture.items.begin(), picture.items.end(), isMember);
    }

    [[nodiscard]] static bool isMember(const Item& item) { return item.kind != ItemKind::frame && item.opCount > 0; }

    void openBulk(const Collapsed& collapsed, const std::vector<Index>& children)
    {
        if (showsStructure(m_builder, collapsed, children))
            return;
        for (const Index child : children) {
            const Entry& entry = collapsed.entries[child];
            const Index size = entry.end - entry.begin;
            if (entry.kind == ItemKind::module && size > kFewMembers && size >= m_builder.units().size() / 10)
                m_options.open.insert(entry.key);
        }
    }

    [[nodiscard]] bool fits(const Picture& picture, float zoom = kReadableZoom) const
    {
        const Size room = m_options.columns.room;
        return picture.size.width * zoom <= room.width && picture.size.height * zoom <= room.height;
    }

    /// False if there is not enough space for the items at a readable zoom.
    [[nodiscard]] bool mayFit(const Collapsed& collapsed) const
    {
        const auto isShown = [](const Entry& entry) { return entry.kind != ItemKind::frame; };
        const auto shown = std::count_if(collapsed.entries.begin(), collapsed.entries.end(), isShown);
        const Size room = m_options.columns.room;
        return static_cast<float>(shown) * kMinArea * kReadableZoom * kReadableZoom <= room.width * room.height;
    }

    /// Opens the outermost closed level, or the classes of it that fit. False if there is nothing left to open.
    Result<bool> openLevel()
    {
        std::map<std::string, Steps> classes; // items of one class are opened together
        Steps level;
        std::uint32_t outermost = Item().depth;
        for (const Item& item : m_picture.items) {
            const std::optional<Step> step = stepOf(item);
            if (!step || (!level.empty() && item.depth > outermost))
                continue;
            if (item.depth < outermost || level.empty()) {
                outermost = item.depth;
                level.clear();
                classes.clear();
            }
            level.push_back(*step);
            classes[kindOf(item)].push_back(*step);
        }
        if (level.empty())
            return false;
        Result<bool> opened = open(level);
        if (!opened || *opened || classes.size() == 1) {
            refuse(level);
            return opened && !*opened ? Result<bool>(true) : opened; // items at a deeper level may still fit
        }
        for (const Steps& steps : largestFirst(std::move(classes))) {
            opened = open(steps);
            if (!opened)
                return opened;
            refuse(steps);
        }
        return true;
    }

    [[nodiscard]] static std::vector<Steps> largestFirst(std::map<std::string, Steps> classes)
    {
        std::vector<Steps> byOps;
        const auto hasMore = [](const Steps& a, const Steps& b) { return opsOf(a) > opsOf(b); };
        for (auto& [cls, steps] : classes)
            byOps.insert(std::upper_bound(byOps.begin(), byOps.end(), steps, hasMore), std::move(steps));
        return byOps;
    }

    [[nodiscard]] static std::uint64_t opsOf(const Steps& steps)
    {
        std::uint64_t ops = 0;
        for (const Step& step : steps)
            ops += step.ops;
        return ops;
    }

    /// Returns a key that is equal for items opened together. Modules of one class are opened together regardless of their sizes,
    /// so that no sibling is opened alone. Runs and Sequentials also need equal op counts, because a run opens one member for
    /// all, and the class Sequential says nothing. Groups of one list are opened together.
    [[nodiscard]] static std::string kindOf(const Item& item)
    {
        if (item.isGroup)
            return listOf(item);
        const std::string cls = item.subtitle.substr(0, item.copies > 1 ? item.subtitle.rfind(" ×") : std::string::npos);
        return item.copies > 1 || cls == "Sequential" ? cls + " " + std::to_string(item.opCount / item.copies) : cls;
    }

    /// Returns the common prefix of the keys of a group's members, marked so that it differs from any class.
    [[nodiscard]] static std::string listOf(const Item& group)
    {
        const std::string& first = group.members.front();
        const std::string& last = group.members.back();
        std::string list(first.begin(), std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first);
        while (!list.empty() && isAsciiDigit(list.back()))
            list.pop_back();
        return list + "⋯";
    }

    /// Returns how to open a closed item. Nothing if this was tried before or the item contains fewer than two ops.
    [[nodiscard]] std::optional<Step> stepOf(const Item& item) const
    {
        if (!item.canOpen || item.kind == ItemKind::frame || item.opCount < 2)
            return std::nullopt;
        if (item.kind == ItemKind::module || item.isGroup)
            return m_refused.contains(item.key) ? std::nullopt : std::optional<Step>({item.key, {}, item.opCount});
        if (m_refused.contains(item.members.front()))
            return std::nullopt;
        return Step{item.members.front(), item.members, item.opCount};
    }

    void refuse(const Steps& steps)
    {
        for (const Step& step : steps) {
            m_refused.insert(step.key);
            m_refused.insert(step.members.begin(), step.members.end());
        }
    }

    /// Draws the picture with these additional items open and keeps it if it fits.
    Result<bool> open(const Steps& steps)
    {
        PictureOptions options = m_options;
        for (const Step& step : steps) {
            options.open.insert(step.key);
            options.closed.erase(step.key);
        }
        SUNDER_TRY(const Collapsed collapsed, m_builder.collapsed(options, m_monitor));
        if (!mayFit(collapsed))
            return false;
        ++m_tries;
        SUNDER_TRY(Picture drawn, m_builder.build(collapsed, options, m_engine, m_monitor));
        if (!fits(drawn))
            return false;
        take(std::move(options), std::move(drawn));
        return true;
    }

    PictureBuilder m_builder;
    PictureOptions m_options;
    const LayoutEngine& m_engine;
    ProgressMonitor& m_monitor;
    Picture m_picture;
    std::vector<std::set<std::string>> m_levels{{}}; ///< open keys of each of the outermost levels
    std::set<std::string> m_refused; ///< keys that were tried, with all members of their runs
    int m_tries = 0;
};

} // namespace

Result<Picture> buildPicture(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                             ProgressMonitor& monitor)
{
    SUNDER_TRY(const PictureBuilder builder, PictureBuilder::of(program, graph, options, monitor));
    return builder.build(options, engine, monitor);
}

Result<FirstSight> firstSight(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                              ProgressMonitor& monitor)
{
    SUNDER_TRY(PictureBuilder builder, PictureBuilder::of(program, graph, options, monitor));
    return LevelOpener(std::move(builder), options, engine, monitor).run();
}

} // namespace sunder
