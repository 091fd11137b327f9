#include "panels/file_change_bar.h"

#include "models/themed_icon.h"
#include "panels/ui_file_change_bar.h"

#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>

namespace sunder {

FileChangeBar::FileChangeBar(QWidget* parent) : QFrame(parent), m_ui(std::make_unique<Ui::FileChangeBar>())
{
    m_ui->setupUi(this); // Return presses the focused button
    hide();
    connect(m_ui->compare, &QPushButton::clicked, this, &FileChangeBar::compareRequested);
    connect(m_ui->reload, &QPushButton::clicked, this, &FileChangeBar::reloadRequested);
    connect(m_ui->keep, &QPushButton::clicked, this, &FileChangeBar::keepRequested);
}

FileChangeBar::~FileChangeBar() = default;

QPushButton& FileChangeBar::compareButton()
{
    return *m_ui->compare;
}

QPushButton& FileChangeBar::reloadButton()
{
    return *m_ui->reload;
}

QPushButton& FileChangeBar::keepButton()
{
    return *m_ui->keep;
}

void FileChangeBar::show(const Notice& notice)
{
    m_ui->icon->setPixmap(themedIcon(QStringLiteral("warning")).pixmap(m_ui->icon->size()));
    const QString before = text();
    m_ui->headline->setText(notice.headline);
    m_ui->text->setText(notice.text);
    const bool isNew = isHidden() || text() != before;
    m_ui->headline->setToolTip(notice.path);
    m_ui->text->setToolTip(notice.path);
    m_ui->reload->setToolTip(notice.reloadTip);
    setAccessibleDescription(text() + QLatin1Char(' ') + notice.path);
    m_ui->compare->setEnabled(notice.canRead);
    m_ui->reload->setEnabled(notice.canRead);
    setVisible(true);
    if (!isNew)
        return;
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString FileChangeBar::text() const
{
    return m_ui->headline->text() + QStringLiteral(". ") + m_ui->text->text();
}

void FileChangeBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit keepRequested();
    else
        QFrame::keyPressEvent(event);
}

} // namespace sunder

#include "moc_file_change_bar.cpp"
