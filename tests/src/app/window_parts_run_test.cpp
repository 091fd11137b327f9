#include "dialogs/parts_run_dialog.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTableView>

#include <csignal>

using namespace sunder;

/// "Run parts in PyTorch…" with a script that stands in for a Python with PyTorch.
class WindowPartsRunTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        showWindow();
        openModel();
        paintBoth();
    }
    void cleanup() { closeWindow(); }

    void showsMeasuredNextToEstimatedFigures()
    {
        const Device device{.name = "gpu",
                            .availableBytes = 1e9,
                            .memoryBytesPerSecond = 1e12,
                            .launchSeconds = 0.0,
                            .rates = {{"float32", 1e12}}};
        document().devices().set({device}, "Devices");
        const PartsRunDialog& dialog = run(answering(kResult));
        QVERIFY2(state(dialog).startsWith("Different: 1 of 1 differ. All parts take 3 ms"), qPrintable(state(dialog)));
        QCOMPARE(row(dialog, "outputs", 0), QStringList({"fourth", "float32 [2, 3]", "no", "0.25", "infinite"}));
        const QStringList part = row(dialog, "parts", 1);
        QCOMPARE(part.first(3), QStringList({"stage1", "cpu", "2 ms"}));
        QVERIFY2(!part[3].isEmpty() && part[4].endsWith("×"), qPrintable(part.join(" | ")));
        QCOMPARE(part[5], QString("4.0 kB"));
        QVERIFY2(part[6].endsWith(" B"), qPrintable(part[6]));
        const QString notes = test::childOf<QLabel>(dialog, "notes").text();
        QVERIFY2(notes.contains("the cost model for gpu") && notes.contains("with PyTorch 9.9, Python 3.99"), qPrintable(notes));
        QVERIFY(details(dialog).contains("first value that differs"));
    }

    void theMeasuredSecondsBecomeCosts()
    {
        const PartsRunDialog& dialog = run(answering(kResult));
        press(dialog, "take");
        QCOMPARE(document().costs().measured().of(node("second")).seconds, std::optional(0.0005));
        QCOMPARE(document().costs().originsOf(std::array{node("second")}), QString("run in PyTorch"));
        QVERIFY(!test::childOf<QPushButton>(dialog, "take").isEnabled());
    }

    void theProcessGetsTheExportedPartsAndTheModel()
    {
        run(answering(kResult));
        const QStringList words = written("words").split(QLatin1Char('\n'));
        QVERIFY2(words.contains("sunder.running") && words.contains(m_model), qPrintable(words.join(" | ")));
        QVERIFY(written("manifest").contains("\"stage1\""));
        QVERIFY(QFile::exists(written("package").trimmed() + "/sunder/running/__main__.py"));
    }

    void saysWhatIsMissing()
    {
        const PartsRunDialog& dialog = run("echo '{\"missing\": \"has no PyTorch\"}'");
        QVERIFY2(state(dialog).startsWith("No usable Python: ") && state(dialog).contains("python has no PyTorch"),
                 qPrintable(state(dialog)));
        QCOMPARE(QSettings().value("torchPython").toString(), python()); // for the next time
    }

    void showsTheErrorsOfTheProcess()
    {
        const PartsRunDialog& dialog = run("echo 'Traceback' >&2; echo 'ValueError: odd' >&2; exit 1");
        QVERIFY2(state(dialog).contains("the process ended with status 1."), qPrintable(state(dialog)));
        QVERIFY(details(dialog).contains("ValueError: odd"));
        QVERIFY(!test::childOf<QPushButton>(dialog, "take").isEnabled());
    }

    void refusesTagsThatCannotBeCut()
    {
        document().painting().paint(std::array{node("second")}, 1); // first and fourth around it
        document().painting().paint(std::array{node("third")}, 0);
        const PartsRunDialog& dialog = run(answering(kResult));
        QVERIFY2(state(dialog).startsWith("The parts were not run: second (tag stage1) feeds third"), qPrintable(state(dialog)));
        QVERIFY(!QFile::exists(m_folder.filePath("words")));
    }

    void stopKillsTheProcessAndItsChildren()
    {
        write("sleep 600 & echo $! > \"$FOLDER/child\"; echo '{\"step\": \"Measure stage0\", \"share\": 0.5}'; wait");
        PartsRunDialog& dialog = show();
        press(dialog, "run", false);
        QTRY_VERIFY2(state(dialog).startsWith("Measure stage0"), qPrintable(state(dialog)));
        QVERIFY(test::childOf<QProgressBar>(dialog, "progress").isVisible());
        const int child = written("child").trimmed().toInt();
        QVERIFY(child > 0 && ::kill(child, 0) == 0);
        press(dialog, "run");
        QCOMPARE(state(dialog), QString("Stopped."));
        QTRY_VERIFY(!isRunning(child));
    }

private:
    static constexpr const char* kResult =
        R"({"outputs": [{"name": "fourth", "shape": [2, 3], "dtype": "float32", "equal": false,)"
        R"( "largest": 0.25, "relative": "infinite", "why": "1 of 6 elements differ"}],)"
        R"( "parts": [{"name": "stage0", "device": "cpu", "seconds": 0.001, "memory": 96},)"
        R"( {"name": "stage1", "device": "cpu", "seconds": 0.002, "memory": 4000}],)"
        R"( "agreement": "different: 1 of 1 differ\nfourth; the first value that differs is x",)"
        R"( "equal": false, "whole_seconds": 0.0025, "device": "cpu, 2 threads", "notes": ["A note."],)"
        R"( "costs": {"nodes": {"first": {"seconds": 0.0005}, "second": {"seconds": 0.0005}}}})";

    [[nodiscard]] QString python() const { return m_folder.filePath("python"); }

    /// Commands of a process that reports what it got and a result.
    static QByteArray answering(const char* result)
    {
        return QByteArray("printf '%s\\n' \"$@\" > \"$FOLDER/words\"; cat \"$4/manifest.json\" > \"$FOLDER/manifest\"\n"
                          "echo \"${PYTHONPATH%%:*}\" > \"$FOLDER/package\"\n"
                          "echo '{\"release\": \"PyTorch 9.9, Python 3.99\"}'; cat <<'END'\n")
            + result + "\nEND\n";
    }

    void write(const QByteArray& commands)
    {
        QFile file(python());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nFOLDER='" + m_folder.path().toUtf8() + "'\n" + commands + "\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        for (const char* name : {"words", "manifest", "package", "child"})
            QFile::remove(m_folder.filePath(name));
    }

    PartsRunDialog& show()
    {
        actions().runParts->trigger();
        settle();
        auto& dialog = test::childOf<PartsRunDialog>(*m_window);
        auto& field = test::childOf<QLineEdit>(dialog, "python");
        QTest::mouseClick(&field, Qt::LeftButton);
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(&field, python());
        return dialog;
    }

    const PartsRunDialog& run(const QByteArray& commands)
    {
        write(commands);
        PartsRunDialog& dialog = show();
        press(dialog, "run");
        return dialog;
    }

    void press(const PartsRunDialog& dialog, const char* button, bool waits = true)
    {
        QTest::mouseClick(&test::childOf<QPushButton>(dialog, button), Qt::LeftButton);
        if (waits)
            settle();
    }

    [[nodiscard]] QString written(const char* name) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    /// Returns false also for a process that has ended and that nobody has waited for.
    static bool isRunning(int process)
    {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(process));
        return stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
    }

    static QString state(const PartsRunDialog& dialog) { return test::childOf<QLabel>(dialog, "state").text(); }
    static QString details(const PartsRunDialog& dialog)
    {
        return test::childOf<QPlainTextEdit>(dialog, "details").toPlainText();
    }
    static QStringList row(const PartsRunDialog& dialog, const char* table, int at)
    {
        const QAbstractItemModel& model = *test::childOf<QTableView>(dialog, table).model();
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells += model.index(at, column).data().toString();
        return cells;
    }
};

const test::Registered<WindowPartsRunTest> windowPartsRunTest("window_parts_run_test");
#include "window_parts_run_test.moc"
