#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "support/format.h"

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
    if (!hasSuffix(path, {".svg", ".png", ".pdf"}))
        return fail(ErrorCode::usage, "render writes .svg, .png, or .pdf, not " + path);
    SUNDER_TRY(const Program program, readInput(invocation, invocation.files[0]));
    SUNDER_TRY(const DrawnFiles drawn, draw(invocation, program, path, options));
    Outcome outcome{.lines = {"wrote " + path}};
    outcome.json.member("written", path);
    if (drawn.costs) {
        const CostFigures& figures = *drawn.costs->figures;
        outcome.say("colors: " + figures.name + " from " + costLowText(*drawn.costs).toStdString() + " to "
                    + costHighText(*drawn.costs).toStdString() + ", the whole model; modules have the sum of their ops");
        if (figures.total.uncounted > 0)
            outcome.say(formatCount(figures.total.uncounted, "op") + " not counted");
        if (figures.total.unknown > 0)
            outcome.say(formatCount(figures.total.unknown, "op") + " without a value");
        outcome.json.key("scale");
        outcome.json.object([&] {
            outcome.json.member("figure", invocation.value("color-by"));
            outcome.json.key("low");
            outcome.json.figure(drawn.costs->scale.low);
            outcome.json.key("high");
            outcome.json.figure(drawn.costs->scale.high);
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

Command renderCommand()
{
    return {"render", "IN OUT", "Draw a model as SVG, PNG, or PDF.", joined({kRenderOptions, colorOptions()}), runRender};
}

} // namespace sunder::cli
