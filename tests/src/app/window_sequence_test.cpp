#include "canvas/canvas_widget.h"
#include "panes/sequence/boundary_card.h"
#include "panes/sequence/sequence_panel.h"
#include "test_case.h"
#include "window_fixture.h"

#include <QToolButton>

using namespace sunder;

/// The sequence strip next to the source, in the window.
class WindowSequenceTest final : public test::WindowFixture {
    Q_OBJECT

    SequencePanel& panel() { return sourcePane().sequence(); }
    SequenceStrip& strip() { return panel().strip(); }
    NodeId node(const char* name) { return document().graph().find(intern(name)); }
    std::int32_t tagInCanvas(const char* name) { return sourcePane().canvas().pictureStyle().tag(node(name)); }

private slots:
    void initTestCase() { prepare(); }
    void init()
    {
        QSettings().clear();
        showWindow();
        m_window->openModel(m_model);
        settle();
        document().tagSources().tagInStages(2, StageMeasure::nodes);
        settle();
    }
    void cleanup() { closeWindow(); }

    void showsTheBordersOfTheTags()
    {
        QVERIFY(strip().isVisible());
        QCOMPARE(strip().handleCount(), 1);
        QCOMPARE(strip().placeOf(0), 2U);
        document().undo();
        QCOMPARE(strip().handleCount(), 0);
    }

    void aBorderThatMovesIsSeenInTheGraphAndIsOneStep()
    {
        const int before = document().steps().count();
        strip().setFocus();
        QTest::keyClick(&strip(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(tagInCanvas("second"), 1);
        QCOMPARE(document().tags()[node("second")], 0); // not yet
        QVERIFY(panel().card().isVisible());
        QVERIFY2(panel().card().text().contains(QStringLiteral("legal")), qPrintable(panel().card().text()));
        QTest::keyClick(&strip(), Qt::Key_Return);
        QCOMPARE(document().steps().count(), before + 1);
        QCOMPARE(document().tags()[node("second")], 1);
        QVERIFY(document().steps().undoText().startsWith(QStringLiteral("Move the boundary stage0 | stage1")));
        document().undo();
        QCOMPARE(strip().placeOf(0), 2U);
        QCOMPARE(tagInCanvas("second"), 0);
    }

    void escapeLeavesGraphAndTagsAsTheyWere()
    {
        const int before = document().steps().count();
        strip().setFocus();
        QTest::keyClick(&strip(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(tagInCanvas("third"), 0);
        QTest::keyClick(&strip(), Qt::Key_Escape);
        QCOMPARE(tagInCanvas("third"), 1);
        QCOMPARE(document().steps().count(), before);
    }

    void aFreeCutIsToBeStraightened()
    {
        auto& button = *panel().findChild<QToolButton*>(QStringLiteral("straighten"));
        QVERIFY(!button.isVisible());
        const QRect before = strip().geometry();
        document().painting().paint(std::vector{node("first")}, 1);
        QVERIFY(button.isVisible());
        settle();
        QCOMPARE(strip().geometry(), before);
        QVERIFY2(button.toolTip().contains(QStringLiteral("1 op")), qPrintable(button.toolTip()));
        button.click();
        settle();
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("taggingDialog"));
        QVERIFY(dialog != nullptr);
        dialog->accept();
        QVERIFY(!button.isVisible());
        QVERIFY(document().checks().report().isLegal());
        QCOMPARE(document().steps().undoText(), QStringLiteral("Make stages contiguous"));
    }

    void whatIsClickedIsSelected()
    {
        const SequenceScale scale = strip().scale();
        QTest::mouseClick(&strip(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(scale.bar.left()) + 2, static_cast<int>(scale.y(2.5))));
        QCOMPARE(document().marks().selection().source, std::vector{node("third")});
    }

    void stripIsHiddenAndStaysSo()
    {
        actions().showSequence->setChecked(false);
        QVERIFY(!strip().isVisible());
        closeWindow();
        showWindow();
        QVERIFY(!actions().showSequence->isChecked());
        m_window->openModel(m_model);
        settle();
        QVERIFY(!strip().isVisible());
        actions().showSequence->setChecked(true);
        QVERIFY(strip().isVisible());
        QVERIFY(!strip().content().isEmpty());
    }

    void fillsInLate()
    {
        document().painting().erase(std::vector{node("second"), node("third")});
        actions().fillInLate->trigger();
        QCOMPARE(document().tags()[node("second")], 1);
        document().undo();
        actions().fillIn->trigger();
        QCOMPARE(document().tags()[node("third")], 0);
    }
};

const test::Registered<WindowSequenceTest> windowSequenceTest("window_sequence_test");
#include "window_sequence_test.moc"
