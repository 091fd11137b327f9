#include "app/workspace.h"
#include "panels/search_field.h"
#include "panes/graph_view.h"
#include "panes/submodules/code_document.h"
#include "panes/submodules/code_panel.h"
#include "panes/submodules/names_panel.h"
#include "panes/submodules/submodules_bar.h"
#include "panes/submodules/submodules_pane.h"
#include "panes/submodules/tile_grid.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeView>

using namespace sunder;

/// The Submodules pane: interface, code, names, and tiles, linked with the graphs.
class WindowSubmodulesTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().remove("submodules");
        showWindow();
    }
    void cleanup() { closeWindow(); }

    void dimsWhatIsNotTheCodeItself()
    {
        const auto spans = codeSpans(u"    add = torch.ops.aten.add.Tensor(x, 2, 'a');  x = None");
        QCOMPARE(spans.size(), std::size_t(4));
        QCOMPARE(spans[0].word, CodeWord::path);
        QCOMPARE(spans[1].word, CodeWord::number);
        QCOMPARE(spans[2].word, CodeWord::text);
        QCOMPARE(spans[3].word, CodeWord::freed);
        QVERIFY(codeSpans(u"").empty());
        QVERIFY(codeSpans(u"'unfinished\\").size() == 1);
    }

    void listsWhatAPartTakesAndGives()
    {
        splitModel();
        SubmoduleView& page = openPart(1);
        InterfaceModel& model = page.interfacePanel().interfaceModel();
        QTRY_COMPARE(model.summary(), QString("1 input · 2 outputs"));
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(pane().bar().summary(), model.summary());
        const QModelIndex inputs = model.index(InterfaceModel::InputGroup, 0);
        QCOMPARE(model.index(0, InterfaceModel::WayColumn, inputs).data().toString(), QString("program input"));
        const QModelIndex outputs = model.index(InterfaceModel::OutputGroup, 0);
        QCOMPARE(model.index(0, InterfaceModel::WayColumn, outputs).data().toString(), QString("to stage1"));
        QVERIFY(model.index(0, 0, outputs).data(Qt::AccessibleTextRole).toString().contains("to stage1"));
    }

    void theInterfaceIsOpenWhereTheGraphHasRoomBesides()
    {
        splitModel();
        qobject_cast<QDockWidget*>(pane().parentWidget())->raise(); // raises it above the partition DAG
        m_window->resize(1440, 700);
        QTRY_VERIFY(pane().height() < 560);
        QVERIFY(!pane().bar().isInterfaceOpen());
        m_window->resize(1440, 900); // as a tab, it has the full height
        QTRY_VERIFY(pane().height() >= 560);
        QVERIFY(pane().bar().isInterfaceOpen());
        m_window->resize(1440, 700);
        QTRY_VERIFY(!pane().bar().isInterfaceOpen());
        QTest::mouseClick(&pane().bar().interfaceButton(), Qt::LeftButton); // an explicit choice
        m_window->resize(1440, 900);
        m_window->resize(1440, 700);
        QTRY_VERIFY(pane().height() < 560);
        QVERIFY(pane().bar().isInterfaceOpen());
    }

    void picksANodeFromTheInterface()
    {
        splitModel();
        pane().bar().interfaceButton().setChecked(false); // an explicit choice, independent of the size
        pane().bar().interfaceButton().setChecked(true);
        SubmoduleView& page = openPart(1);
        InterfacePanel& table = page.interfacePanel();
        QTRY_VERIFY(table.interfaceModel().rowCount() > 0);
        const QModelIndex outputs = table.interfaceModel().index(InterfaceModel::OutputGroup, 0);
        const QModelIndex row = table.interfaceModel().index(0, 0, outputs);
        table.scrollTo(row);
        QTRY_VERIFY(table.isVisible() && table.viewport()->rect().contains(table.visualRect(row).center()));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(row).center());
        QCOMPARE(document().marks().selection().source.size(), std::size_t(1));
        document().marks().select({node("x")});
        QVERIFY(table.currentIndex().parent() == table.interfaceModel().index(InterfaceModel::InputGroup, 0));
    }

    void linksLinesOfCodeAndNodesBothWays()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::code), Qt::LeftButton);
        SubmoduleView& page = openPart(2);
        CodeView& code = codeOf(page);
        QVERIFY2(code.toPlainText().startsWith("def forward(self"), qPrintable(code.toPlainText()));
        const int line = lineWith(code, "third =");
        QVERIFY(line > 0);
        const QRect at = code.cursorRect(QTextCursor(code.document()->findBlockByNumber(line)));
        QTest::mouseClick(code.viewport(), Qt::LeftButton, {}, QPoint(60, at.center().y()));
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
        QVERIFY(sourcePane().canvas().pictureStyle().selected.contains(node("third")));
        QVERIFY(code.isMarked(line));

        document().marks().select({node("fourth")});
        QVERIFY(code.isMarked(lineWith(code, "fourth =")));
        QVERIFY(!code.isMarked(line));
        document().marks().setHovered({node("third")});
        QVERIFY(code.isMarked(line));
    }

    void picksALineByKeyboard()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::code), Qt::LeftButton);
        CodeView& code = codeOf(openPart(2));
        code.setFocus();
        QTextCursor cursor(code.document()->findBlockByNumber(lineWith(code, "third =")));
        code.setTextCursor(cursor);
        QTest::keyClick(&code, Qt::Key_Down);
        QTest::keyClick(&code, Qt::Key_Return);
        QCOMPARE(document().marks().selection().source, std::vector{node("fourth")});
    }

    void marksHitsOfTheSearchInTheCode()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::code), Qt::LeftButton);
        SubmoduleView& page = openPart(2);
        CodeView& code = codeOf(page);
        widget<SearchField>().setText("op:tanh");
        QVERIFY(code.isFound(lineWith(code, "third =")));
        QVERIFY(!code.isFound(lineWith(code, "fourth =")));
        QCOMPARE(page.code()->countText(), QString("1 hit"));
        QCOMPARE(code.scrollBar().marks().size(), std::size_t(1));
        CodeView& main = codeOf(openPart(0)); // printed while a search is active
        QVERIFY(main.isFound(lineWith(main, "self.stage1(")));
        QVERIFY(!main.isFound(lineWith(main, "self.stage0(")));
        widget<SearchField>().clear();
        QVERIFY(!code.isFound(lineWith(code, "third =")));
        QVERIFY(page.code()->countText().isEmpty());
        QVERIFY(code.scrollBar().marks().empty());
    }

    void goesToTheNextHitInTheCode()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::code), Qt::LeftButton);
        SubmoduleView& page = openPart(2);
        CodeView& code = codeOf(page);
        widget<SearchField>().setText("t"); // third and fourth; their inputs are on the first line but run elsewhere
        QCOMPARE(page.code()->countText(), QString("2 hits"));
        code.setFocus();
        QTest::keyClick(&code, Qt::Key_J);
        QCOMPARE(code.textCursor().blockNumber(), lineWith(code, "third ="));
        QVERIFY(code.textCursor().selectedText().startsWith("third"));
        QTest::keyClick(&code, Qt::Key_J);
        QCOMPARE(code.textCursor().blockNumber(), lineWith(code, "fourth ="));
        QTest::keyClick(&code, Qt::Key_J, Qt::ShiftModifier);
        QCOMPARE(code.textCursor().blockNumber(), lineWith(code, "third ="));
        QTest::keyClick(&code, Qt::Key_Return);
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
        for (QToolButton* button : page.code()->findChildren<QToolButton*>())
            if (button->accessibleName().startsWith("Next match"))
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(code.textCursor().blockNumber(), lineWith(code, "fourth ="));
    }

    void findsAndCopiesCode()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::code), Qt::LeftButton);
        SubmoduleView& page = openPart(2);
        CodeView& code = codeOf(page);
        code.setFocus();
        QTest::keyClick(&code, Qt::Key_F, Qt::ControlModifier);
        QLineEdit& field = page.code()->findField();
        QTRY_VERIFY(field.hasFocus());
        QTest::keyClicks(&field, "third");
        QCOMPARE(page.code()->countText(), QString("3 matches"));
        QCOMPARE(code.textCursor().selectedText(), QString("third"));
        const int first = code.textCursor().position();
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(code.textCursor().position() > first);
        QTest::keyClick(&field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(code.textCursor().position(), first);
        QTest::keyClick(&field, Qt::Key_Escape);
        code.moveCursor(QTextCursor::Start);
        page.code()->copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), code.toPlainText() + "\n");
    }

    void colorsOfLongCodeOnlyWhatIsInSight()
    {
        std::string lines = "n0 = placeholder()\n";
        for (int i = 1; i <= 20'000; ++i)
            lines += "n" + std::to_string(i) + " = relu(n" + std::to_string(i - 1) + ")\n";
        auto outcome = std::make_shared<SplitOutcome>();
        outcome->split.program = test::programFromText(lines + "output(n20000)\n");
        const PartPage page{.run = 1, .outcome = outcome, .graph = outcome->split.program.root, .name = "main"};
        CodePanel panel;
        panel.resize(600, 400);
        panel.show();
        const auto code = makeCodeDocument(page, panel.view().font(), ProgressMonitor::none());
        QVERIFY(code.has_value());
        panel.setCode(*code);
        QCOMPARE(panel.view().document(), (*code)->document.get()); // reused, not created again
        panel.view().setSelectedNodes({outcome->split.program.rootGraph().find(intern("n15000"))});
        panel.view().showNodes({outcome->split.program.rootGraph().find(intern("n15000"))});
        panel.view().viewport()->repaint();
        QVERIFY(panel.view().isMarked(15000));
        const int inSight = panel.view().viewport()->height() / panel.view().fontMetrics().lineSpacing() + 2;
        QVERIFY(coloredLines(panel.view()) > 0);
        QVERIFY2(coloredLines(panel.view()) <= 4 * inSight, qPrintable(QString::number(coloredLines(panel.view()))));
        panel.findField().setText("n19999");
        QVERIFY(panel.countText().contains("match"));
        QVERIFY2(coloredLines(panel.view()) <= 4 * inSight, qPrintable(QString::number(coloredLines(panel.view()))));
    }

    void showsGraphAndCodeTogetherWhereThereIsRoom()
    {
        splitModel();
        SubmoduleView& page = openPart(1);
        QVERIFY(!pane().bar().button(SubmoduleMode::both).isEnabled());
        QCOMPARE(page.shownMode(), SubmoduleMode::graph);
        qobject_cast<QDockWidget*>(pane().parentWidget())->raise(); // raises it above the partition DAG
        workspace().toggleMaximized(pane());
        QTRY_VERIFY(pane().width() >= SubmoduleView::kRoomForBoth);
        QCOMPARE(page.shownMode(), SubmoduleMode::both);
        QVERIFY(page.graph()->isVisible() && page.code()->isVisible());
        workspace().toggleMaximized(pane());
        QTRY_VERIFY(!page.code()->isVisible());
    }

    void listsAndSearchesNames()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::names), Qt::LeftButton);
        SubmoduleView& page = openPart(2);
        NamesPanel& names = *page.names();
        QTRY_VERIFY(names.model().rowCount() > 0);
        const QAbstractItemModelTester tester(&names.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int all = names.model().rowCount();
        QTest::keyClicks(&names.filterField(), "nowhere");
        const auto* nothing = names.findChild<QLabel*>("nothing");
        QVERIFY(nothing->isVisible() && !names.view().isVisible());
        names.filterField().clear();
        QVERIFY(!nothing->isVisible() && names.view().isVisible());
        QTest::keyClicks(&names.filterField(), "THIRD");
        QCOMPARE(names.model().rowCount(), 1);
        QVERIFY(all > 1);
        const QModelIndex row = names.model().index(0, 0);
        QTest::mouseClick(names.view().viewport(), Qt::LeftButton, {}, names.view().visualRect(row).center());
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
    }

    void stepsThroughPartsByKeyboard()
    {
        splitModel();
        pane().tabs().setFocus();
        QTest::keyClick(&pane().tabs(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(pane().tabs().currentIndex(), 1);
        QTest::keyClick(&pane().tabs(), Qt::Key_PageUp, Qt::ControlModifier);
        QTest::keyClick(&pane().tabs(), Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(pane().tabs().currentIndex(), 2);
    }

    void showsAllPartsAsTiles()
    {
        splitModel();
        openPart(1);
        QTest::mouseClick(&pane().bar().tilesButton(), Qt::LeftButton);
        TileGrid& tiles = pane().tiles();
        QTRY_VERIFY(tiles.isVisible());
        QCOMPARE(tiles.tileCount(), 3);
        QTRY_VERIFY(tiles.content(0) != nullptr && tiles.content(1) != nullptr);
        auto* part = static_cast<SubmoduleView*>(tiles.content(1));
        QTRY_VERIFY(part->graph()->canvas().picture() != nullptr);
        document().marks().select({node("second")});
        const Graph& graph = part->page().nodes();
        QVERIFY(part->graph()->canvas().pictureStyle().selected.contains(graph.find(intern("second"))));
        settle();
        CanvasWidget& canvas = part->graph()->canvas(); // fits a tile completely
        for (std::size_t i = 0; i < canvas.picture()->items.size(); ++i)
            QVERIFY(QRectF(canvas.rect()).contains(canvas.viewRectOf(ItemId(static_cast<std::uint32_t>(i)))));
        QTest::mouseClick(&pane().bar().tilesButton(), Qt::LeftButton);
        QVERIFY(!tiles.isVisible());
        QVERIFY(pane().currentPage()->isVisible());
    }

    void letsGoOfTilesThatAreFarAway()
    {
        TileGrid grid;
        grid.resize(400, 300);
        QSet<int> held;
        connect(&grid, &TileGrid::contentWanted, &grid, [&](int tile) {
            held.insert(tile);
            grid.setContent(tile, new QWidget);
        });
        connect(&grid, &TileGrid::contentUnwanted, &grid, [&](int tile) {
            held.remove(tile);
            grid.content(tile)->deleteLater();
        });
        grid.setTiles(std::vector<TileGrid::Tile>(60));
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid, test::kHangMs));
        for (int value = 0; value <= grid.verticalScrollBar()->maximum(); value += 200)
            grid.verticalScrollBar()->setValue(value);
        QVERIFY(held.size() <= TileGrid::kMaxFilled);
        QVERIFY(held.contains(59) || held.contains(58));
    }

    void outlivesTheRunThatItShowed()
    {
        splitModel();
        QTest::mouseClick(&pane().bar().button(SubmoduleMode::code), Qt::LeftButton);
        openPart(1);
        document().runs().discard(document().runs().shown(SplitOutcome::kKind));
        settle();
        QVERIFY(pane().currentPage() == nullptr);
        QCOMPARE(pane().tabs().count(), 0);
    }

private:
    SubmodulesPane& pane() { return widget<SubmodulesPane>(); }

    void splitModel()
    {
        openModel();
        split();
        QTRY_VERIFY(pane().isVisible());
    }

    SubmoduleView& openPart(int tab)
    {
        pane().tabs().setCurrentIndex(tab);
        return *pane().currentPage();
    }

    CodeView& codeOf(SubmoduleView& page)
    {
        settle();
        return page.code()->view();
    }

    /// Number of lines that have been colored.
    static int coloredLines(const CodeView& code)
    {
        int count = 0;
        for (QTextBlock block = code.document()->begin(); block.isValid(); block = block.next())
            count += block.userState() >= 0 ? 1 : 0;
        return count;
    }

    static int lineWith(const CodeView& code, const QString& text)
    {
        for (QTextBlock block = code.document()->begin(); block.isValid(); block = block.next())
            if (block.text().contains(text))
                return block.blockNumber();
        return -1;
    }
};

const test::Registered<WindowSubmodulesTest> windowSubmodulesTest("window_submodules_test");
#include "window_submodules_test.moc"
