#include "panels/crash_bar.h"

#include "diagnostics/crash_log.h"
#include "models/themed_icon.h"
#include "panels/ui_crash_bar.h"

#include <QAccessible>
#include <QKeyEvent>

namespace sunder {

CrashBar::CrashBar(QWidget* parent) : QFrame(parent), m_ui(std::make_unique<Ui::CrashBar>())
{
    m_ui->setupUi(this);
    hide();
    m_ui->headline->setText(tr("Sunder crashed in its last session"));
    connect(m_ui->show, &QPushButton::clicked, this, &CrashBar::showRequested);
    connect(m_ui->dismiss, &QPushButton::clicked, this, &CrashBar::dismissRequested);
}

CrashBar::~CrashBar() = default;

void CrashBar::offer(const CrashReports& reports)
{
    m_ui->icon->setPixmap(themedIcon(QStringLiteral("warning")).pixmap(m_ui->icon->size()));
    m_ui->text->setText(reports.last);
    setAccessibleDescription(text());
    setVisible(true);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

QString CrashBar::text() const
{
    return m_ui->headline->text() + QStringLiteral(". ") + m_ui->text->text();
}

QPushButton& CrashBar::showButton()
{
    return *m_ui->show;
}

QPushButton& CrashBar::dismissButton()
{
    return *m_ui->dismiss;
}

void CrashBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit dismissRequested();
    else
        QFrame::keyPressEvent(event);
}

} // namespace sunder

#include "moc_crash_bar.cpp"
