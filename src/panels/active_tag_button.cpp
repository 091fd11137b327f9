#include "panels/active_tag_button.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "support/format.h"
#include "text/elided_name.h"
#include "text/present_keys.h"

#include <QMenu>
#include <QPainter>

#include <utility>

namespace sunder {
namespace {

constexpr int kHeight = 30;
constexpr int kNameLeft = 30;
constexpr int kNameRoom = 84;  ///< for code and name
constexpr int kFiguresRight = 26;
constexpr int kNameGap = 10; ///< between name and figures
constexpr int kMaxShown = 30; ///< characters of the name

} // namespace

ActiveTagButton::ActiveTagButton(Document& document, QWidget* parent) : QToolButton(parent), m_document(document)
{
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &ActiveTagButton::fillMenu);
    const auto refresh = [this] {
        setToolTip(tr("Active tag (keys 1–9)"));
        setAccessibleName(m_document.activeTag() < 0 ? tr("No active tag") : tr("Active tag %1, %2").arg(name(), figures()));
        setEnabled(m_document.isOpen());
        update();
    };
    connect(&document, &Document::changed, this, refresh);
    refresh();
}

QString ActiveTagButton::name() const
{
    return m_document.activeTag() < 0 ? tr("no tag") : brief(m_document.tagName(m_document.activeTag()), kMaxShown);
}

QString ActiveTagButton::figures() const
{
    if (m_document.activeTag() < 0)
        return {};
    const TagTotal& total = m_document.checks().totals().tags[static_cast<std::size_t>(m_document.activeTag())];
    return QStringLiteral("%1 · %2").arg(sunder::text(formatCount(total.ops, "op")), sunder::text(formatBytes(total.bytes)));
}

void ActiveTagButton::setCompact(bool compact)
{
    if (std::exchange(m_isCompact, compact) == compact)
        return;
    updateGeometry();
    update();
}

QSize ActiveTagButton::sizeHint() const
{
    if (m_isCompact)
        return {kNameLeft + kNameRoom + kFiguresRight, kHeight};
    // A constant width, so that adjacent widgets do not move.
    return {kNameLeft + kNameRoom + fontMetrics().horizontalAdvance(tr("99,999 ops · 999.9 MB")) + kFiguresRight, kHeight};
}

void ActiveTagButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (m_document.activeTag() < 0 || !isEnabled()) {
        painter.setPen(hasFocus() ? QPen(theme.selection, 2) : QPen(theme.line, 1));
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(frame, 5, 5);
        painter.setPen(theme.dim);
        painter.drawText(rect().adjusted(12, 0, -12, 0), Qt::AlignLeft | Qt::AlignVCenter, tr("no tag"));
        return;
    }
    const TagLook look = tagLooksOf(m_document, theme)[static_cast<std::size_t>(m_document.activeTag())];
    painter.setPen(hasFocus() ? QPen(theme.selection, 2) : QPen(look.style.color, 1));
    const QColor ground = mixed(theme.panel, look.style.color, underMouse() ? 0.2 : 0.13);
    painter.setBrush(ground);
    painter.drawRoundedRect(frame, 5, 5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tagBrush(look.style, theme));
    painter.drawRoundedRect(QRectF(10, height() / 2.0 - 6, 12, 12), 3, 3);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const QString title = look.code.compare(look.name, Qt::CaseInsensitive) == 0
        ? name()
        : QStringLiteral("%1  %2").arg(look.code, name());
    const QString beside = m_isCompact ? QString() : figures();
    const int room = width() - kNameLeft - kFiguresRight - fontMetrics().horizontalAdvance(beside)
        - (beside.isEmpty() ? 0 : kNameGap);
    painter.drawText(rect().adjusted(kNameLeft, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     elidedName(title, QFontMetricsF(painter.font()), room));
    painter.setFont(font());
    painter.setPen(readable(theme.dim, ground));
    painter.drawText(rect().adjusted(0, 0, -kFiguresRight, 0), Qt::AlignRight | Qt::AlignVCenter, beside);
    paintIcon(painter, QStringLiteral("down"), QRectF(width() - 21, height() / 2.0 - 6, 12, 12), theme.dim);
}

void ActiveTagButton::fillMenu()
{
    const Theme& theme = currentTheme();
    menu()->clear();
    const std::vector<TagLook> looks = tagLooksOf(m_document, theme);
    for (int tag = 0; tag < m_document.tagCount(); ++tag) {
        const TagLook& look = looks[static_cast<std::size_t>(tag)];
        QAction* action = menu()->addAction(tagSwatch(look.style, theme),
                                            QStringLiteral("%1  %2").arg(caption(look.code), caption(look.name)),
                                            [this, tag] { m_document.tagList().setActive(tag); });
        if (tag < 9) // a label only: the window has the shortcut
            action->setText(action->text() + QLatin1Char('\t') + QString::number(tag + 1));
    }
    menu()->addSeparator();
    menu()->addAction(themedIcon(QStringLiteral("add")), withPresentKeys(tr("Add a tag\tCtrl+T")),
                      [this] { m_document.tagList().add(); });
}

} // namespace sunder

#include "moc_active_tag_button.cpp"
