#include "diagnostics/logging.h"

#include "diagnostics/recent_lines.h"

#include <QDateTime>

namespace sunder {

Q_LOGGING_CATEGORY(logFiles, "sunder.files", QtInfoMsg)
Q_LOGGING_CATEGORY(logJobs, "sunder.jobs", QtInfoMsg)
Q_LOGGING_CATEGORY(logRuns, "sunder.runs", QtInfoMsg)
Q_LOGGING_CATEGORY(logWindow, "sunder.window", QtInfoMsg)

namespace {

QtMessageHandler printingHandler = nullptr;

bool isAsked()
{
    static const bool asked = qEnvironmentVariableIsSet("QT_LOGGING_RULES") || qEnvironmentVariableIsSet("QT_LOGGING_CONF");
    return asked;
}

void keepAndPrint(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    const QByteArrayView category(context.category == nullptr ? "" : context.category);
    const QByteArray at = QDateTime::currentDateTimeUtc().toString(QStringLiteral("HH:mm:ss.zzz")).toLatin1();
    recentLines().add((at + ' ' + category.toByteArray() + ": " + message.toUtf8()).toStdString());
    const bool isQuiet = type == QtDebugMsg || type == QtInfoMsg;
    if (printingHandler != nullptr && (!isQuiet || !category.startsWith("sunder.") || isAsked()))
        printingHandler(type, context, message);
}

} // namespace

void keepRecentLines()
{
    if (QtMessageHandler before = qInstallMessageHandler(keepAndPrint); before != keepAndPrint)
        printingHandler = before;
}

} // namespace sunder
