#include "panels/zoom_field.h"

#include "models/look.h"

#include <QKeyEvent>
#include <QStyle>
#include <QTimer>

#include <cmath>

namespace sunder {
namespace {

/// Below 10%, shows a decimal.
QString percentText(double zoom)
{
    const double percent = zoom * 100;
    return ZoomField::tr("%1%").arg(percent, 0, 'f', percent < 9.95 ? 1 : 0);
}

} // namespace

std::optional<double> zoomFromText(const QString& text)
{
    QString number = text.simplified().toLower();
    const bool isFactor = number.endsWith(QLatin1Char('x'));
    if (isFactor || number.endsWith(QLatin1Char('%')))
        number.chop(1);
    bool isNumber = false;
    const double value = number.trimmed().replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value) || value <= 0)
        return std::nullopt;
    return isFactor ? value : value / 100;
}

ZoomField::ZoomField(QWidget* parent) : QLineEdit(parent)
{
    setObjectName(QStringLiteral("zoom"));
    setAccessibleName(tr("Zoom"));
    setToolTip(tr("Zoom of the focused graph. Type a percentage, e.g. 150%."));
    setAlignment(Qt::AlignRight);
    setFrame(false);
    setMaxLength(12);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setLook(*this, QStringLiteral("statusField"));
    setZoom(1);
}

QSize ZoomField::sizeHint() const
{
    constexpr int kPads = 16;
    return {fontMetrics().horizontalAdvance(percentText(8) + QStringLiteral("00")) + kPads, QLineEdit::sizeHint().height()};
}

void ZoomField::setZoom(double zoom)
{
    m_zoom = zoom;
    if (!hasFocus() || !isModified())
        setText(percentText(zoom));
}

void ZoomField::apply()
{
    const std::optional<double> wanted = zoomFromText(text());
    const bool isTyped = isModified();
    setModified(false);
    if (wanted && isTyped)
        emit zoomWanted(*wanted); // the receiver responds with the actual zoom
    else if (!wanted)
        emit message(tr("“%1” is not a zoom level. Type a percentage, e.g. 150%.").arg(text()));
    setText(percentText(m_zoom));
}

void ZoomField::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter && event->key() != Qt::Key_Escape) {
        QLineEdit::keyPressEvent(event);
        return;
    }
    if (isEnter) {
        apply();
    } else {
        setModified(false);
        setText(percentText(m_zoom));
    }
    emit left();
}

void ZoomField::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    QTimer::singleShot(0, this, &QLineEdit::selectAll); // after the press that gave it the focus
}

void ZoomField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && isModified())
        apply();
}

} // namespace sunder

#include "moc_zoom_field.cpp"
