#include "panels/file_change_bar.h"

#include "models/themed_icon.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

namespace sunder {

namespace {
constexpr int kIcon = 16;
} // namespace

FileChangeBar::FileChangeBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_compare(new QPushButton(tr("Co&mpare"), this)),
      m_reload(new QPushButton(tr("&Reload"), this)), m_keep(new QPushButton(tr("&Keep"), this))
{
    setObjectName(QStringLiteral("notice"));
    setAccessibleName(tr("A file has changed on disk"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(8);
    m_icon->setFixedSize(kIcon, kIcon);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setMinimumWidth(60);
    m_compare->setToolTip(tr("Says what is other in the file"));
    m_reload->setToolTip(tr("Takes what the file holds now"));
    m_keep->setToolTip(tr("Goes on with what is open"));
    row->addWidget(m_icon, 0, Qt::AlignVCenter);
    row->addWidget(m_text, 1);
    for (QPushButton* button : {m_compare, m_reload, m_keep}) {
        button->setAutoDefault(true); // Return presses the one that has the focus
        row->addWidget(button);
    }
    hide();
    connect(m_compare, &QPushButton::clicked, this, &FileChangeBar::compareRequested);
    connect(m_reload, &QPushButton::clicked, this, &FileChangeBar::reloadRequested);
    connect(m_keep, &QPushButton::clicked, this, &FileChangeBar::keepRequested);
}

void FileChangeBar::show(const QString& text, const QString& detail, bool canRead)
{
    m_icon->setPixmap(themedIcon(QStringLiteral("warning")).pixmap(kIcon, kIcon));
    const bool isNew = isHidden() || m_text->text() != text;
    m_text->setText(text);
    m_text->setToolTip(detail);
    setAccessibleDescription(text + QLatin1Char(' ') + detail);
    m_compare->setEnabled(canRead);
    m_reload->setEnabled(canRead);
    setVisible(true);
    if (!isNew)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString FileChangeBar::text() const
{
    return m_text->text();
}

void FileChangeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit keepRequested();
    else
        QFrame::keyPressEvent(event);
}

} // namespace sunder
