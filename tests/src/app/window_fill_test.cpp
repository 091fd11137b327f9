#include "panes/fill_bar.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QLabel>
#include <QStatusBar>

#include <algorithm>

using namespace sunder;

/// Fill, wand, eyedropper, and the other tools in the window, by mouse and by keyboard, as undo steps.
class WindowFillTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        showWindow();
        openModel(); // x → first → second → third → fourth ← first
    }
    void cleanup() { closeWindow(); }

    void aFillByMouseIsOneNamedStep()
    {
        chooseFill(FillScope::needing);
        document().tagList().setActive(1);
        click("second");
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("- 1 1 1"));
        QCOMPARE(document().steps().undoText(), QString("Fill everything that needs second with stage1: 3 ops"));
        document().undo();
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("- - - -"));
        document().redo();
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("- 1 1 1"));
    }

    void thePreviewSaysWhatItTakesAndWhetherTheCutStaysLegal()
    {
        document().painting().paint(std::array{node("first"), node("second"), node("third"), node("fourth")}, 0);
        document().tagList().setActive(1);
        chooseFill(FillScope::needing);
        hover("third");
        QVERIFY(preview().words().startsWith("everything that needs third → stage1; "));
        QCOMPARE(preview().amount, QString("2 ops"));
        QCOMPARE(preview().legality, QString("the cut stays legal"));
        QVERIFY(!preview().isWorse);
        QCOMPARE(preview().nodes, (std::vector{node("third"), node("fourth")}));
        scopes(FillScope::needed);
        QCOMPARE(preview().legality, QString("adds 2 backward edges"));
        QVERIFY(preview().isWorse);
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("0 0 0 0")); // nothing has been painted yet
    }

    void theStatusLineSaysWhatWasDone()
    {
        chooseFill(FillScope::needing);
        document().tagList().setActive(1);
        click("third");
        const QList<QLabel*> labels = m_window->statusBar()->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().startsWith("Filled everything that needs third with stage1: 2 ops; no backward edges");
        }));
    }

    void byKeysAlone()
    {
        canvas().setFocus();
        canvas().setCurrentNode(node("first"));
        document().tagList().setActive(0);
        QTest::keyClick(&canvas(), Qt::Key_G);
        QCOMPARE(canvas().tool(), ToolKind::fill);
        while (fills().scope() != FillScope::needing)
            QTest::keyClick(&canvas(), Qt::Key_S);
        QTest::keyClick(&canvas(), Qt::Key_Down); // second or fourth
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(document().steps().count(), 1);
        QVERIFY(document().steps().undoText().startsWith("Fill everything that needs "));
    }

    void betweenTwoPicksByKeysAndByMouse()
    {
        document().tagList().setActive(1);
        chooseFill(FillScope::between);
        canvas().setFocus();
        canvas().setCurrentNode(node("second"));
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(document().steps().count(), 0);
        click("fourth");
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("- 1 1 1"));
        QVERIFY(document().steps().undoText().startsWith("Fill from second to fourth with stage1"));
        click("first"); // a new first pick
        QCOMPARE(document().steps().count(), 1);
        QTest::keyClick(&canvas(), Qt::Key_Escape);
        click("third"); // Escape discarded it, so this is a first pick again
        QCOMPARE(document().steps().count(), 1);
    }

    void whyNothingIsTaken()
    {
        chooseFill(FillScope::moduleClass);
        hover("second");
        QVERIFY(preview().title.contains("No module of known class contains second"));
        click("second");
        QCOMPARE(document().steps().count(), 0);
    }

    void occurrencesAreFoundByAJob()
    {
        chooseFill(FillScope::occurrences);
        hover("second");
        settle();
        QVERIFY(preview().title.contains("No repeated region contains second"));
    }

    void theWandHasItsOwnScope()
    {
        actions().tool[static_cast<std::size_t>(ToolKind::wand)]->trigger();
        QCOMPARE(fills().scope(), FillScope::alike);
        document().tagList().setActive(0);
        click("second");
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("- 0 - -"));
    }

    void theBarIsThereWhileItIsOfUse()
    {
        auto* bar = m_window->findChild<FillBar*>();
        QVERIFY(bar != nullptr && !bar->isVisible());
        actions().tool[static_cast<std::size_t>(ToolKind::fill)]->trigger();
        QVERIFY(bar->isVisible());
        for (QAction* action : bar->actions())
            if (action->text() == "Class")
                action->trigger();
        QCOMPARE(fills().scope(), FillScope::moduleClass);
        actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        QVERIFY(!bar->isVisible());
    }

    void aCommandChoosesFillWithItsScope()
    {
        actions().fillScopes[static_cast<std::size_t>(FillScope::needed)]->trigger();
        QCOMPARE(canvas().tool(), ToolKind::fill);
        QCOMPARE(fills().scope(), FillScope::needed);
        QVERIFY(actions().tool[static_cast<std::size_t>(ToolKind::fill)]->isChecked());
    }

    void theEyedropperTakesTheTag()
    {
        paintBoth();
        document().tagList().setActive(0);
        actions().tool[static_cast<std::size_t>(ToolKind::eyedropper)]->trigger();
        click("fourth");
        QCOMPARE(document().activeTag(), 1);
        canvas().setFocus();
        canvas().setCurrentNode(node("first"));
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(document().activeTag(), 0);
        document().painting().erase(std::array{node("fourth")});
        click("fourth");
        QCOMPARE(document().activeTag(), 0); // the op has no tag
    }

    void spacePaintsWithTheBrush()
    {
        actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        canvas().setFocus();
        canvas().setCurrentNode(node("third"));
        document().tagList().setActive(1);
        QTest::keyClick(&canvas(), Qt::Key_Space);
        QCOMPARE(tagsOf({"first", "second", "third", "fourth"}), QString("- - 1 -"));
    }

    void aStrokeOverALockedTagShowsWhatStays()
    {
        document().painting().paint(std::array{node("second")}, 0);
        document().tagList().setLocked(0, true);
        document().tagList().setActive(1);
        actions().tool[static_cast<std::size_t>(ToolKind::brush)]->trigger();
        const QPoint at = canvas().viewRectOf(canvas().scene().itemOf(node("second"))).center().toPoint();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, at);
        QCOMPARE(canvas().scene().style().tag(node("second")), 0);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, at);
        QCOMPARE(canvas().scene().style().tag(node("second")), 0);
        QCOMPARE(document().tags()[node("second")], 0);
    }

    void aFillSaysWhatIsLocked()
    {
        document().painting().paint(std::array{node("second")}, 0);
        document().tagList().setLocked(0, true);
        document().tagList().setActive(1);
        chooseFill(FillScope::sameOperator);
        hover("second");
        QCOMPARE(preview().amount, QString("nothing to change: 1 op keeps its tag: stage0 is locked"));
    }

    void aFillFollowsUndoWhileItPoints()
    {
        document().tagList().setActive(0);
        chooseFill(FillScope::sameOperator);
        hover("second");
        QCOMPARE(preview().amount, QString("1 op"));
        document().painting().paint(std::array{node("second")}, 0);
        QCOMPARE(preview().amount, QString("nothing to change: 1 op unchanged"));
        document().undo();
        QCOMPARE(preview().amount, QString("1 op"));
    }

private:
    CanvasWidget& canvas() { return sourcePane().canvas(); }
    SourceFills& fills() { return sourcePane().fills(); }
    const FillPreview& preview() { return canvas().fillPreview(); }
    void scopes(FillScope scope) { fills().setScope(scope); }
    void chooseFill(FillScope scope)
    {
        actions().tool[static_cast<std::size_t>(ToolKind::fill)]->trigger();
        fills().setScope(scope);
        test::handlePending();
    }
    void hover(const char* name)
    {
        const QPointF at = canvas().viewRectOf(canvas().scene().itemOf(node(name))).center();
        QMouseEvent event(QEvent::MouseMove, at, canvas().mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(&canvas(), &event);
    }
    QString tagsOf(const std::vector<const char*>& names)
    {
        QStringList tags;
        for (const char* name : names)
            tags << (document().tags()[node(name)] < 0 ? QStringLiteral("-") : QString::number(document().tags()[node(name)]));
        return tags.join(' ');
    }
};

const test::Registered<WindowFillTest> windowFillTest("window_fill_test");
#include "window_fill_test.moc"
