#include "app/workspace.h"
#include "models/run_model.h"
#include "panels/runs_panel.h"
#include "panes/submodules/submodules_pane.h"
#include "pass_fixture.h"
#include "test_case.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSpinBox>

using namespace sunder;

/// "Split into partitions…" in the real window, by mouse and keyboard.
class WindowSplitModuleTest final : public test::PassFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { showFreshWindow(); }
    void cleanup() { closeWindow(); }

    void splitsByTagsAndVerifies()
    {
        openModel();
        paintBoth();
        PassOptionsDialog* dialog = ask();
        QVERIFY2(dialog->runButton().isEnabled(), qPrintable(dialog->missing()));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        QCOMPARE(partNames(), QStringList({"submod_stage0", "submod_stage1"}));
        QVERIFY(shown()->isProven());
        QVERIFY(document().runs().isSplitCurrent());
        QVERIFY(widget<SubmodulesPane>().isVisible());
        const QString detail = widget<SubmodulesPane>().header().statusDetail();
        QVERIFY2(detail.contains("One partition per: tag"), qPrintable(detail));
        document().painting().paint(std::array{node("second")}, 1);
        QVERIFY(!document().runs().isSplitCurrent());
    }

    void saysThatOpsHaveNoTagAndTakesModulesInstead()
    {
        openSample();
        document().painting().erase(document().graph().order());
        PassOptionsDialog* dialog = ask();
        auto& from = static_cast<QComboBox&>(dialog->field("from"));
        auto& level = static_cast<QSpinBox&>(dialog->field("level"));
        QVERIFY(!dialog->runButton().isEnabled());
        QVERIFY2(dialog->missing().contains("without a tag"), qPrintable(dialog->missing()));
        QVERIFY(!level.isEnabled());
        from.setFocus();
        QTest::keyClick(&from, Qt::Key_End);
        QVERIFY(level.isEnabled() && dialog->runButton().isEnabled());
        QTest::keyClick(&level, Qt::Key_Up);
        QTest::mouseClick(&dialog->runButton(), Qt::LeftButton);
        QTRY_VERIFY(shown() != nullptr);
        QVERIFY(shown()->split.parts.size() > 1);
        QVERIFY(shown()->isProven());
        QCOMPARE(nameOf(document().runs().list().back()), QStringLiteral("Split module, by modules"));
        QVERIFY(optionsOf(document().runs().list().back()).contains("Module level: 2"));
    }

    void takesPartitionsFromAFileAndSaysWhatIsWrongWithIt()
    {
        openModel();
        PassOptionsDialog* dialog = ask();
        auto& from = static_cast<QComboBox&>(dialog->field("from"));
        auto& path = static_cast<QLineEdit&>(dialog->field("file"));
        QVERIFY(!path.isEnabled());
        QTest::keyClick(&from, Qt::Key_Down);
        QVERIFY(path.isEnabled());
        QVERIFY2(dialog->missing().contains("choose a partitions file", Qt::CaseInsensitive), qPrintable(dialog->missing()));
        write("wrong.json", R"({"first":0,"second":0,"third":1,"fifth":1})");
        QTest::keyClicks(&path, m_folder.filePath("wrong.json"));
        QTest::keyClick(&path, Qt::Key_Return);
        MessageDialog* box = waitForBox();
        QVERIFY(box != nullptr);
        QVERIFY2(box->explanation().contains("fifth"), qPrintable(box->explanation()));
        QTest::keyClick(box, Qt::Key_Return);
        QTRY_VERIFY(m_window->findChild<MessageDialog*>() == nullptr);

        write("right.json", R"({"first":0,"second":0,"third":"head","fourth":"head"})");
        m_window->activateWindow(); // as window managers do
        QTRY_VERIFY(QApplication::activeWindow() == m_window.get());
        dialog = ask();
        QVERIFY(dialog != nullptr);
        QCOMPARE(static_cast<QLineEdit&>(dialog->field("file")).text(), m_folder.filePath("wrong.json")); // the last options
        static_cast<QLineEdit&>(dialog->field("file")).selectAll();
        QTest::keyClicks(&dialog->field("file"), m_folder.filePath("right.json"));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        QCOMPARE(partNames(), QStringList({"submod_0", "submod_head"}));
    }

    void runsAgainWithOtherOptionsFromTheHistory()
    {
        openModel();
        paintBoth();
        QTest::keyClick(ask(), Qt::Key_Return);
        QTRY_COMPARE(document().runs().list().size(), std::size_t(1));
        actions().showRuns->trigger();
        QTest::keyClick(&widget<RunsPanel>().view(), Qt::Key_R);
        PassOptionsDialog* dialog = openDialog();
        auto& tuple = static_cast<QCheckBox&>(dialog->field("tupleReturn"));
        QVERIFY(!tuple.isChecked());
        tuple.setFocus();
        QTest::keyClick(&tuple, Qt::Key_Space);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE(document().runs().list().size(), std::size_t(2));
        const RunModel& model = widget<RunsPanel>().model();
        QVERIFY(model.index(0, RunModel::NameColumn).data().toString().contains("results as tuples"));
        const QString options = model.index(0, RunModel::OptionsColumn).data().toString();
        QVERIFY2(options.contains("Return single results as 1-tuples: yes"), qPrintable(options));
        const QModelIndex first = model.index(1, RunModel::OptionsColumn);
        QCOMPARE(first.data().toString(), QString()); // only defaults
        QVERIFY(first.data(Qt::ToolTipRole).toString().contains("Return single results as 1-tuples: no"));
        QVERIFY(shown()->isProven());
    }

    void namesPartsAndTheirInputsAsAsked()
    {
        openModel();
        paintBoth();
        PassOptionsDialog* dialog = ask();
        auto& affix = dialog->field("partitionAffix");
        auto& inputs = static_cast<QCheckBox&>(dialog->field("dropOriginalInputNames"));
        affix.setFocus();
        QTest::keyClicks(&affix, QStringLiteral("pp"));
        inputs.setFocus();
        QTest::keyClick(&inputs, Qt::Key_Space);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        QCOMPARE(partNames(), QStringList({"submod_pp_stage0", "submod_pp_stage1"}));
        const Graph& part = shown()->split.program.graph(shown()->split.parts.front());
        QCOMPARE(part.node(part.first()).name.str(), std::string("arg_0"));
        QVERIFY(shown()->isProven());
        QCOMPARE(nameOf(document().runs().list().back()), QStringLiteral("Split module, by tags, numbered inputs"));
        QVERIFY(optionsOf(document().runs().list().back()).contains("Affix of part names: pp"));
    }

    void exportsItsParts()
    {
        openModel();
        paintBoth();
        QTest::keyClick(ask(), Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        const QString folder = m_folder.filePath("partitions");
        ExportDialog* dialog = exportDialog("parts", folder);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 3 files"), qPrintable(dialog->statusText()));
        dialog->close();
        QVERIFY(QDir(folder).exists("manifest.json"));
    }

private:
    SplitOutcomePtr shown() const { return document().runs().shownSplit(); }

    QStringList partNames() const
    {
        QStringList names;
        for (const InternedString name : shown()->split.partNames)
            names << QString::fromStdString(name.str());
        return names;
    }

    void write(const char* name, const char* text) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// Opens the form with its key.
    PassOptionsDialog* ask() { return askBy(Qt::Key_Return); }
};

const test::Registered<WindowSplitModuleTest> windowSplitModuleTest("window_split_module_test");
#include "window_split_module_test.moc"
