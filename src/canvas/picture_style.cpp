#include "canvas/picture_style.h"

#include "analysis/sizes.h"
#include "analysis/tag_palette.h"
#include "support/format.h"
#include "text/shown_text.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QString>
#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

namespace sunder {
namespace {

QFont scaledFont(const QFont& base, double pixels, QFont::Weight weight)
{
    QFont font(base);
    font.setPixelSize(static_cast<int>(pixels * PictureFonts::kFontUnits + 0.5));
    font.setWeight(weight);
    // Hinting would round widths differently at each zoom, and widths must not depend on it.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

PictureFonts makeFonts()
{
    const QFont ui = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setStyleHint(QFont::Monospace);
    return {.title = scaledFont(ui, 11, QFont::DemiBold),
            .frame = scaledFont(ui, 11, QFont::DemiBold),
            .mono = scaledFont(mono, 9.5, QFont::Normal),
            .detail = scaledFont(ui, 9.5, QFont::Normal),
            .code = scaledFont(ui, 9.5, QFont::Bold),
            .chip = scaledFont(mono, 9.5, QFont::Normal)};
}

} // namespace

double logicalPixelSize(const QFont& font)
{
    return font.pixelSize() / PictureFonts::kFontUnits;
}

const PictureFonts& pictureFonts()
{
    static const PictureFonts kFonts = makeFonts();
    return kFonts;
}

TextWidth pictureTextWidth()
{
    const PictureFonts& fonts = pictureFonts();
    const auto metrics = std::make_shared<std::array<QFontMetricsF, 3>>(
        std::array{QFontMetricsF(fonts.title), QFontMetricsF(fonts.mono), QFontMetricsF(fonts.chip)});
    return [metrics](std::string_view text, TextRole role) {
        const QString string = sunder::text(text);
        return static_cast<float>((*metrics)[static_cast<std::size_t>(role)].horizontalAdvance(string)
                                  / PictureFonts::kFontUnits);
    };
}

namespace {

QString wordOf(OrderReason reason)
{
    switch (reason) {
    case OrderReason::memory: return QStringLiteral("writes in place");
    case OrderReason::random: return QStringLiteral("random numbers");
    case OrderReason::effects: return QStringLiteral("effects");
    case OrderReason::state: break;
    }
    return QStringLiteral("autocast, grad mode");
}

} // namespace

std::vector<TagLook> tagLooks(const Theme& theme, const std::vector<InternedString>& order,
                              const std::vector<std::pair<InternedString, InternedString>>& colors)
{
    std::unordered_map<std::string_view, std::string_view> colorOf;
    for (const auto& [tag, color] : colors)
        colorOf[tag.view()] = color.view();
    QStringList names;
    for (const InternedString tag : order)
        names += text(tag.view());
    const QStringList codes = tagCodes(names);
    std::vector<TagLook> looks;
    looks.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto found = colorOf.find(order[i].view());
        const std::string_view given = found == colorOf.end() ? std::string_view() : found->second;
        const QColor own(QString::fromUtf8(given.data(), static_cast<qsizetype>(given.size())));
        const auto at = static_cast<qsizetype>(i);
        const TagStyle style = hueOfColor(given) ? tagStyle(theme, *hueOfColor(given))
            : own.isValid()                      ? tagStyle(theme, QColor(own.rgb()))
                                                 : tagStyle(theme, i);
        looks.push_back({names[at], codes[at], style});
    }
    return looks;
}

std::vector<std::int32_t> tagTable(const Graph& graph, const TagAssignment& tags)
{
    std::vector<std::int32_t> table(graph.idBound(), PictureStyle::kTakesNoTag);
    for (const NodeId node : graph.nodes())
        if (graph[node].isCall())
            table[node.index()] = tags[node];
    return table;
}

std::vector<BackwardMark> backwardMarks(const TagReport& report, const std::vector<TagLook>& tags, std::size_t limit)
{
    const auto code = [&tags](std::int32_t tag) {
        const TagLook* look = lookOfTag(tags, tag);
        return look != nullptr ? look->code : QStringLiteral("?");
    };
    std::vector<BackwardMark> marks;
    for (const BackwardEdge& edge : report.backward) {
        if (marks.size() == limit)
            break;
        marks.push_back({edge.producer, edge.consumer,
                         QStringLiteral("%1 → %2 runs backward").arg(code(edge.producerTag), code(edge.consumerTag)),
                         edge.bytes == 0 ? QString() : QString::fromStdString(formatBytes(edge.bytes))});
    }
    for (const BrokenOrder& broken : report.orders) {
        if (marks.size() == limit)
            break;
        marks.push_back({broken.order.before, broken.order.after,
                         QStringLiteral("%1 must run before %2").arg(code(broken.beforeTag), code(broken.afterTag)),
                         wordOf(broken.order.reason)});
    }
    return marks;
}

PictureStyle pictureStyle(const Program& program, const TagAssignment& tags, const TagReport* report, const Theme& theme)
{
    using Colors = std::vector<std::pair<InternedString, InternedString>>;
    PictureStyle style;
    style.theme = &theme;
    style.tags = tagLooks(theme, tags.order, program.tags ? program.tags->colors : Colors());
    style.tagOf = tagTable(program.rootGraph(), tags);
    style.nodeBytes = programSizes(program).parameterBytes;
    const bool anyTagged = std::any_of(style.tagOf.begin(), style.tagOf.end(), [](std::int32_t tag) { return tag >= 0; });
    if (report != nullptr && anyTagged) {
        const auto takes = [](std::int32_t tag) { return tag != PictureStyle::kTakesNoTag; };
        const auto calls = static_cast<std::size_t>(std::ranges::count_if(style.tagOf, takes));
        if (untaggedStandOut(*report, calls))
            style.marked = NodeSet(report->untagged);
        style.backward = backwardMarks(*report, style.tags);
    }
    return style;
}

} // namespace sunder
