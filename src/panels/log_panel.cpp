#include "panels/log_panel.h"

#include "text/shown_text.h"

#include <QFontDatabase>
#include <QTime>

namespace sunder {
namespace {
constexpr int kMaxLines = 2000;
} // namespace

LogPanel::LogPanel(QWidget* parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setMaximumBlockCount(kMaxLines);
    setAccessibleName(tr("Log"));
    setContentsMargins(8, 4, 8, 4);
    document()->setDocumentMargin(8);
}

void LogPanel::add(const QString& text)
{
    appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + visible(text));
}

} // namespace sunder

#include "moc_log_panel.cpp"
