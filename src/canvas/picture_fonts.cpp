#include "canvas/picture_fonts.h"

#include "text/shown_text.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QString>

#include <array>
#include <memory>

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

} // namespace sunder
