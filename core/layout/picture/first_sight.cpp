#include "layout/picture/first_sight.h"

#include "layout/picture/picture_builder.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sunder {
namespace {

using collapse::Collapsed;
using collapse::Entry;
using collapse::Index;
using collapse::kNone;

constexpr Index kFewMembers = 5;    ///< a level with no more than these says little about a model
constexpr Index kMostLevels = 16;   ///< that are opened one by one in search of a better one
constexpr int kMostTries = 40;      ///< pictures that are drawn to see whether they fit
constexpr float kLeastZoom = 0.4F;  ///< at which a level still says something
constexpr float kLeastArea = 8000;  ///< that an item takes, with what is kept free around it

/// True when the children of a body tell something: many of them, or a run.
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
    LevelOpener(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                ProgressMonitor& monitor)
        : m_builder(program, graph, options), m_options(options), m_engine(engine), m_monitor(monitor)
    {
        m_options.open.clear();
        m_options.openDeep.clear();
        m_options.openAll = false;
        m_options.closed.clear();
        m_options.columns.setting = ColumnOptions::Setting::fit;
    }

    Result<FirstSight> run()
    {
        if (const Result<void> opened = openOutermost(); !opened)
            return forward(opened);
        if (const Result<void> drawn = drawOutermost(); !drawn)
            return forward(drawn);
        while (fits(m_picture) && m_tries < kMostTries) {
            const Result<bool> deeper = openLevel();
            if (!deeper)
                return forward(deeper);
            if (!*deeper)
                break;
        }
        return FirstSight{std::move(m_picture), std::move(m_options.open)};
    }

private:
    /// What is opened with one step: a module's key, or the first member's of a run.
    struct Step {
        std::string key;
        std::vector<std::string> members; ///< of a run: the others stay folded
        Index ops = 0;
    };
    using Steps = std::vector<Step>;

    /// Opens the bulk of the model until the first level with more than a few members.
    Result<void> openOutermost()
    {
        for (Index level = 0; level < kMostLevels; ++level) {
            const Result<Collapsed> collapsed = m_builder.collapsed(m_options, m_monitor);
            if (!collapsed)
                return forward(collapsed);
            const std::size_t before = m_options.open.size();
            openBulk(*collapsed, collapsed->roots);
            for (const Entry& entry : collapsed->entries) {
                if (entry.kind == ItemKind::frame)
                    openBulk(*collapsed, entry.children);
            }
            if (m_options.open.size() == before)
                break;
            m_levels.push_back(m_options.open);
        }
        return {};
    }

    /// The deepest of these levels of which more than outlines is seen, but none with one member only.
    Result<void> drawOutermost()
    {
        for (std::size_t level = m_levels.size(); level-- > 0;) {
            PictureOptions options = m_options;
            options.open = m_levels[level];
            Result<Picture> drawn = m_builder.build(options, m_engine, m_monitor);
            if (!drawn)
                return forward(drawn);
            const bool isDeepest = level + 1 == m_levels.size();
            if (!isDeepest && std::count_if(drawn->items.begin(), drawn->items.end(), isMember) < 2)
                break;
            m_picture = std::move(*drawn);
            m_options.open = std::move(options.open);
            if (fits(m_picture, kLeastZoom))
                break;
        }
        return {};
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

    /// Opens the outermost closed level, or what of it fits; false when nothing does.
    Result<bool> openLevel()
    {
        std::map<std::string, Steps> classes; // what is of one class is opened alike
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
            return opened && !*opened ? Result<bool>(true) : opened; // what lies deeper elsewhere may fit
        }
        std::vector<Steps> byOps;
        for (auto& [cls, steps] : classes)
            byOps.push_back(std::move(steps));
        std::stable_sort(byOps.begin(), byOps.end(), [](const Steps& a, const Steps& b) { return opsOf(a) > opsOf(b); });
        for (const Steps& steps : byOps) {
            opened = open(steps);
            if (!opened)
                return opened;
            refuse(steps);
        }
        return true;
    }

    [[nodiscard]] static std::uint64_t opsOf(const Steps& steps)
    {
        std::uint64_t ops = 0;
        for (const Step& step : steps)
            ops += step.ops;
        return ops;
    }

    /// What is opened alike: modules of one class, whatever their sizes, so that of siblings none is open alone; but runs, of
    /// which one member is shown for all, and a Sequential, whose class says nothing, only with those that do as much.
    [[nodiscard]] static std::string kindOf(const Item& item)
    {
        const std::string cls = item.subtitle.substr(0, item.copies > 1 ? item.subtitle.rfind(" ×") : std::string::npos);
        return item.copies > 1 || cls == "Sequential" ? cls + " " + std::to_string(item.opCount / item.copies) : cls;
    }

    /// How a closed item is opened; nothing for what was tried before or holds nothing worth a frame.
    [[nodiscard]] std::optional<Step> stepOf(const Item& item) const
    {
        if (!item.canOpen || item.kind == ItemKind::frame || item.opCount < 2)
            return std::nullopt;
        if (item.kind == ItemKind::module)
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

    /// Draws with these open besides, and keeps that when it fits.
    Result<bool> open(const Steps& steps)
    {
        PictureOptions options = m_options;
        for (const Step& step : steps)
            options.open.insert(step.key);
        const Result<Collapsed> collapsed = m_builder.collapsed(options, m_monitor);
        if (!collapsed)
            return forward(collapsed);
        const auto isShown = [](const Entry& entry) { return entry.kind != ItemKind::frame; };
        const auto shown = std::count_if(collapsed->entries.begin(), collapsed->entries.end(), isShown);
        const Size room = m_options.columns.room;
        if (static_cast<float>(shown) * kLeastArea * kReadableZoom * kReadableZoom > room.width * room.height)
            return false;
        ++m_tries;
        Result<Picture> drawn = m_builder.build(*collapsed, options, m_engine, m_monitor);
        if (!drawn)
            return forward(drawn);
        if (!fits(*drawn))
            return false;
        m_picture = std::move(*drawn);
        m_options.open = std::move(options.open);
        return true;
    }

    PictureBuilder m_builder;
    PictureOptions m_options;
    const LayoutEngine& m_engine;
    ProgressMonitor& m_monitor;
    Picture m_picture;
    std::vector<std::set<std::string>> m_levels{{}}; ///< what is open in each of the outermost levels
    std::set<std::string> m_refused; ///< keys that were tried, and all members of runs of which one was
    int m_tries = 0;
};

} // namespace

Result<FirstSight> firstSight(const Program& program, GraphId graph, const PictureOptions& options, const LayoutEngine& engine,
                              ProgressMonitor& monitor)
{
    return LevelOpener(program, graph, options, engine, monitor).run();
}

} // namespace sunder
