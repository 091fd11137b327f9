#include "diagnostics/logging.h"

#include "test_case.h"

#include <QTemporaryFile>

using namespace sunder;

namespace {

QStringList printed;

void notePrinted(QtMsgType, const QMessageLogContext&, const QString& message)
{
    printed << message;
}

QString keptLines()
{
    QTemporaryFile file;
    if (!file.open())
        return {};
    recentLines().writeTo(file.handle());
    file.seek(0);
    return QString::fromUtf8(file.readAll());
}

} // namespace

/// Log messages: kept for crash reports, and printed or suppressed.
class LoggingTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("QT_LOGGING_RULES") || qEnvironmentVariableIsSet("QT_LOGGING_CONF"))
            QSKIP("the environment sets the printed categories");
        m_before = qInstallMessageHandler(notePrinted);
        keepRecentLines();
    }
    void cleanupTestCase()
    {
        if (m_before != nullptr)
            qInstallMessageHandler(m_before);
    }
    void init() { printed.clear(); }

    void stepsAreKeptAndNotPrinted()
    {
        qCInfo(logFiles, "opened %s", "first.pt2");
        QVERIFY(printed.isEmpty());
        QVERIFY2(keptLines().contains(QStringLiteral("sunder.files: opened first.pt2\n")), qPrintable(keptLines()));
    }

    void warningsAreKeptAndPrinted()
    {
        qCWarning(logJobs, "job %d failed", 7);
        QCOMPARE(printed, QStringList("job 7 failed"));
        QVERIFY(keptLines().contains(QStringLiteral("sunder.jobs: job 7 failed\n")));
    }

    void whatOthersSayIsPrintedAsEver()
    {
        qInfo("from elsewhere");
        QCOMPARE(printed, QStringList("from elsewhere"));
        QVERIFY(keptLines().contains(QStringLiteral("default: from elsewhere\n")));
    }

    void stepsOfEveryKindHaveACategory()
    {
        qCInfo(logRuns, "split");
        qCInfo(logWindow, "closed");
        QVERIFY(keptLines().contains(QStringLiteral("sunder.runs: split\n")));
        QVERIFY(keptLines().contains(QStringLiteral("sunder.window: closed\n")));
    }

    void keepingTwiceIsKeepingOnce()
    {
        keepRecentLines();
        qCWarning(logFiles, "only once");
        QCOMPARE(printed, QStringList("only once"));
        QCOMPARE(keptLines().count(QStringLiteral("only once")), 1);
    }

private:
    QtMessageHandler m_before = nullptr;
};

const test::Registered<LoggingTest> loggingTest("logging_test");
#include "logging_test.moc"
