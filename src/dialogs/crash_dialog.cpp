#include "dialogs/crash_dialog.h"

#include "dialogs/ui_crash_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>

namespace sunder {

CrashDialog::CrashDialog(const QString& reports, QWidget* parent) : QDialog(parent), m_ui(std::make_unique<Ui::CrashDialog>())
{
    m_ui->setupUi(this);
    m_ui->report->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_ui->report->setPlainText(reports);
    m_ui->report->moveCursor(QTextCursor::End);
    m_ui->report->find(QStringLiteral("Sunder crashed: "), QTextDocument::FindBackward); // scroll to the newest report
    m_ui->report->moveCursor(QTextCursor::StartOfLine);
    connect(m_ui->copy, &QPushButton::clicked, this, [this, reports] {
        QApplication::clipboard()->setText(reports);
        m_ui->copied->setText(tr("Copied."));
    });
}

CrashDialog::~CrashDialog() = default;

QPlainTextEdit& CrashDialog::report()
{
    return *m_ui->report;
}

QPushButton& CrashDialog::copyButton()
{
    return *m_ui->copy;
}

} // namespace sunder

#include "moc_crash_dialog.cpp"
