#include "canvas/palette.h"

#include "analysis/tag_palette.h"
#include "analysis/training/backward_tags.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kTintShare = 0.13;

QColor rgb(QRgb value)
{
    return QColor(value);
}

/// The named tag colors of files are those of the light theme.
std::array<QColor, kTagPalette.size()> paletteOfFiles()
{
    std::array<QColor, kTagPalette.size()> colors;
    for (std::size_t i = 0; i < colors.size(); ++i)
        colors[i] = QColor(QString::fromLatin1(kTagPalette[i].data(), static_cast<qsizetype>(kTagPalette[i].size())));
    return colors;
}

Theme lightTheme()
{
    return {.dark = false,
            .window = rgb(0xf3f4f6),
            .panel = rgb(0xffffff),
            .canvas = rgb(0xfafbfc),
            .line = rgb(0xd9dce1),
            .soft = rgb(0xeceef1),
            .node = rgb(0xffffff),
            .text = rgb(0x1d2127),
            .dim = rgb(0x5a6473),
            .faint = rgb(0x98a1ae),
            .edge = rgb(0x788190),
            .selection = rgb(0x2f6feb),
            .error = rgb(0xbd1b2a),
            .warning = rgb(0x855900),
            .proven = rgb(0x0f6f48),
            .producer = rgb(0x0b7285),
            .consumer = rgb(0xb3541e),
            .tags = paletteOfFiles()};
}

Theme darkTheme()
{
    return {.dark = true,
            .window = rgb(0x1a1d21),
            .panel = rgb(0x1e2126),
            .canvas = rgb(0x17191d),
            .line = rgb(0x343941),
            .soft = rgb(0x272b31),
            .node = rgb(0x23272d),
            .text = rgb(0xe6e9ee),
            .dim = rgb(0x9aa4b2),
            .faint = rgb(0x6b7482),
            .edge = rgb(0x707988),
            .selection = rgb(0x6ea0ff),
            .error = rgb(0xff7575),
            .warning = rgb(0xf5bb1d),
            .proven = rgb(0x2fb67c),
            .producer = rgb(0x4cc9e0),
            .consumer = rgb(0xff9f5a),
            .tags = {rgb(0x5647f8), rgb(0x0a754a), rgb(0xe10252), rgb(0xc8d701), rgb(0x9d8cfe), rgb(0x40e4bb), rgb(0xa34280),
                     rgb(0xe9baea)}};
}

/// Returns the relative luminance as defined by WCAG 2.
double luminance(const QColor& color)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QPixmap patternTile(const TagStyle& style, const Theme& theme)
{
    constexpr int kSide = 6;
    QPixmap tile(kSide, kSide);
    tile.fill(style.color);
    QPainter painter(&tile);
    const QColor gap = mixed(style.color, theme.canvas, 0.8);
    switch (style.pattern) {
    case TagPattern::solid: break;
    case TagPattern::diagonal:
    case TagPattern::backDiagonal:
        for (int i = 0; i < kSide; ++i) {
            const int x = style.pattern == TagPattern::diagonal ? i : kSide - 1 - i;
            painter.fillRect(x, kSide - 1 - i, 1, 1, gap);
            painter.fillRect((x + 1) % kSide, kSide - 1 - i, 1, 1, gap);
        }
        break;
    case TagPattern::dots: painter.fillRect(1, 1, 3, 3, gap); break;
    case TagPattern::bars: painter.fillRect(0, 2, kSide, 2, gap); break;
    }
    return tile;
}

} // namespace

const Theme& theme(bool dark)
{
    static const Theme kLight = lightTheme();
    static const Theme kDark = darkTheme();
    return dark ? kDark : kLight;
}

TagStyle tagStyle(const Theme& theme, std::size_t index)
{
    TagStyle style = tagStyle(theme, theme.tags[index % theme.tags.size()]);
    const std::size_t round = index / theme.tags.size();
    if (round > 0)
        style.pattern = static_cast<TagPattern>(1 + (round - 1) % 4);
    return style;
}

TagStyle tagStyle(const Theme& theme, const QColor& color)
{
    const QColor tint = mixed(theme.node, color, kTintShare);
    return {.color = color, .text = readable(color, tint), .tint = tint, .dim = readable(theme.dim, tint)};
}

TagStyle faintStyle(const Theme& theme)
{
    return {.color = mixed(theme.canvas, theme.edge, 0.25),
            .text = theme.faint,
            .tint = mixed(theme.canvas, theme.node, 0.5),
            .dim = theme.faint,
            .title = theme.faint};
}

QBrush tagBrush(const TagStyle& style, const Theme& theme)
{
    if (style.pattern == TagPattern::solid)
        return style.color;
    return patternTile(style, theme);
}

QBrush tagBrush(const TagStyle& style, const Theme& theme, const QPainter& painter)
{
    const bool hasTiles = painter.paintEngine()->type() != QPaintEngine::SVG;
    return hasTiles ? tagBrush(style, theme) : QBrush(style.color);
}

QString tagCode(const QString& tagName)
{
    QString letters;
    QString digits;
    bool wordStart = true;
    for (const QChar c : tagName) {
        if (c.isDigit()) {
            digits += c;
        } else if (c.isLetter()) {
            if (wordStart || (c.isUpper() && !letters.isEmpty()))
                letters += c.toUpper();
            digits.clear();
        }
        wordStart = !c.isLetterOrNumber();
    }
    if (static const QString kSubmodule = QStringLiteral("submod_");
        tagName.startsWith(kSubmodule) && !digits.isEmpty() && tagName.size() == kSubmodule.size() + digits.size())
        letters = QStringLiteral("P"); // a part numbered by PyTorch; S is common for tags
    const qsizetype room = std::max<qsizetype>(0, 3 - digits.size());
    const QString code = letters.left(room) + digits.right(3);
    return code.isEmpty() ? QStringLiteral("?") : code;
}

QStringList tagCodes(const QStringList& tagNames, const QStringList& chosen)
{
    QStringList codes;
    QSet<QString> used(chosen.begin(), chosen.end());
    std::vector<InternedString> names;
    for (const QString& name : tagNames)
        names.push_back(intern(name.toStdString()));
    const std::vector<std::int32_t> forward = forwardTags(names);
    for (const QString& name : tagNames) {
        QString code = chosen.value(codes.size());
        if (!code.isEmpty()) {
            codes += code;
            continue;
        }
        const std::int32_t of = forward[static_cast<std::size_t>(codes.size())];
        code = of >= 0 && of < codes.size() ? codes[of].left(2) + QLatin1Char('B') : tagCode(name);
        const QString letter = code.at(0).isLetter() ? code.left(1) : QStringLiteral("T");
        for (qsizetype number = codes.size(); used.contains(code); ++number)
            code = letter + QString::number(number);
        used.insert(code);
        codes += code;
    }
    return codes;
}

QColor selectedRow(const Theme& theme)
{
    return mixed(theme.panel, theme.selection, 0.16);
}

QColor activeRow(const Theme& theme, const QColor& tag)
{
    return mixed(theme.panel, tag, 0.14);
}

QColor rowGround(const Theme& theme, bool isSelected, bool isHovered)
{
    return isSelected ? selectedRow(theme) : isHovered ? theme.soft : theme.panel;
}

QColor frameGround(const Theme& theme, std::uint32_t depth)
{
    return mixed(theme.canvas, theme.selection, std::min(0.03 + 0.025 * depth, 0.16));
}

QColor cutEdgeColor(const Theme& theme)
{
    return readable(mixed(theme.canvas, theme.edge, 0.7), theme.canvas, 3);
}

QColor mixed(const QColor& under, const QColor& over, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue())};
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor readable(const QColor& color, const QColor& background, double ratio)
{
    const QColor end = luminance(background) > 0.18 ? Qt::black : Qt::white;
    for (int step = 0; step <= 50; ++step)
        if (const QColor shade = mixed(color, end, step / 50.0); contrast(shade, background) >= ratio)
            return shade;
    return end;
}

} // namespace sunder
