#include "diagnostics/crash_log.h"
#include "diagnostics/logging.h"

#include "test_case.h"

#include <QTemporaryFile>

using namespace sunder;

/// The last lines of the log, and writing from a signal handler.
class RecentLinesTest final : public QObject {
    Q_OBJECT
private slots:
    void keepsTheLastOnesInOrder()
    {
        RecentLines lines;
        for (std::size_t i = 0; i < RecentLines::kLines + 3; ++i)
            lines.add("line " + std::to_string(i));
        const QStringList written = textOf(lines).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(written.size(), qsizetype(RecentLines::kLines));
        QCOMPARE(written.first(), QString("  line 3"));
        QCOMPARE(written.last(), QString("  line %1").arg(RecentLines::kLines + 2));
    }

    void cutsLongLinesAtACharacter()
    {
        RecentLines lines;
        lines.add(std::string(RecentLines::kLength - 1, 'a') + "é!");
        lines.add("two\nlines");
        QCOMPARE(textOf(lines), "  " + QString(RecentLines::kLength - 1, 'a') + "\n  two lines\n");
    }

    void writesTimes_data()
    {
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("start") << qint64(0) << "1970-01-01 00:00:00 UTC";
        QTest::newRow("leap day") << qint64(1709210096) << "2024-02-29 12:34:56 UTC";
        QTest::newRow("last second of a year") << qint64(1798761599) << "2026-12-31 23:59:59 UTC";
    }

    void writesTimes()
    {
        QFETCH(qint64, seconds);
        QTemporaryFile file;
        QVERIFY(file.open());
        writeTime(file.handle(), seconds);
        QTEST(contentOf(file), "text");
    }

private:
    static QString contentOf(QTemporaryFile& file)
    {
        file.seek(0);
        return QString::fromUtf8(file.readAll());
    }

    static QString textOf(const RecentLines& lines)
    {
        QTemporaryFile file;
        if (!file.open())
            return {};
        lines.writeTo(file.handle());
        return contentOf(file);
    }
};

const test::Registered<RecentLinesTest> recentLinesTest("recent_lines_test");
#include "recent_lines_test.moc"
