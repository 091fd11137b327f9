#include "diagnostics/logging.h"

#include "diagnostics/crash_log.h"

#include <QDateTime>
#include <algorithm>

namespace sunder {
namespace {

/// Returns the length of the longest prefix of at most `most` bytes that ends at a UTF-8 character boundary.
std::size_t lengthOfCut(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text.size();
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return most;
}

} // namespace

void RecentLines::add(std::string_view line)
{
    const std::lock_guard lock(m_mutex);
    Line& into = m_lines[m_added % kLines];
    into.length = lengthOfCut(line, kLength);
    std::transform(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(into.length), into.text.begin(),
                   [](char c) { return c == '\n' || c == '\r' ? ' ' : c; });
    ++m_added;
}

void RecentLines::writeTo(int descriptor) const
{
    const std::size_t first = m_added < kLines ? 0 : m_added - kLines;
    for (std::size_t i = first; i < m_added; ++i) {
        const Line& line = m_lines[i % kLines];
        writeSafely(descriptor, "  ");
        writeSafely(descriptor, {line.text.data(), std::min(line.length, kLength)});
        writeSafely(descriptor, "\n");
    }
}

RecentLines& recentLines()
{
    static RecentLines lines;
    return lines;
}

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
