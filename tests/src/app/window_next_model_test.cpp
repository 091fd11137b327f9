#include "app/bottom_panel.h"
#include "panels/problems_panel.h"
#include "panels/steps_panel.h"
#include "panes/compare/compare_pane.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QDockWidget>
#include <QLabel>
#include <QStatusBar>

using namespace sunder;

/// Opening another model resets the window: no empty pane, armed tool, tab, or text remains.
class WindowNextModelTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        QSettings().clear();
        showWindow();
        openModel();
    }
    void cleanup() { closeWindow(); }

    void noEmptyComparePaneIsLeft()
    {
        split();
        workflow().run("split");
        QTRY_COMPARE(document().runs().list().size(), 2U);
        workspace().compare(1, 2);
        ComparePane& compare = widget<ComparePane>();
        QTRY_VERIFY(compare.graphInFront() != nullptr);
        QVERIFY(compare.isVisible());
        openNext();
        QVERIFY(!compare.isVisible());
        for (const auto* dock : workspace().findChildren<QDockWidget*>())
            QVERIFY2(dock->isHidden(), qPrintable(dock->objectName()));
    }

    void emptyPanesOfAnArrangementGo()
    {
        for (const Arrangement& arrangement : arrangements())
            workspace().arrange(arrangement);
        openNext();
        // The timeline, of the last arrangement, follows the tags of any model.
        for (const auto* dock : workspace().findChildren<QDockWidget*>())
            QVERIFY2(dock->isHidden() != (dock->objectName() == QLatin1String("timeline")), qPrintable(dock->objectName()));
    }

    void noPaintToolStaysArmed()
    {
        QTest::keyClick(&sourcePane().canvas(), Qt::Key_B);
        QVERIFY(sourcePane().canvas().tool() == ToolKind::brush);
        openNext();
        QVERIFY(sourcePane().canvas().tool() == ToolKind::select);
        QVERIFY(actions().tool[static_cast<std::size_t>(ToolKind::select)]->isChecked());
        click(document().graph()[document().graph().order().back()].name.str().c_str());
        QVERIFY(!document().isModified());
    }

    void theTabOfTheLastModelIsNotInFront()
    {
        actions().showSteps->trigger();
        auto* bottom = m_window->findChild<BottomPanel*>();
        QVERIFY(qobject_cast<StepsPanel*>(bottom->currentWidget()) != nullptr);
        openNext();
        QVERIFY(bottom->currentWidget() == &widget<ProblemsPanel>());
    }

    void theTextOfAPickedTagGoesWithTheActiveTag()
    {
        paintBoth();
        sourcePane().canvas().setTool(ToolKind::eyedropper);
        click("first");
        QVERIFY2(says("The active tag is stage0."), qPrintable(said()));
        QTest::keyClick(&sourcePane().canvas(), Qt::Key_2);
        QCOMPARE(document().activeTag(), 1);
        QVERIFY2(!says("active tag"), qPrintable(said()));
    }

    void noTextOfTheLastModelStays()
    {
        paintBoth();
        sourcePane().canvas().setTool(ToolKind::eyedropper);
        click("first");
        openNext();
        QVERIFY2(!says("active tag") && says("Opened transformer.pt2"), qPrintable(said()));
    }

private:
    QString said()
    {
        QStringList all;
        for (const auto* label : m_window->statusBar()->findChildren<QLabel*>())
            all << label->text();
        return all.join(QLatin1Char('|'));
    }
    bool says(const char* text) { return said().contains(QLatin1String(text)); }

    /// Skips the question about the open model.
    void openNext()
    {
        const SnapshotPtr before = document().snapshot();
        forgetChanges();
        m_window->openModel(QStringLiteral(SUNDER_SOURCE "/resources/samples/transformer.pt2"));
        QTRY_VERIFY(!document().isOf(before));
        settle();
    }
};

const test::Registered<WindowNextModelTest> windowNextModelTest("window_next_model_test");
#include "window_next_model_test.moc"
