#include "support/file.h"
#include "support/format.h"
#include "support/scratch_folder.h"

#include "test_case.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace sunder;

namespace {

/// During its lifetime, no file of this process can grow beyond `bytes`, which a writer sees as a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

} // namespace

class FileTest final : public QObject {
    Q_OBJECT
private slots:
    void readsWhatItWrites()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a").toStdString();
        const std::string bytes("x\0y\n", 4);
        QVERIFY(writeFileAtomically(path, bytes));
        QCOMPARE(readFile(path, 10).value(), bytes);
        QVERIFY(writeFileAtomically(path, "second"));
        QCOMPARE(readFile(path, 10).value(), std::string("second"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void onlyWhatIsMadeElsewhereNeedNotReachTheDisk()
    {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath("a").toStdString();
        const Result<ScratchFolder> beside = ScratchFolder::beside(place);
        std::filesystem::path file;
        {
            const Result<ScratchFolder> elsewhere = ScratchFolder::elsewhere(place);
            QVERIFY(beside && elsewhere);
            file = elsewhere->files() / "a";
            QVERIFY(ScratchFolder::isPassing(file));
            QVERIFY(writeFileAtomically(file.string(), "text"));
            QCOMPARE(readFile(file.string(), 10).value(), std::string("text"));
        }
        QVERIFY(!ScratchFolder::isPassing(file));
        QVERIFY(!ScratchFolder::isPassing(beside->files() / "a"));
        QVERIFY(!ScratchFolder::isPassing(place));
    }

    void refusesToReadTooMuchAFolderAndNothing()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a").toStdString();
        QVERIFY(writeFileAtomically(path, "0123456789"));
        QVERIFY(readFile(path, 10));
        const Result<std::string> large = readFile(path, 9);
        QVERIFY(!large);
        QCOMPARE(describe(large.error()), path + ": the file is too large: 10 B, the limit is 9 B");
        QVERIFY(describe(readFile(folder.path().toStdString(), 9).error()).ends_with("this is a folder, not a file"));
        QCOMPARE(readFile(path + "missing", 9).error().code, ErrorCode::io);
        QVERIFY(!readFile("/dev/zero", 1000));
    }

    void leavesThePlaceAsItWasWhenWritingFails()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a").toStdString();
        QVERIFY(writeFileAtomically(path, "old"));
        const Result<void> refused = writeFileAtomically(path, [](std::ostream& out) -> Result<void> {
            out << "new";
            return fail(ErrorCode::refused, "no");
        });
        QCOMPARE(refused.error().message, std::string("no"));
        QCOMPARE(readFile(path, 10).value(), std::string("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"a"});
    }

    void reportsAFullDisk()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a").toStdString();
        QVERIFY(writeFileAtomically(path, "old"));
        Result<void> written = {};
        {
            const FileSizeLimit limit(100'000);
            written = writeFileAtomically(path, std::string(1'000'000, 'x'));
        }
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::io);
        QCOMPARE(written.error().where.file, path);
        QCOMPARE(readFile(path, 10).value(), std::string("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"a"});
    }

    void namesTheFolderThatIsNotThere()
    {
        const Result<void> written = writeFileAtomically("/nowhere/a", "x");
        QVERIFY(!written);
        QVERIFY(describe(written.error()).starts_with("/nowhere/a: cannot write: "));
    }

    void writesBytesAsPeopleDo()
    {
        QCOMPARE(formatBytes(999), std::string("999 B"));
        QCOMPARE(formatBytes(4100), std::string("4.1 kB"));
        QCOMPARE(formatBytes(999'960), std::string("1.0 MB"));
        QCOMPARE(formatSeconds(0), std::string("0 s"));
        QCOMPARE(formatSeconds(0.00125), std::string("1.25 ms"));
        QCOMPARE(formatSeconds(0.99999), std::string("1 s"));
        QCOMPARE(formatSeconds(12345), std::string("12345 s"));
        QCOMPARE(formatSeconds(3.5e-10), std::string("0.35 ns"));
        QCOMPARE(formatCount(1, "node"), std::string("1 node"));
        QCOMPARE(formatCount(12345, "node"), std::string("12,345 nodes"));
        QCOMPARE(formatCount(2, "match"), std::string("2 matches"));
        QCOMPARE(formatCount(2, "fix"), std::string("2 fixes"));
    }
};

const test::Registered<FileTest> fileTest("file_test");
#include "file_test.moc"
