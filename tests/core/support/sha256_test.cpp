#include "support/sha256.h"

#include "test_case.h"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace sunder;

namespace {

constexpr std::size_t kLong = 5'000'001; ///< several pieces, the last one not full

std::string bytes(std::size_t count)
{
    std::string text(count, '\0');
    for (std::size_t i = 0; i < count; ++i)
        text[i] = static_cast<char>(i * 31 + i / 255);
    return text;
}

std::string byQt(const std::string& text)
{
    return QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256).toHex().toStdString();
}

/// Cancels after a number of reports and records the reported progress.
class Stopping final : public ProgressMonitor {
public:
    explicit Stopping(int after) : m_after(after) {}
    void report(double fraction, std::string_view) override
    {
        rises = rises && fraction >= last && fraction <= 1.0;
        last = fraction;
        ++reports;
    }
    [[nodiscard]] bool isCancelled() const override { return reports >= m_after; }

    int reports = 0;
    double last = 0;
    bool rises = true;

private:
    int m_after;
};

} // namespace

class Sha256Test final : public QObject {
    Q_OBJECT
private slots:
    void hashesBytes_data()
    {
        QTest::addColumn<int>("count");
        for (const int count : {0, 1, 55, 56, 63, 64, 65, 1000})
            QTest::addRow("%d bytes", count) << count;
    }
    void hashesBytes()
    {
        QFETCH(int, count);
        const std::string text = bytes(static_cast<std::size_t>(count));
        QCOMPARE(sha256(text), byQt(text));
    }

    void hashesPieces()
    {
        const std::string text = bytes(1000);
        Sha256 hash;
        hash.add(std::string_view(text).substr(0, 7));
        hash.add(std::string_view(text).substr(7));
        QCOMPARE(hash.finish(), byQt(text));
    }

    void hashesFiles()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("bytes").toStdString();
        std::ofstream(path, std::ios::binary) << bytes(kLong);
        Stopping never(1000);
        QCOMPARE(sha256OfFile(path, never).value(), byQt(bytes(kLong)));
        QCOMPARE(never.reports, 5);
        QCOMPARE(never.last, 1.0);
        QVERIFY(never.rises);
    }

    void stops()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("bytes").toStdString();
        std::ofstream(path, std::ios::binary) << bytes(kLong);
        Stopping soon(2);
        const Result<std::string> hash = sha256OfFile(path, soon);
        QVERIFY(!hash);
        QCOMPARE(hash.error().code, ErrorCode::cancelled);
        QCOMPARE(soon.reports, 2);
    }

    void saysWhichFileIsNotThere()
    {
        const Result<std::string> hash = sha256OfFile("/nowhere/at all");
        QVERIFY(!hash);
        QCOMPARE(hash.error().code, ErrorCode::io);
        QCOMPARE(describe(hash.error()), std::string("/nowhere/at all: cannot be read"));
    }
};

const test::Registered<Sha256Test> sha256Test("sha256_test");
#include "sha256_test.moc"
