#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "support/format.h"

#include <QJsonArray>

namespace sunder::cli {
namespace {

constexpr unsigned kMaxColumns = 1000;

void declareRender(QCommandLineParser& parser)
{
    parser.addOptions(
        {{QStringLiteral("expand"), QStringLiteral("Draw this module open. Repeatable."), QStringLiteral("PATH")},
         {QStringLiteral("expand-all"), QStringLiteral("Draw all modules open.")},
         {QStringLiteral("show-assertions"),
          QStringLiteral("Draw assertions and ops with unused results. By default, they are part of the op that they check.")},
         {QStringLiteral("columns"),
          QStringLiteral("Wrap a tall graph into N columns, 1 to 1000 (lines with --direction right). "
                         "auto (default) chooses the best fit."),
          QStringLiteral("N|auto"), QStringLiteral("auto")},
         {QStringLiteral("direction"), QStringLiteral("Direction of edges: down (default) or right."),
          QStringLiteral("down|right"), QStringLiteral("down")},
         {QStringLiteral("dark"), QStringLiteral("Use light colors on a dark background.")},
         {QStringLiteral("scale"), QStringLiteral("Pixels of a PNG per unit, 0.1 to 16. Default: 1."), QStringLiteral("FACTOR"),
          QStringLiteral("1")}});
    declareColors(parser);
}

Result<DrawingOptions> drawingOptions(const Invocation& invocation)
{
    DrawingOptions options{.expandAll = invocation.isSet("expand-all"),
                           .showAssertions = invocation.isSet("show-assertions"),
                           .dark = invocation.isSet("dark")};
    SUNDER_TRY(const ColorBy colorBy, colorByOf(invocation));
    options.colorBy = colorBy;
    bool isNumber = false;
    options.scale = invocation.options.value(QStringLiteral("scale")).toDouble(&isNumber);
    if (!isNumber || options.scale < 0.1 || options.scale > 16)
        return fail(ErrorCode::usage, "--scale takes a number from 0.1 to 16, not " + invocation.value("scale"));
    const std::string columns = invocation.value("columns");
    if (columns != "auto") {
        options.columns = invocation.options.value(QStringLiteral("columns")).toUInt(&isNumber);
        if (!isNumber || options.columns < 1 || options.columns > kMaxColumns)
            return fail(ErrorCode::usage, "--columns takes auto or a number from 1 to 1000, not " + columns);
    }
    const std::string direction = invocation.value("direction");
    if (direction != "down" && direction != "right")
        return fail(ErrorCode::usage, "--direction takes down or right, not " + direction);
    options.direction = direction == "right" ? FlowDirection::right : FlowDirection::down;
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
    Outcome outcome{.lines = {"wrote " + path}, .json = {{QStringLiteral("written"), text(path)}}};
    if (drawn.paths.size() > 1) {
        const std::size_t tiles = drawn.paths.size() - 2;
        const bool isSmaller = drawn.tileScale < options.scale;
        outcome.lines.front() += " at a reduced size, and " + formatCount(tiles, "tile") + " at --scale "
            + (isSmaller ? QString::number(drawn.tileScale, 'g', 2).toStdString() + ", the maximum" : invocation.value("scale"))
            + "; open " + drawn.paths.back();
        QJsonArray files;
        for (const std::string& file : drawn.paths)
            files.append(text(file));
        outcome.json[QStringLiteral("files")] = files;
    }
    return outcome;
}

} // namespace

Command renderCommand()
{
    return {"render", "IN OUT", "Draw a model as SVG, PNG, or PDF.", declareRender, runRender, "tags partitions", "", "expand"};
}

} // namespace sunder::cli
