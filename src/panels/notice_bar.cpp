#include "panels/notice_bar.h"

#include "models/themed_icon.h"
#include "panels/ui_notice_bar.h"
#include "text/shown_text.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>

namespace sunder {

NoticeBar::NoticeBar(const QString& name, QWidget* parent) : QFrame(parent), m_ui(std::make_unique<Ui::NoticeBar>())
{
    m_ui->setupUi(this);
    setObjectName(name);
    hide();
    m_buttons = {m_ui->first, m_ui->second, m_ui->third};
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        connect(m_buttons[i], &QPushButton::clicked, this, [this, i] { choose(i); });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* old, QWidget* now) {
        if (old != nullptr && now != nullptr && isAncestorOf(now) && !isAncestorOf(old))
            m_before = old;
    });
}

NoticeBar::~NoticeBar() = default;

void NoticeBar::show(const Notice& notice)
{
    const QString before = text();
    m_ui->icon->setPixmap(themedIcon(notice.icon).pixmap(m_ui->icon->size()));
    m_ui->headline->setText(notice.headline);
    m_ui->text->setText(notice.text);
    m_ui->headline->setToolTip(notice.tip);
    m_ui->text->setToolTip(notice.tip);
    m_offers = notice.offers;
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setVisible(i < m_offers.size());
        if (i >= m_offers.size())
            continue;
        m_buttons[i]->setText(m_offers[i].verb);
        m_buttons[i]->setToolTip(m_offers[i].tip);
        m_buttons[i]->setEnabled(m_offers[i].isPossible);
    }
    setAccessibleName(notice.headline);
    setAccessibleDescription((text() + QLatin1Char(' ') + notice.tip).trimmed());
    const bool isNew = isHidden() || text() != before;
    setVisible(true);
    if (!isNew)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString NoticeBar::text() const
{
    return m_ui->headline->text() + QStringLiteral(". ") + m_ui->text->text();
}

QPushButton& NoticeBar::button(std::size_t offer)
{
    return *m_buttons.at(offer);
}

void NoticeBar::choose(std::size_t offer)
{
    if (m_offers[offer].closes) {
        const bool hadFocus = focusWidget() != nullptr && isAncestorOf(window()->focusWidget());
        hide();
        if (hadFocus && m_before != nullptr)
            m_before->setFocus();
    }
    emit chosen(static_cast<int>(offer));
}

void NoticeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        choose(m_offers.size() - 1);
    else
        QFrame::keyPressEvent(event);
}

} // namespace sunder

#include "moc_notice_bar.cpp"
