#include "app/workspace.h"
#include "dialogs/export_options.h"
#include "document/runs/moves_outcome.h"
#include "panels/runs_panel.h"
#include "panes/moves/moves_pane.h"
#include "pass_fixture.h"
#include "test_case.h"

#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListWidget>

using namespace sunder;

/// "Move non-tensor ops…" in the real window, by mouse and keyboard.
class WindowMovesTest final : public test::PassFixture {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        prepare();
        // `count` can move to the second part; `shape` is used in two other parts and stays.
        Program program = test::programFromText("x = placeholder() : 2x3\n"
                                                "lin = relu(x) : 2x3\n"
                                                "count = numel(lin)\n"
                                                "shape = size(lin)\n"
                                                "flat = view(lin, count) : 6\n"
                                                "wide = expand(flat, shape) : 6\n"
                                                "last = view(wide, shape) : 6\n"
                                                "output(last)\n");
        Graph& graph = program.rootGraph();
        graph.meta(graph.find(intern("count"))).val = Argument::integer(6);
        graph.meta(graph.find(intern("shape"))).val = Argument::integer(2);
        m_model = m_folder.filePath("sizes.fxj");
        QVERIFY(writeFxJson(program, m_model.toStdString()).has_value());
    }
    void init() { showFreshWindow(); }
    void cleanup() { closeWindow(); }

    void movesOpsAndSaysWhyOthersStay()
    {
        openModel();
        paintThree();
        PassOptionsDialog* dialog = ask();
        QVERIFY2(dialog->runButton().isEnabled(), qPrintable(dialog->missing()));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        QCOMPARE(tagOf("count"), 1);
        QCOMPARE(tagOf("shape"), 0);
        QCOMPARE(cells(),
                 QStringList({"count: stage0 → stage1: moved",
                              "shape: stage0: stays: shape is used by wide in stage1 and by last in stage2; it can move to only "
                              "one of them"}));
        QVERIFY(pane()->isVisible());
        QVERIFY2(pane()->header().status().contains("1 op moved, 1 on a boundary"), qPrintable(pane()->header().status()));
        QVERIFY2(pane()->header().statusDetail().contains("Accelerator parts: all"), qPrintable(pane()->header().statusDetail()));

        actions().undo->trigger();
        QCOMPARE(tagOf("count"), 0);
        actions().redo->trigger();
        QCOMPARE(tagOf("count"), 1);
    }

    void aLineLeadsToItsOp()
    {
        openModel();
        paintThree();
        QTest::keyClick(ask(), Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        QTreeView& view = pane()->view();
        const QRect line = view.visualRect(view.model()->index(1, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, line.center());
        QCOMPARE(document().marks().selection().source, std::vector{node("shape")});
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(document().marks().selection().source, std::vector{node("count")});
        document().marks().select({node("shape")});
        QTRY_COMPARE(view.currentIndex().row(), 1);
    }

    void onlyPartsForAnAcceleratorAreEmptied()
    {
        openModel();
        paintThree();
        PassOptionsDialog* dialog = ask();
        auto& tags = static_cast<QListWidget&>(dialog->field("accelerators"));
        QCOMPARE(tags.count(), 3);
        tags.setFocus();
        QTest::keyClick(&tags, Qt::Key_End);
        QTest::keyClick(&tags, Qt::Key_Space);
        QTest::mouseClick(&dialog->runButton(), Qt::LeftButton);
        QTRY_VERIFY(shown() != nullptr);
        QCOMPARE(tagOf("count"), 0);
        QVERIFY2(cells().join(' ').contains("is not on an accelerator"), qPrintable(cells().join(' ')));
        const QStringList options = optionsOf(document().runs().list().back());
        QVERIFY2(options.contains("Accelerator parts: stage2"), qPrintable(options.join(' ')));
    }

    void refusesAModelWithoutTags()
    {
        openModel();
        PassOptionsDialog* dialog = ask();
        QVERIFY(!dialog->runButton().isEnabled());
        QVERIFY2(dialog->missing().contains("No op has a tag"), qPrintable(dialog->missing()));
        QTest::keyClick(dialog, Qt::Key_Escape);
    }

    void runsAgainWithOtherOptionsFromThePane()
    {
        openModel();
        paintThree();
        QTest::keyClick(ask(), Qt::Key_Return);
        QTRY_COMPARE(document().runs().list().size(), std::size_t(1));
        actions().undo->trigger();
        QToolButton* again = nullptr;
        for (QToolButton* button : pane()->header().findChildren<QToolButton*>())
            if (button->toolTip().startsWith("Run again"))
                again = button;
        QVERIFY(again != nullptr);
        QTest::mouseClick(again, Qt::LeftButton);
        PassOptionsDialog* dialog = openDialog();
        QVERIFY(dialog != nullptr);
        QTest::keyClick(&dialog->field("telling"), Qt::Key_End);
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE(document().runs().list().size(), std::size_t(2));
        QCOMPARE(nameOf(document().runs().list().back()), QStringLiteral("Move non-tensor ops, by out_type"));
    }

    void exportsWhatMovedAndWhatStays()
    {
        openModel();
        paintThree();
        QTest::keyClick(ask(), Qt::Key_Return);
        QTRY_VERIFY(shown() != nullptr);
        const QString path = m_folder.filePath("moves.json");
        ExportDialog* dialog = exportDialog("moves", path);
        QTRY_VERIFY2(dialog->statusText().contains("Wrote 1 file"), qPrintable(dialog->statusText()));
        dialog->close();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject moves = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(moves["moved"].toArray().first().toObject(),
                 QJsonObject({{"node", "count"}, {"from", "stage0"}, {"to", "stage1"}}));
        QCOMPARE(moves["staying"].toArray().first()["reason"].toString(), QStringLiteral("several-subgraphs"));
    }

private:
    MovesOutcomePtr shown() const { return document().runs().shown<MovesOutcomePtr>(); }
    MovesPane* pane() const { return m_window->findChild<MovesPane*>(); }
    int tagOf(const char* name) const { return document().tags()[node(name)]; }

    /// The rows of the pane: "op: tag: outcome".
    QStringList cells() const
    {
        QStringList lines;
        const QAbstractItemModel& model = *pane()->view().model();
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
            lines << cells.join(": ");
        }
        return lines;
    }

    void paintThree()
    {
        while (document().tagCount() < 3)
            document().tagList().add();
        document().painting().paint(std::array{node("lin"), node("count"), node("shape")}, 0);
        document().painting().paint(std::array{node("flat"), node("wide")}, 1);
        document().painting().paint(std::array{node("last")}, 2);
    }

    /// Opens the form with its key.
    PassOptionsDialog* ask() { return askBy(Qt::Key_M); }
};

const test::Registered<WindowMovesTest> windowMovesTest("window_moves_test");
#include "window_moves_test.moc"
