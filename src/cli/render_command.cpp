#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "cli/pass_switches.h"
#include "cli/timed_costs.h"
#include "support/format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sunder::cli {
namespace {

constexpr CommandOption kRenderOptions[] = {
    CommandOption{Takes::text, "expand", "PATH", "Draw this module open."}.repeatable(),
    flag("expand-all", "Draw all modules open."),
    flag("show-assertions", "Draw assertions and ops with unused results. By default, they are part of the op that they check."),
    CommandOption{
        Takes::number, "columns", "N|auto",
        "Wrap a tall graph into N columns, 1 to 1000 (lines with --direction right). auto (default) chooses the best fit."}
        .usually("auto")
        .between(1, 1000),
    CommandOption{Takes::word, "direction", "down|right", "Direction of edges: down (default) or right."}.usually("down"),
    flag("dark", "Use light colors on a dark background."),
    CommandOption{Takes::decimal, "scale", "FACTOR", "Pixels of a PNG per unit, 0.1 to 16. Default: 1."}.usually("1").between(0.1,
                                                                                                                              16),
};

constexpr std::array<std::pair<std::string_view, ColorBy>, 9> kColorWords{{{"tag", ColorBy::tag},
                                                                           {"op", ColorBy::op},
                                                                           {"module", ColorBy::module},
                                                                           {"partition", ColorBy::partition},
                                                                           {"region", ColorBy::region},
                                                                           {"flops", ColorBy::flops},
                                                                           {"bytes", ColorBy::bytes},
                                                                           {"seconds", ColorBy::seconds},
                                                                           {"data", ColorBy::data}}};

/// Refuses options that do not apply to this coloring, since ignoring them would produce a misleading picture.
/// A web page has costs whatever its colors are.
Result<void> checkHeard(const Invocation& invocation, ColorBy what)
{
    const auto only = [&](const char* option, ColorBy meaning, const char* word) -> Result<void> {
        if (!invocation.isSet(option) || what == meaning)
            return {};
        return fail(ErrorCode::usage, "--" + std::string(option) + " needs --color-by " + word);
    };
    if (what == ColorBy::partition && !invocation.isSet("partitions"))
        return fail(ErrorCode::usage, "--color-by partition needs --partitions PARTITIONS.json");
    SUNDER_PROPAGATE(only("partitions", ColorBy::partition, "partition"));
    if (!isWebPage(invocation.files[1])) {
        for (const char* option : {"devices", "device", "costs"})
            SUNDER_PROPAGATE(only(option, ColorBy::seconds, "seconds"));
    }
    if (what == ColorBy::seconds && !invocation.isSet("devices") && !invocation.isSet("costs"))
        return fail(ErrorCode::usage, "--color-by seconds needs --devices or --costs");
    if (what == ColorBy::data && !invocation.isSet("node-data"))
        return fail(ErrorCode::usage, "--color-by data needs --node-data DATA.json");
    SUNDER_PROPAGATE(only("node-data", ColorBy::data, "data"));
    SUNDER_PROPAGATE(only("key", ColorBy::region, "region"));
    return only("as-upstream", ColorBy::region, "region");
}

/// Parses --color-by. Refuses missing options, and options that do not apply.
Result<ColorBy> colorByOf(const Invocation& invocation)
{
    const std::string word = invocation.value("color-by");
    const ColorBy what = std::ranges::find(kColorWords, word, &std::pair<std::string_view, ColorBy>::first)->second;
    SUNDER_PROPAGATE(checkHeard(invocation, what));
    return what;
}

/// --color-by and the options for partitions, regions, and costs.
std::vector<CommandOption> colorOptions()
{
    static constexpr CommandOption kOptions[] = {
        CommandOption{Takes::word, "color-by", "tag|op|module|partition|region|flops|bytes|seconds|data",
                      "Meaning of colors: tag (default), op, module, partition (see --partitions), region (group of repeated "
                      "regions), a cost on a logarithmic scale, or data (see --node-data). A module has the sum of its ops."}
            .usually("tag"),
        {Takes::input, "tags", "TAGS.json", "Tags for colors, instead of those in the model."},
        {Takes::input, "partitions", "PARTITIONS.json",
         "With --color-by partition: partition of each node, a number or a string."},
        {Takes::input, "node-data", "DATA.json", "With --color-by data: a number per node, as node data of Model Explorer."},
    };
    return joined({kOptions, timedCostsOptions(), passSwitches<RegionOptions>()});
}

Result<DrawingOptions> drawingOptions(const Invocation& invocation)
{
    DrawingOptions options{.expandAll = invocation.isSet("expand-all"),
                           .showAssertions = invocation.isSet("show-assertions"),
                           .dark = invocation.isSet("dark")};
    SUNDER_TRY(const ColorBy colorBy, colorByOf(invocation));
    options.colorBy = colorBy;
    options.scale = invocation.options.value(QStringLiteral("scale")).toDouble();
    options.columns = invocation.number("columns"); // 0 for auto
    options.direction = invocation.value("direction") == "right" ? FlowDirection::right : FlowDirection::down;
    for (const QString& path : invocation.options.values(QStringLiteral("expand")))
        options.expand.insert(path.toStdString());
    return options;
}

Result<Outcome> runRender(const Invocation& invocation)
{
    SUNDER_TRY(const DrawingOptions options, drawingOptions(invocation));
    const std::string& path = invocation.files[1];
    if (!isPicture(path) && !isWebPage(path))
        return fail(ErrorCode::usage, "render writes .svg, .png, .pdf, or .html, not " + path);
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const Drawing* const drawing, drawingOf(invocation));
    SUNDER_TRY(const DrawnFiles drawn, drawing->model(invocation, program, path, options));
    Outcome outcome{.lines = {"wrote " + path}};
    outcome.json.member("written", path);
    if (drawn.costs) {
        const CostFigures& figures = *drawn.costs->figures;
        outcome.say("colors: " + figures.name + " from " + drawn.costs->lowText + " to " + drawn.costs->highText
                    + ", the whole model; modules have the sum of their ops");
        if (figures.total.uncounted > 0)
            outcome.say(formatCount(figures.total.uncounted, "op") + " not counted");
        if (figures.total.unknown > 0)
            outcome.say(formatCount(figures.total.unknown, "op") + " without a value");
        outcome.json.key("scale");
        outcome.json.object([&] {
            const CostScale scale = scaleOf(figures);
            outcome.json.member("figure", invocation.value("color-by"));
            outcome.json.key("low");
            outcome.json.figure(scale.low);
            outcome.json.key("high");
            outcome.json.figure(scale.high);
            outcome.json.member("not_counted", figures.total.uncounted);
            outcome.json.member("without_value", figures.total.unknown);
        });
    }
    if (drawn.paths.size() > 1) {
        const std::size_t tiles = drawn.paths.size() - 2;
        const bool isSmaller = drawn.tileScale < options.scale;
        outcome.lines.front() += " at a reduced size, and " + formatCount(tiles, "tile") + " at --scale "
            + (isSmaller ? QString::number(drawn.tileScale, 'g', 2).toStdString() + ", the maximum" : invocation.value("scale"))
            + "; open " + drawn.paths.back();
        outcome.json.member("files", drawn.paths);
    }
    return outcome;
}

} // namespace

bool isPicture(std::string_view path)
{
    return hasSuffix(path, {".svg", ".png", ".pdf"});
}

bool isWebPage(std::string_view path)
{
    return hasSuffix(path, {".html"});
}

Result<const Drawing*> drawingOf(const Invocation& invocation)
{
    if (!invocation.drawing)
        return fail(ErrorCode::usage, "this program draws no pictures: the program sunder-draw does");
    return invocation.drawing;
}

Command renderCommand()
{
    return {"render", "IN OUT", "Draw a model as SVG, PNG, PDF, or an interactive web page.",
            joined({kRenderOptions, colorOptions()}), runRender};
}

} // namespace sunder::cli
