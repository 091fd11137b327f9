#include "draw/drawings.h"

#include "analysis/tag_legality.h"
#include "canvas/cost_colors.h"
#include "canvas/picture_files.h"
#include "canvas/picture_notes.h"
#include "canvas/picture_style.h"
#include "canvas/web_page.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/tags.h"
#include "cli/timed_costs.h"
#include "draw/offscreen_application.h"
#include "io/drawings/node_data.h"
#include "io/side_files/partitions_file.h"
#include "layout/picture/first_sight.h"
#include "support/file.h"
#include "support/progress_monitor.h"

#include <QFileInfo>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sunder::cli {
namespace {

/// Represents any grouping of nodes as tags, so that pictures need only one way of coloring.
class Groups {
public:
    explicit Groups(const Graph& graph) { m_groups.tagOf.assign(graph.idBound(), TagAssignment::kUntagged); }

    void put(NodeId node, InternedString group)
    {
        const auto [at, isNew] = m_indices.emplace(group, static_cast<std::int32_t>(m_groups.order.size()));
        if (isNew)
            m_groups.order.push_back(group);
        m_groups.tagOf[node.index()] = at->second;
    }
    TagAssignment take() { return std::move(m_groups); }

private:
    TagAssignment m_groups;
    std::unordered_map<InternedString, std::int32_t> m_indices;
};

TagAssignment byOperatorOrModule(const Program& program, ColorBy what)
{
    const Graph& graph = program.rootGraph();
    Groups groups(graph);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (!node.isCall())
            continue;
        const ModuleStack& stack = program.stackOf(node);
        const InternedString outermost = stack.size() < 2 ? intern("(none)") : stack[1].path;
        groups.put(id, what == ColorBy::module ? outermost : node.target);
    }
    return groups.take();
}

/// Numbered partitions are named as in the window: P0, P1, …
Result<TagAssignment> byPartition(const Invocation& invocation, const Program& program)
{
    const Graph& graph = program.rootGraph();
    SUNDER_TRY(const PartitionAssignment partitions, readPartitionsOf(graph, invocation.value("partitions")));
    Groups groups(graph);
    for (const NodeId id : graph.nodes()) {
        const std::uint32_t partition = partitions[id];
        if (partition == PartitionAssignment::kNone || !graph[id].isCall())
            continue;
        const PartitionId& name = partitions.ids[partition];
        groups.put(id, name.number ? intern("P" + name.text.str()) : name.text);
    }
    return groups.take();
}

Result<TagAssignment> byRegion(const Invocation& invocation, const Program& program)
{
    const RegionOptions options = givenOptions<RegionOptions>(invocation);
    SUNDER_TRY(const RegionResult regions, findRegions(program, options, invocation.monitor));
    Groups groups(program.rootGraph());
    for (std::size_t group = 0; group < regions.groups.size(); ++group)
        for (const NodeId node : regions.groups[group].nodes)
            groups.put(node, intern("R" + std::to_string(group)));
    return groups.take();
}

/// Returns the groups that color the calls of the root graph, as tags: the tags on the nodes or of --tags, operators, outermost
/// modules, partitions of --partitions, or groups of repeated regions (--key, --as-upstream). Calls in no group are untagged.
/// Returns the errors of reading files and of passes.
Result<TagAssignment> colorsFor(const Invocation& invocation, const Program& program, ColorBy what)
{
    switch (what) {
    case ColorBy::op:
    case ColorBy::module: return byOperatorOrModule(program, what);
    case ColorBy::partition: return byPartition(invocation, program);
    case ColorBy::region: return byRegion(invocation, program);
    case ColorBy::tag:
    case ColorBy::flops:
    case ColorBy::bytes:
    case ColorBy::seconds:
    case ColorBy::data: break;
    }
    return invocation.isSet("tags") ? tagsFor(invocation, program) : Result<TagAssignment>(tagsOnNodes(program));
}

/// The costs of a picture.
struct Figures {
    std::optional<CostColors> colors;    ///< of --color-by flops, bytes, seconds, or data
    std::vector<CostFiguresPtr> all = {}; ///< in a web page
};

/// Returns the figures that the colors need, for a web page all that are known.
Result<Figures> figuresFor(const Invocation& invocation, const Program& program, ColorBy what, bool isPage)
{
    Figures figures;
    if (what == ColorBy::data) {
        SUNDER_TRY(const NodeData data, readNodeData(program, invocation.value("node-data")));
        const std::string name = data.name.empty() ? "Numbers" : data.name;
        figures.all.push_back(std::make_shared<const CostFigures>(numberFigures(program, name, data.values)));
        figures.colors = CostColors(figures.all.back());
    }
    if (!isPage && what != ColorBy::flops && what != ColorBy::bytes && what != ColorBy::seconds)
        return figures;
    SUNDER_TRY(const TimedCosts timed, timedCosts(invocation, program));
    const auto add = [&](ColorBy colors, CostFigures found) {
        if (what != colors && (!isPage || !found.total.isKnown()))
            return;
        figures.all.push_back(std::make_shared<const CostFigures>(std::move(found)));
        if (what == colors)
            figures.colors = CostColors(figures.all.back());
    };
    add(ColorBy::seconds, secondFigures(program, timed.seconds));
    add(ColorBy::flops, flopFigures(program, timed.costs));
    add(ColorBy::bytes, byteFigures(program, timed.costs));
    return figures;
}

/// A larger picture is arranged in as many columns as give it about this shape.
constexpr Size kPageRoom{1600, 1000};

PictureStyle styleFor(const Program& program, const TagAssignment& groups, const DrawingOptions& options)
{
    const Theme& colors = theme(options.dark);
    if (options.colorBy != ColorBy::tag)
        return pictureStyle(program, groups, nullptr, colors);
    const TagReport report = checkTags(program, groups);
    return pictureStyle(program, groups, groups.order.empty() ? nullptr : &report, colors);
}

std::unique_ptr<LayoutEngine> layoutEngine()
{
    return makeAutomaticEngine(makeDotEngine(programPath().toStdString()))->forPicture();
}

bool isWithin(const ModuleStack& stack, const std::string& path)
{
    for (const ModuleFrame& frame : stack)
        if (frame.path.view() == path)
            return true;
    return false;
}

/// Returns the keys to open so that the module at a path is drawn open, including enclosing runs and modules. `path` can also be
/// a key of the picture ("layers.0…layers.14", "embed@1").
std::set<std::string> keysThatOpen(const Program& program, const std::string& path, const PictureOptions& options)
{
    std::set<std::string> keys = options.open;
    for (const NodeId id : program.rootGraph().nodes()) {
        if (!isWithin(program.stackOf(program.rootGraph()[id]), path))
            continue;
        keys = keysThatShow(program, program.root, id, options);
        std::erase_if(keys, [&](const std::string& key) { return key.starts_with(path + ".") && !options.open.contains(key); });
        break;
    }
    keys.insert(path);
    return keys;
}

/// Checks that all requested modules exist.
Result<void> checkOpen(const Program& program, const Picture& picture, const std::set<std::string>& expand)
{
    const auto isOpen = [&](const std::string& path) {
        return std::any_of(picture.items.begin(), picture.items.end(),
                           [&](const Item& item) { return item.kind == ItemKind::frame && item.key == path; });
    };
    const auto isModule = [&](const std::string& path) {
        const Graph& graph = program.rootGraph();
        for (const NodeId id : graph.nodes())
            if (isWithin(program.stackOf(graph[id]), path))
                return true;
        return false;
    };
    for (const std::string& path : expand)
        if (!isOpen(path) && !isModule(path))
            return fail(ErrorCode::usage, "--expand " + path + ": there is no such module in the picture");
    return {};
}

Result<std::vector<std::string>> writeFiles(const Invocation& invocation, const ScenePicture& scene, const PictureStyle& style,
                                            const PictureFiles& files)
{
    const auto count = static_cast<double>(files.parts.size());
    std::vector<std::string> paths;
    for (const PictureFiles::Part& part : files.parts) {
        SUNDER_PROPAGATE(invocation.monitor.check());
        const auto done = static_cast<double>(paths.size());
        SubProgress section(invocation.monitor, done / count, (done + 1) / count);
        section.report(0, "Painting");
        SUNDER_PROPAGATE(invocation.outputs.write(
            part.path, [&](const std::string& at) { return exportPicture(scene, style, at, part.options, section); }));
        paths.push_back(part.path);
    }
    if (!files.indexPath.empty()) {
        SUNDER_PROPAGATE(invocation.outputs.write(
            files.indexPath, [&](const std::string& at) { return writeFileAtomically(at, files.indexHtml); }));
        paths.push_back(files.indexPath);
    }
    return paths;
}

/// A picture, and the options that draw it again.
struct Made {
    std::shared_ptr<const Picture> picture;
    PictureOptions options;
};

/// Builds the picture. Without other options, returns the default view, which has already been built.
Result<Made> pictureOf(const Invocation& invocation, const Program& program, const DrawingOptions& options,
                       const LayoutEngine& engine)
{
    PictureOptions picture{.openAll = options.expandAll,
                           .deadNodes = options.showAssertions,
                           .textWidth = pictureTextWidth(),
                           .direction = options.direction,
                           .columns = {ColumnOptions::Setting::fit, kPageRoom}};
    if (!options.expandAll) {
        SUNDER_TRY(FirstSight first, firstSight(program, program.root, picture, engine, invocation.monitor));
        picture.open = std::move(first.open);
        picture.closed = std::move(first.closed);
        if (options.columns == 0 && options.expand.empty())
            return Made{std::make_shared<const Picture>(std::move(first.picture)), std::move(picture)};
    }
    if (options.columns > 0)
        picture.columns = {ColumnOptions::Setting::count, kPageRoom, options.columns};
    for (const std::string& expanded : options.expand)
        picture.open = keysThatOpen(program, expanded, picture);
    SUNDER_TRY(Picture made, buildPicture(program, program.root, picture, engine, invocation.monitor));
    return Made{std::make_shared<const Picture>(std::move(made)), std::move(picture)};
}

QString groupWord(ColorBy what)
{
    switch (what) {
    case ColorBy::op: return QStringLiteral("Operators");
    case ColorBy::module: return QStringLiteral("Outermost modules");
    case ColorBy::partition: return QStringLiteral("Partitions");
    case ColorBy::region: return QStringLiteral("Repeated regions");
    default: return QStringLiteral("Tags");
    }
}

/// Returns whether the groups that color the calls are parts of a cut.
bool isCut(ColorBy what, const TagAssignment& groups)
{
    const bool areTags = what != ColorBy::op && what != ColorBy::module && what != ColorBy::region && what != ColorBy::partition;
    return areTags && std::ranges::any_of(groups.tagOf, [](std::int32_t tag) { return tag >= 0; });
}

Result<DrawnFiles> writePage(const Invocation& invocation, const WebPage& page, const LayoutEngine& engine,
                             const std::string& path)
{
    SUNDER_TRY(const std::string html, webPage(page, engine, invocation.monitor));
    SUNDER_PROPAGATE(invocation.outputs.write(path, [&](const std::string& at) { return writeFileAtomically(at, html); }));
    return DrawnFiles{{path}};
}

} // namespace

Result<DrawnFiles> drawModel(const Invocation& invocation, const Program& program, const std::string& path,
                             const DrawingOptions& options)
{
    const bool isPage = isWebPage(path);
    SUNDER_TRY(const TagAssignment colors, colorsFor(invocation, program, options.colorBy));
    SUNDER_TRY(const Figures figures, figuresFor(invocation, program, options.colorBy, isPage));
    const OffscreenApplication application;
    const std::unique_ptr<LayoutEngine> engine = layoutEngine();
    SUNDER_TRY(const Made made,
               invocation.timer.measure("pass", [&] { return pictureOf(invocation, program, options, *engine); }));
    SUNDER_PROPAGATE(checkOpen(program, *made.picture, options.expand));
    PictureStyle style = styleFor(program, colors, options);
    style.costs = figures.colors;
    if (invocation.project.file)
        style.notes = pictureNotes(program.rootGraph(), invocation.project.file->notes);
    const auto write = [&]() -> Result<DrawnFiles> {
        if (!isPage) {
            const PictureFiles files = filesOfPicture(*made.picture, path, {.scale = options.scale});
            SUNDER_TRY(std::vector<std::string> written, writeFiles(invocation, ScenePicture(made.picture), style, files));
            return DrawnFiles{std::move(written), files.tileScale};
        }
        SUNDER_TRY(const PictureBodies bodies,
                   pictureBodies(program, program.root, made.picture, made.options, *engine, invocation.monitor));
        return writePage(invocation,
                         {.title = QFileInfo(QString::fromStdString(invocation.files[0])).fileName(),
                          .program = program,
                          .graph = program.rootGraph(),
                          .bodies = bodies,
                          .style = style,
                          .groups = groupWord(options.colorBy),
                          .costs = figures.all,
                          .cut = isCut(options.colorBy, colors) ? &colors : nullptr,
                          .isDark = options.dark},
                         *engine, path);
    };
    SUNDER_TRY(DrawnFiles drawn, invocation.timer.measure("write", write));
    if (const std::optional<CostColors>& costs = figures.colors)
        drawn.costs = {costs->figures, costLowText(*costs).toStdString(), costHighText(*costs).toStdString()};
    return drawn;
}

} // namespace sunder::cli
