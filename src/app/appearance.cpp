#include "app/appearance.h"

#include "app/style_sheet.h"
#include "models/row_delegate.h"
#include "models/themed_icon.h"

#include <QApplication>
#include <QFontDatabase>
#include <QProxyStyle>
#include <QStyleOption>
#include <QVariant>

#include <algorithm>

namespace sunder {
namespace {

/// Frames the focused row of a table like other rows. The style sheet cannot, because QTreeView::drawRow() passes no widget.
class RowFocusStyle final : public QProxyStyle {
public:
    using QProxyStyle::QProxyStyle;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        if (element == PE_FrameFocusRect && widget == nullptr)
            paintRowFocus(*painter, option->rect);
        else
            QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
};

} // namespace

Appearance::Appearance(QApplication& application)
    : m_application(application), m_systemIsDark(QApplication::palette().color(QPalette::Window).lightness() < 128)
{
    loadResources();
    QApplication::setStyle(new RowFocusStyle(QStringLiteral("Fusion")));
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    font.setPointSizeF(std::clamp(font.pointSizeF(), 9.0, 10.0));
    QApplication::setFont(font);
    apply();
    m_desktop.follow(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"), [this](const QVariant& value) {
        const uint scheme = value.toUInt(); // 0: no preference, 1: dark, 2: light
        if (scheme == 0)
            return;
        m_systemIsDark = scheme == 1;
        apply();
    });
}

void Appearance::setMode(Mode mode)
{
    m_mode = mode;
    apply();
}

QString Appearance::nameOf(Mode mode)
{
    switch (mode) {
    case Mode::light: return QStringLiteral("light");
    case Mode::dark: return QStringLiteral("dark");
    case Mode::system: break;
    }
    return QStringLiteral("system");
}

Appearance::Mode Appearance::modeOf(const QString& name)
{
    return name == QLatin1String("light") ? Mode::light : name == QLatin1String("dark") ? Mode::dark : Mode::system;
}

void Appearance::apply()
{
    const bool dark = m_mode == Mode::dark || (m_mode == Mode::system && m_systemIsDark);
    if (m_applied == (dark ? 1 : 0))
        return;
    m_applied = dark ? 1 : 0;
    const Theme& look = theme(dark);
    QApplication::setPalette(paletteOf(look));
    m_application.setStyleSheet(styleSheetOf(look));
    emit changed();
}

} // namespace sunder

#include "moc_appearance.cpp"
