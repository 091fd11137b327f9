#include "app/style_sheet.h"

#include "models/themed_icon.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>

namespace sunder {
namespace {

/// Returns the colors by their names in the style sheet.
QHash<QString, QString> colorsOf(const Theme& theme)
{
    const bool lightSelection = contrast(QColor(Qt::white), theme.selection) < 4;
    const QColor onSelection = lightSelection ? QColor(0x11, 0x14, 0x18) : QColor(Qt::white);
    return {
        {QStringLiteral("selectionhover"), mixed(theme.selection, theme.text, 0.12).name()},
        {QStringLiteral("onselection"), onSelection.name()},
        {QStringLiteral("selection"), theme.selection.name()},
        {QStringLiteral("highlight"), selectedRow(theme).name()},
        {QStringLiteral("window"), theme.window.name()},
        {QStringLiteral("canvas"), theme.canvas.name()},
        {QStringLiteral("panel"), theme.panel.name()},
        {QStringLiteral("line"), theme.line.name()},
        {QStringLiteral("soft"), theme.soft.name()},
        {QStringLiteral("text"), theme.text.name()},
        {QStringLiteral("dim"), theme.dim.name()},
        {QStringLiteral("faint"), theme.faint.name()},
        {QStringLiteral("field"), mixed(theme.faint, theme.dim, 0.5).name()}, // contrast of 3:1 on windows and panels
        {QStringLiteral("warning"), theme.warning.name()},
        {QStringLiteral("error"), theme.error.name()},
        {QStringLiteral("proven"), theme.proven.name()},
        {QStringLiteral("look"), theme.dark ? QStringLiteral("dark") : QStringLiteral("light")},
    };
}

/// Returns the style sheet with color names, without comments.
const QString& writtenSheet()
{
    static const QString sheet = [] {
        loadResources();
        QFile file(QStringLiteral(":/themes/sunder.qss"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("the style sheet resource is missing");
        static const QRegularExpression comment(QStringLiteral("/\\*.*?\\*/"), QRegularExpression::DotMatchesEverythingOption);
        return QString::fromUtf8(file.readAll()).remove(comment);
    }();
    return sheet;
}

} // namespace

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.soft);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.dim);
    palette.setColor(QPalette::Button, theme.soft);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.error);
    palette.setColor(QPalette::ToolTipBase, theme.panel);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, readable(theme.selection, selectedRow(theme)));
    palette.setColor(QPalette::LinkVisited, palette.color(QPalette::Link));
    palette.setColor(QPalette::Light, theme.panel);
    palette.setColor(QPalette::Midlight, theme.soft);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Dark, theme.line);
    palette.setColor(QPalette::Shadow, mixed(theme.line, QColor(Qt::black), 0.4));
    palette.setColor(QPalette::Highlight, selectedRow(theme));
    palette.setColor(QPalette::HighlightedText, theme.text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, theme.faint);
    return palette;
}

QString styleSheetOf(const Theme& theme)
{
    static const QRegularExpression name(QStringLiteral("@([a-z]+)"));
    const QString& written = writtenSheet();
    const QHash<QString, QString> colors = colorsOf(theme);
    QString sheet;
    qsizetype done = 0;
    for (auto names = name.globalMatch(written); names.hasNext();) {
        const QRegularExpressionMatch found = names.next();
        sheet += QStringView(written).mid(done, found.capturedStart() - done);
        sheet += colors.value(found.captured(1), found.captured());
        done = found.capturedEnd();
    }
    sheet += QStringView(written).mid(done);
    return sheet;
}

} // namespace sunder
