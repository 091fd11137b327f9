#include "diagnostics/crash_log.h"
#include "diagnostics/logging.h"

#include "test_case.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <csignal>
#include <stdexcept>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sunder;

namespace {

using Fault = void (*)();

/// Recurses deeper than any stack.
std::size_t depthOf(volatile const std::size_t& limit, std::size_t depth)
{
    volatile char room[4096];
    room[0] = 1;
    return depth < limit ? depthOf(limit, depth + 1) + static_cast<std::size_t>(room[0]) : depth;
}

void overflowsItsStack()
{
    volatile std::size_t limit = std::size_t{1} << 40U;
    qCInfo(logFiles, "%zu", depthOf(limit, 0));
}

void throwsIt()
{
    throw std::runtime_error("no such\ntag");
}

void throwsWhatNobodyCatches() noexcept
{
    throwsIt();
}

/// Exit status of a child process that commits this fault.
int statusAfter(const QString& log, Fault fault)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
            std::signal(signal, SIG_DFL); // without the handlers of Qt Test
        ::close(STDOUT_FILENO); // and without its output
        ::close(STDERR_FILENO);
        keepRecentLines();
        writeCrashesTo(log, QStringLiteral("Sunder: 1.2.3\nQt: 6"));
        qCInfo(logFiles, "opened %s", "model.pt2");
        fault();
        std::_Exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

} // namespace

/// Crashes of child processes, and their report at the next start.
class CrashLogTest final : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void saysWhyAndWhatWasDoneLast_data()
    {
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("reason");
        QTest::newRow("memory") << Fault([] { std::raise(SIGSEGV); }) << SIGSEGV << "SIGSEGV, invalid memory access";
        QTest::newRow("stack") << Fault(overflowsItsStack) << SIGSEGV << "SIGSEGV, invalid memory access";
        QTest::newRow("abort") << Fault([] { std::abort(); }) << SIGABRT << "SIGABRT, aborted (";
        QTest::newRow("division") << Fault([] { std::raise(SIGFPE); }) << SIGFPE << "SIGFPE, arithmetic error";
        QTest::newRow("exception") << Fault(throwsWhatNobodyCatches) << SIGABRT << "SIGABRT, aborted: no such tag (";
        QTest::newRow("fatal message") << Fault([] { qFatal("impossible"); }) << SIGABRT << "SIGABRT, aborted (";
    }

    void saysWhyAndWhatWasDoneLast()
    {
        QFETCH(Fault, fault);
        QFETCH(int, signal);
        QFETCH(QString, reason);
        const int status = statusAfter(log(), fault);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), signal); // the parent sees the original signal
        const std::optional<CrashReports> found = unseenCrashes(log());
        QVERIFY(found);
        QVERIFY2(found->last.contains("UTC Sunder crashed: " + reason), qPrintable(found->last));
        QVERIFY(found->text.contains("\n  Sunder: 1.2.3\n  Qt: 6\n"));
        QVERIFY2(found->text.contains("sunder.files: opened model.pt2\n"), qPrintable(found->text));
        QVERIFY(found->text.contains("Call stack, innermost first:\n"));
        QVERIFY(found->text.contains("diagnostics-tests"));
    }

    void isSeenOnce()
    {
        QVERIFY(!unseenCrashes(log()));
        statusAfter(log(), [] { std::abort(); });
        statusAfter(log(), [] { std::raise(SIGFPE); });
        const std::optional<CrashReports> both = unseenCrashes(log());
        QVERIFY(both);
        QVERIFY(both->last.contains("SIGFPE"));
        QCOMPARE(both->text.count("Sunder crashed: "), 2);
        QVERIFY(markCrashesSeen(log()));
        QVERIFY(!unseenCrashes(log()));
        QFile kept(log() + ".seen");
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(kept.readAll()), both->text);
        QVERIFY(!markCrashesSeen(log()));
    }

    void staysBounded()
    {
        QVERIFY(QDir(m_folder->path()).mkdir("logs"));
        QFile file(log());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(1'000'000));
        file.close();
        QVERIFY(WIFSIGNALED(statusAfter(log(), [] { std::abort(); })));
        QCOMPARE(QFile(log()).size(), qint64(1'000'000));
        QVERIFY(!unseenCrashes(log()));
    }

    void endsOfThemselvesAreNoCrashes()
    {
        QCOMPARE(statusAfter(log(), [] {}), 0);
        QVERIFY(!QFile::exists(log()));
    }

private:
    [[nodiscard]] QString log() const { return m_folder->filePath("logs/crashes.log"); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

const test::Registered<CrashLogTest> crashLogTest("crash_log_test");
#include "crash_log_test.moc"
