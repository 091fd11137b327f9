#include "panels/file_change_bar.h"

#include "models/look.h"
#include "models/themed_icon.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sunder {

namespace {
constexpr int kIcon = 16;
} // namespace

FileChangeBar::FileChangeBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_headline(new QLabel(this)), m_text(new QLabel(this)),
      m_compare(new QPushButton(tr("Co&mpare"), this)),
      m_reload(new QPushButton(tr("&Reload"), this)), m_keep(new QPushButton(tr("&Keep"), this))
{
    setObjectName(QStringLiteral("notice"));
    setAccessibleName(tr("A file has changed on disk"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 7, 8, 7);
    row->setSpacing(8);
    m_icon->setFixedSize(kIcon, kIcon);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    for (QLabel* label : {m_headline, m_text}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setMinimumWidth(60);
        words->addWidget(label);
    }
    setLook(*m_headline, QStringLiteral("headline"));
    m_compare->setToolTip(tr("Say how the file differs from what is open"));
    m_keep->setToolTip(tr("Go on with what is open; asked again when the file changes again"));
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    row->addSpacing(4);
    for (QPushButton* button : {m_compare, m_reload, m_keep}) {
        button->setAutoDefault(true); // Return presses the one that has the focus
        row->addWidget(button);
    }
    hide();
    connect(m_compare, &QPushButton::clicked, this, &FileChangeBar::compareRequested);
    connect(m_reload, &QPushButton::clicked, this, &FileChangeBar::reloadRequested);
    connect(m_keep, &QPushButton::clicked, this, &FileChangeBar::keepRequested);
}

void FileChangeBar::show(const Notice& notice)
{
    m_icon->setPixmap(themedIcon(QStringLiteral("warning")).pixmap(kIcon, kIcon));
    const QString before = text();
    m_headline->setText(notice.headline);
    m_text->setText(notice.text);
    const bool isNew = isHidden() || text() != before;
    m_headline->setToolTip(notice.path);
    m_text->setToolTip(notice.path);
    m_reload->setToolTip(notice.reloadTip);
    setAccessibleDescription(text() + QLatin1Char(' ') + notice.path);
    m_compare->setEnabled(notice.canRead);
    m_reload->setEnabled(notice.canRead);
    setVisible(true);
    if (!isNew)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString FileChangeBar::text() const
{
    return m_headline->text() + QStringLiteral(". ") + m_text->text();
}

void FileChangeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit keepRequested();
    else
        QFrame::keyPressEvent(event);
}

} // namespace sunder
