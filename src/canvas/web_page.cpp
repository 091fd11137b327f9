// The page: colors of both themes, the legend, totals, and the texts around the bodies.
#include "canvas/web_page.h"

#include "canvas/web_page_data.h"
#include "support/format.h"
#include "support/text.h"
#include "text/shown_text.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <cmath>

/// Q_INIT_RESOURCE must be used outside namespaces.
static void initPageResources()
{
    Q_INIT_RESOURCE(page);
}

namespace sunder {
namespace webpage {

std::uint32_t Texts::operator()(std::string_view text, Lines lines)
{
    std::string shown = visibleText(text, lines);
    const auto [at, isNew] = m_indices.emplace(std::move(shown), static_cast<std::uint32_t>(m_all.size()));
    if (isNew)
        m_all.push_back(at->first);
    return at->second;
}

int costStep(const CostColors& costs, const CostFigure& figure)
{
    if (!figure.isKnown())
        return kCostSteps + (figure.uncounted > 0 ? 1 : 2);
    if (figure.value == 0 && costs.scale.isLogarithmic)
        return kCostSteps;
    return std::clamp(static_cast<int>(std::lround(costs.scale.at(figure.value) * (kCostSteps - 1))), 0, kCostSteps - 1);
}

namespace {

constexpr std::uint32_t kDepths = 6; ///< frames with different grounds
constexpr double kTitleContrast = 9; ///< of titles on colors of costs

std::string hex(const QColor& color)
{
    return color.name().toStdString();
}

QString resource(const char* name)
{
    initPageResources();
    QFile file(QStringLiteral(":/page/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Returns the style of a tag in another theme.
TagStyle styleIn(const TagStyle& style, const Theme& from, const Theme& to)
{
    const auto* const hue = std::ranges::find(from.tags, style.color);
    TagStyle other = tagStyle(to,
                              hue == from.tags.end() ? style.color : to.tags[static_cast<std::size_t>(hue - from.tags.begin())]);
    other.pattern = style.pattern;
    return other;
}

void writeTheme(const WebPage& page, const Theme& theme, JsonWriter& json)
{
    const auto color = [&](const char* name, const QColor& value) { json.member(name, hex(value)); };
    json.object([&] {
        color("window", theme.window);
        color("panel", theme.panel);
        color("canvas", theme.canvas);
        color("line", theme.line);
        color("soft", theme.soft);
        color("node", theme.node);
        color("text", theme.text);
        color("dim", theme.dim);
        color("faint", theme.faint);
        color("edge", theme.edge);
        color("cut", cutEdgeColor(theme));
        color("selection", theme.selection);
        color("row", selectedRow(theme));
        color("link", readable(theme.selection, theme.node));
        color("error", theme.error);
        color("warning", theme.warning);
        color("producer", theme.producer);
        color("consumer", theme.consumer);
        color("stack", mixed(theme.line, theme.edge, 0.35));
        color("under", mixed(theme.canvas, mixed(theme.line, theme.edge, 0.35), theme.dark ? 0.35 : 0.3));
        color("frame", mixed(theme.line, theme.selection, theme.dark ? 0.12 : 0.16));
        color("untagged", mixed(theme.line, theme.edge, 0.45));
        color("note", mixed(theme.panel, theme.warning, 0.14));
        for (std::uint32_t depth = 0; depth < kDepths; ++depth)
            color(("depth" + std::to_string(depth)).c_str(), frameGround(theme, depth));
        json.key("tags");
        json.list(page.style.tags, [&](const TagLook& look) {
            const TagStyle style = styleIn(look.style, *page.style.theme, theme);
            json.value(std::array{hex(style.color), hex(style.text), hex(style.tint), hex(style.dim),
                                  hex(readable(style.color, theme.node)), hex(mixed(theme.line, style.color, 0.22))});
        });
        if (!page.style.costs)
            return;
        const CostColors& costs = *page.style.costs;
        std::vector<QColor> fills;
        fills.reserve(kCostSteps + 3);
        for (int step = 0; step < kCostSteps; ++step)
            fills.push_back(costColor(theme, static_cast<double>(step) / (kCostSteps - 1)));
        fills.push_back(theme.node);
        fills.push_back(costFill(costs, {.uncounted = 1}, theme));
        fills.push_back(costFill(costs, {.unknown = 1}, theme));
        json.key("costs");
        json.list(fills, [&](const QColor& fill) {
            json.value(std::array{hex(fill), hex(mixed(fill, theme.edge, 0.35)), hex(readable(theme.text, fill, kTitleContrast)),
                                  hex(readable(theme.dim, fill))});
        });
    });
}

/// Writes the groups that color the picture, with their ops.
void writeGroups(const WebPage& page, JsonWriter& json)
{
    std::vector<std::uint64_t> ops(page.style.tags.size() + 1);
    for (const NodeId node : page.graph.nodes()) {
        const auto within = page.style.within.find(node);
        if (within != page.style.within.end()) {
            for (const TagOps& share : within->second)
                ops[share.tag < 0 ? ops.size() - 1 : static_cast<std::size_t>(share.tag)] += share.ops;
        } else if (const std::int32_t tag = page.style.tag(node); tag != PictureStyle::kTakesNoTag) {
            ops[tag < 0 ? ops.size() - 1 : static_cast<std::size_t>(tag)] += 1;
        }
    }
    json.member("groups", page.groups.toStdString());
    json.key("tags");
    std::size_t index = 0;
    json.list(page.style.tags, [&](const TagLook& look) {
        json.object([&] {
            json.member("name", visibleText(look.name.toStdString()));
            json.member("code", visibleText(look.code.toStdString()));
            json.member("ops", ops[index++]);
            if (look.style.pattern != TagPattern::solid)
                json.member("pattern", static_cast<int>(look.style.pattern));
        });
    });
    json.member("untagged", ops.back());
}

void writeScale(const CostColors& costs, JsonWriter& json)
{
    json.key("scale");
    json.object([&] {
        json.member("name", visibleText(costs.figures->name));
        json.member("low", costLowText(costs).toStdString());
        json.member("high", costHighText(costs).toStdString());
        json.member("text", costScaleText(costs).toStdString());
        json.member("zero", costs.scale.isLogarithmic);
        json.member("uncounted", costs.figures->total.uncounted);
        json.member("unknown", costs.figures->total.unknown);
    });
}

/// Returns the totals of the model: "1,204 ops", "98.0 MB of weights", "4.1 GFLOP".
std::vector<std::string> totalsOf(const WebPage& page)
{
    const Picture& picture = *page.bodies.pictures.front();
    std::uint64_t ops = 0;
    std::uint64_t bytes = 0;
    for (const NodeId node : page.graph.nodes())
        ops += page.graph[node].isCall() ? 1 : 0;
    for (const Item& item : picture.items)
        bytes += item.parent ? 0 : item.bytes;
    std::vector<std::string> totals{formatCount(ops, "op")};
    if (bytes > 0)
        totals.push_back(formatBytes(bytes) + " of weights");
    for (const CostFiguresPtr& figures : page.costs)
        if (figures->total.isKnown())
            totals.push_back(describe(*figures, figures->total) + (figures->unit == CostUnit::byte ? " moved" : ""));
    return totals;
}

Result<std::string> dataOf(const WebPage& page, const LayoutEngine& engine, ProgressMonitor& monitor)
{
    JsonWriter json(0);
    Texts texts;
    json.beginObject();
    json.member("title", visibleText(page.title.toStdString()));
    json.member("totals", totalsOf(page));
    json.member("dark", page.isDark);
    json.member("right", page.bodies.pictures.front()->direction == FlowDirection::right);
    json.key("light");
    writeTheme(page, theme(false), json);
    json.key("night");
    writeTheme(page, theme(true), json);
    writeGroups(page, json);
    if (page.style.costs)
        writeScale(*page.style.costs, json);
    SUNDER_PROPAGATE(writeBodies(page, texts, json, monitor));
    if (page.cut != nullptr)
        SUNDER_PROPAGATE(writeCut(page, engine, json, monitor));
    json.member("texts", texts.all());
    json.endObject();
    return json.takeRaw();
}

} // namespace
} // namespace webpage

Result<std::string> webPage(const WebPage& page, const LayoutEngine& engine, ProgressMonitor& monitor)
{
    SUNDER_TRY(const std::string data, webpage::dataOf(page, engine, monitor));
    std::string escaped; // "<" would end the element that holds the data
    escaped.reserve(data.size());
    for (const char c : data) {
        if (c == '<')
            escaped += "\\u003c";
        else
            escaped += c;
    }
    const QString frame = webpage::resource("page.html");
    QString html;
    qsizetype at = 0;
    while (at < frame.size()) { // <!--name-->: a piece
        const qsizetype begin = frame.indexOf(QLatin1String("<!--"), at);
        const qsizetype end = begin < 0 ? begin : frame.indexOf(QLatin1String("-->"), begin);
        html += frame.mid(at, begin < 0 ? -1 : begin - at);
        if (end < 0)
            break;
        const QString name = frame.mid(begin + 4, end - begin - 4);
        html += name == QLatin1String("title") ? visible(page.title).toHtmlEscaped()
            : name == QLatin1String("data")    ? QString::fromStdString(escaped)
                                               : webpage::resource(name.toLatin1().constData());
        at = end + 3;
    }
    return html.toStdString();
}

} // namespace sunder
