#include "app/project.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDir>
#include <QFile>

#include <csignal>
#include <functional>
#include <sys/resource.h>

using namespace sunder;

namespace {

/// During its lifetime, no file of this process can grow beyond some bytes, which a writer sees as a full disk.
class FullDisk final {
public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

/// Files that cannot be read or written: the window reports the file and the reason, and keeps its state.
class WindowBadInputTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void saysWhatIsWrongWithAFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        const QByteArray archive = contentOf(QString::fromStdString(test::casePath("pt2/own_numbers/model.pt2")));
        const QByteArray chain = contentOf(m_model);
        QTest::newRow("an archive cut in half") << "half.pt2" << archive.left(archive.size() / 2) << "zip";
        QTest::newRow("an archive without its end") << "end.pt2" << archive.chopped(30) << "zip";
        QTest::newRow("fx-json cut within a line") << "half.fxj" << chain.left(chain.size() - 20) << "line";
        QTest::newRow("nothing") << "empty.pt2" << QByteArray() << "empty";
        QTest::newRow("a picture") << "photo.pt2" << QByteArray("\x89PNG\r\n\x1a\n and so on") << "PNG";
        QTest::newRow("text") << "notes.pt2" << QByteArray("Dear diary,\n") << "not a model";
        QTest::newRow("a pointer to a large file")
            << "pointer.pt2" << QByteArray("version https://git-lfs.github.com/spec/v1\n") << "git lfs pull";
        QTest::newRow("JSON of something else") << "list.json" << QByteArray("{\"a\": [1, 2, 3]}") << "list.json";
    }

    void saysWhatIsWrongWithAFile()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        openModel();
        document().painting().paint(std::array{node("first")}, 0);
        document().marks().select({node("second")});
        forgetChanges();
        const SnapshotPtr before = document().snapshot();
        const auto shown = sourcePane().view().program();
        const QStringList recent = QSettings().value("recent").toStringList();

        const QString path = m_folder.filePath(name);
        write(path, bytes);
        m_window->openModel(path);
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->headline().contains(name), qPrintable(box->headline()));
        QVERIFY2(box->explanation().contains(name), qPrintable(box->explanation()));
        QVERIFY2(box->explanation().contains(said, Qt::CaseInsensitive), qPrintable(box->explanation()));
        QCOMPARE(document().snapshot(), before);
        QCOMPARE(document().tags()[node("first")], 0);
        QCOMPARE(document().marks().selection().source, std::vector{node("second")});
        QCOMPARE(sourcePane().view().program(), shown);
        QVERIFY(m_window->windowTitle().contains("chain"));
        QCOMPARE(QSettings().value("recent").toStringList(), recent);
    }

    void saysWhereAProjectIsDamaged_data()
    {
        QTest::addColumn<std::function<QByteArray(QByteArray)>>("damage");
        QTest::addColumn<QString>("said");
        using Damage = std::function<QByteArray(QByteArray)>;
        const auto begins = [](const QByteArray& with) {
            return Damage([with](const QByteArray& text) { return '{' + with + text.sliced(1); });
        };
        QTest::newRow("cut off") << Damage([](const QByteArray& text) { return text.left(100); }) << "(byte 101)";
        QTest::newRow("a node that is a number") << Damage([](QByteArray text) { return text.replace("\"second\"", "7"); })
                                                 << "must have a string, in tags[0].nodes[1]";
        QTest::newRow("10,000 lists") << begins("\"later\":" + QByteArray(10'000, '[') + QByteArray(10'000, ']') + ',')
                                      << "nested deeper than 64 levels (byte 73)";
        QTest::newRow("a key twice") << begins("\"tags\":[],") << "has a duplicate key, in tags";
    }

    /// In one message, and without touching the open document, its project, or the damaged file.
    void saysWhereAProjectIsDamaged()
    {
        QFETCH(std::function<QByteArray(QByteArray)>, damage);
        QFETCH(QString, said);
        openModel();
        paintBoth();
        const QString whole = m_folder.filePath("whole.sunder");
        QVERIFY(workflow().saveProject(project().state(), whole));
        document().painting().paint(std::array{node("second")}, 1);
        const SnapshotPtr before = document().snapshot();
        const int steps = document().steps().count();
        const QByteArray text = contentOf(whole);
        const QString path = m_folder.filePath("damaged.sunder");
        const QByteArray damaged = damage(text);
        write(path, damaged);

        workflow().openProjectFile(path); // as if the user had agreed to lose the last change
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->headline().contains("damaged.sunder"), qPrintable(box->headline()));
        QVERIFY2(box->explanation().contains("damaged.sunder") && box->explanation().contains(said),
                 qPrintable(box->explanation()));
        settle();
        QCOMPARE(m_window->findChildren<MessageDialog*>().size(), 1);
        QCOMPARE(document().snapshot(), before);
        QCOMPARE(document().tags()[node("second")], 1);
        QCOMPARE(document().steps().count(), steps);
        QVERIFY(document().isModified());
        QCOMPARE(document().tagsPath(), whole);
        QCOMPARE(contentOf(whole), text);
        QCOMPARE(contentOf(path), damaged);
    }

    void saysThatAFileIsMissing()
    {
        m_window->openModel(m_folder.filePath("nowhere.pt2"));
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY(box->explanation().contains("nowhere.pt2"));
        QVERIFY(showsWelcome());
    }

    /// As shells, file managers, and browsers copy paths.
    void aQuotedPathIsOpened_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::newRow("quotes") << "\"%1\"";
        QTest::newRow("single quotes") << "'%1'";
        QTest::newRow("blanks") << "  %1 \n";
        QTest::newRow("URL") << "file://%1";
    }

    void aQuotedPathIsOpened()
    {
        QFETCH(QString, pattern);
        const QString path = m_folder.filePath("my model.fxj");
        QVERIFY(QFile::exists(path) || QFile::copy(m_model, path));
        const bool isUrl = pattern.startsWith("file:");
        m_window->openModel(pattern.arg(isUrl ? QString(path).replace(' ', "%20") : path));
        QTRY_VERIFY(document().isOpen());
        QCOMPARE(document().filePath(), path);
    }

    void aFileWhoseNameHasQuotesIsOpened()
    {
        const QString path = m_folder.filePath("'quoted'");
        QVERIFY(QFile::copy(m_model, path));
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
        m_window->openModel("'quoted'");
        QVERIFY(QDir::setCurrent(before));
        QTRY_VERIFY(document().isOpen());
        QVERIFY(document().filePath().endsWith("'quoted'"));
    }

    void saysThatAFolderIsNoModel()
    {
        m_window->openModel(m_folder.path());
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("folder"), qPrintable(box->explanation()));
        QVERIFY(showsWelcome());
    }

    void leavesTagsAloneThatAreOfAnotherModel()
    {
        openModel();
        document().painting().paint(std::array{node("first")}, 0);
        const QString path = m_folder.filePath("other.json");
        write(path, R"({"format": "sunder-tags", "version": 1, "tags": {"no_such_node": "a"}})");
        workflow().openTagsFile(path);
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("other.json"), qPrintable(box->explanation()));
        QCOMPARE(document().tagCount(), 2);
        QCOMPARE(document().tags()[node("first")], 0);
    }

    void opensAModelWhoseTagsFileIsDamaged()
    {
        const QString beside = tagsPathBeside(m_model);
        write(beside, "{\"tags\": ");
        openModel();
        QVERIFY(document().tagsPath().isEmpty());
        QCOMPARE(contentOf(beside), QByteArray("{\"tags\": ")); // left unchanged
        QVERIFY(QFile::remove(beside));
    }

    void saysWhyAnExportCannotBeWritten()
    {
        openModel();
        const QString file = m_folder.filePath("a-file");
        write(file, {});
        ExportDialog* dialog = exportDialog("tags", file + "/below/tags.json"); // fails for root as well
        QTRY_VERIFY2(dialog->statusText().contains("a-file"), qPrintable(dialog->statusText()));
        QVERIFY(dialog->statusText().contains("Nothing was written"));
        QVERIFY2(dialog->statusText().contains("Choose another place"), qPrintable(dialog->statusText()));
        dialog->close();
    }

    void writesNothingHalfOntoAFullDisk_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("name");
        QTest::newRow("parts") << "parts" << "parts";
        QTest::newRow("graph") << "graph" << "graph.fxj";
        QTest::newRow("tags") << "tags" << "tags.json";
        QTest::newRow("picture") << "picture" << "picture.svg";
    }

    void writesNothingHalfOntoAFullDisk()
    {
        QFETCH(QString, format);
        QFETCH(QString, name);
        openModel();
        split();
        QDir(m_folder.path()).mkdir("full");
        const QString folder = m_folder.filePath("full");
        ExportDialog* dialog = nullptr;
        {
            const FullDisk full(100);
            dialog = exportDialog(format, folder + "/" + name);
            QTRY_VERIFY(dialog->exportButton().isEnabled());
        }
        QVERIFY2(dialog->statusText().contains("Nothing was written"), qPrintable(dialog->statusText()));
        const QString said = dialog->statusText().remove('\n'); // long paths are broken
        QVERIFY2(said.contains(folder + "/" + name), qPrintable(said));
        QVERIFY2(dialog->statusText().contains("cannot write"), qPrintable(dialog->statusText()));
        QCOMPARE(QDir(folder).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden), QStringList());
        dialog->close();
        QVERIFY(document().runs().isSplitCurrent());
    }

    void aProjectThatCannotBeSavedStaysUnsavedAndWhole_data()
    {
        QTest::addColumn<bool>("isFull");
        QTest::addColumn<bool>("isElsewhere");
        QTest::newRow("full disk") << true << false;
        QTest::newRow("full disk, save as") << true << true;
        QTest::newRow("read-only folder, save as") << false << true;
    }

    void aProjectThatCannotBeSavedStaysUnsavedAndWhole()
    {
        QFETCH(bool, isFull);
        QFETCH(bool, isElsewhere);
        const QString readOnly = QStringLiteral("/sys"); // also for root
        if (!isFull && !QFileInfo::exists(readOnly + "/kernel"))
            QSKIP("needs a file system that refuses files");
        openModel();
        const QString path = m_folder.filePath("whole.sunder");
        QVERIFY(workflow().saveProject(project().state(), path));
        const QByteArray before = contentOf(path);
        document().painting().paint(std::array{node("first")}, 0);
        const QString wanted = !isElsewhere ? path : isFull ? m_folder.filePath("other.sunder") : readOnly + "/other.sunder";
        {
            const FullDisk full(isFull ? 10 : RLIM_INFINITY);
            QVERIFY(!workflow().saveProject(project().state(), wanted));
        }
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains(QFileInfo(wanted).fileName()), qPrintable(box->explanation()));
        QVERIFY2(box->explanation().contains("cannot write"), qPrintable(box->explanation()));
        QVERIFY2(box->explanation().contains("Your changes are still here"), qPrintable(box->explanation()));
        QVERIFY(box->button("Save as…") != nullptr);
        QCOMPARE(contentOf(path), before);
        QVERIFY(QFileInfo(wanted) == QFileInfo(path) || !QFileInfo::exists(wanted));
        QVERIFY(document().isModified());
        QCOMPARE(document().tagsPath(), path);
        QCOMPARE(document().tags()[node("first")], 0);
        ProjectLock other;
        QVERIFY(!other.hold(path)); // still locked by this window
        QVERIFY(!isElsewhere || other.hold(wanted));
        QVERIFY(workflow().saveProject(project().state(), path));
        QVERIFY(!document().isModified());
    }

    void keepsTheOldTagsWhenTheDiskIsFull()
    {
        openModel();
        const QString path = m_folder.filePath("kept.json");
        QVERIFY(workflow().saveTags(path));
        const QByteArray before = contentOf(path);
        document().painting().paint(std::array{node("first")}, 0);
        {
            const FullDisk full(10);
            QVERIFY(!workflow().saveTags(path));
        }
        const auto* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("kept.json"), qPrintable(box->explanation()));
        QCOMPARE(contentOf(path), before);
        QVERIFY(document().isModified());
    }
};

const test::Registered<WindowBadInputTest> windowBadInputTest("window_bad_input_test");
#include "window_bad_input_test.moc"
