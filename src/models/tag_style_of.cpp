#include "models/tag_style_of.h"

#include "support/format.h"

#include <QGuiApplication>
#include <QPalette>

namespace sunder {

const Theme& currentTheme()
{
    const QColor window = QGuiApplication::palette().color(QPalette::Window);
    return theme(window.lightness() < 128);
}

std::vector<TagLook> tagLooksOf(const Document& document, const Theme& theme)
{
    QStringList names;
    for (int tag = 0; tag < document.tagCount(); ++tag)
        names += document.tagName(tag);
    const QStringList codes = tagCodes(names);
    std::vector<TagLook> looks;
    looks.reserve(document.tagColors().size());
    for (std::size_t i = 0; i < document.tagColors().size(); ++i) {
        const TagColor& color = document.tagColors()[i];
        const auto at = static_cast<qsizetype>(i);
        looks.push_back({names[at], codes[at],
                         color.own.isValid() ? tagStyle(theme, color.own) : tagStyle(theme, color.hue)});
    }
    return looks;
}

PictureStyle pictureStyleOf(const Document& document, const Theme& theme)
{
    PictureStyle style;
    style.theme = &theme;
    if (!document.isOpen())
        return style;
    style.tags = tagLooksOf(document, theme);
    style.tagOf = tagTable(document.graph(), document.tags());
    style.nodeBytes = document.snapshot()->sizes.parameterBytes;
    style.selected = NodeSet(document.selection().source);
    const TagReport& report = document.report();
    if (report.untagged.size() < document.snapshot()->callCount) // before the first stroke nothing is wrong yet
        style.marked = NodeSet(report.untagged);
    style.backward = backwardMarks(report, style.tags);
    for (BackwardMark& mark : style.backward)
        mark.detail += mark.detail.isEmpty() ? QObject::tr("repairs ▾") : QObject::tr(" · repairs ▾");
    return style;
}

} // namespace sunder
