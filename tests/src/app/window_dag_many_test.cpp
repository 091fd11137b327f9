#include "panes/partition_dag/part_mover.h"
#include "partition_fixture.h"
#include "test_case.h"

#include <QScrollBar>

#include <cmath>

using namespace sunder;

/// A Partition DAG of forty parts with one line each; every part still has its handles.
class WindowDagManyTest final : public test::PartitionFixture {
    Q_OBJECT

private:
    static constexpr int kParts = 40;

    bool isShown(int chip)
    {
        return std::ranges::count(shownChips(view().layoutOfContent(), view().marks()), static_cast<std::size_t>(chip)) > 0;
    }
    NodeId firstOf(int part) { return measure()->nodesOf(part).front(); }
    NodeId lastOf(int part) { return measure()->nodesOf(part).back(); }

    void scrollTo(DagHit place)
    {
        view().ensureShown(place);
        QVERIFY(view().viewport()->rect().contains(centerOf(place)));
    }
    double rowInTheMiddle()
    {
        const double y = QRectF(view().viewport()->rect()).center().y() + view().verticalScrollBar()->value();
        return view().layoutOfContent().rowAt(y / view().zoom());
    }
    /// Over the middle of the view.
    void turnWheel(int by, Qt::KeyboardModifiers modifiers = {})
    {
        const QPointF at = QRectF(view().viewport()->rect()).center();
        QWheelEvent wheel(at, view().viewport()->mapToGlobal(at), {}, QPoint(0, by), Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(view().viewport(), &wheel);
    }

private slots:
    void initTestCase() { prepareRow(); }
    void init()
    {
        showRow();
        splitInTo(kParts, 2);
        settle(); // costs of the parts arrive later, and boxes move
        QVERIFY(view().layoutOfContent().isCompact);
    }
    void cleanup() { closeWindow(); }

    void aBoxUnderTheMouseShowsItsHandles()
    {
        scrollTo(box(20));
        QVERIFY(!isShown(chipOf(20, true)));
        QTest::mouseMove(view().viewport(), centerOf(box(20)));
        QTRY_VERIFY(isShown(chipOf(20, true)));
        QVERIFY(isShown(chipOf(20, false)));
        QTest::mouseMove(view().viewport(), centerOf(chip(20, true)));
        QTRY_COMPARE(document().marks().hovered(), std::vector{lastOf(20)});
        QVERIFY(isShown(chipOf(20, true)));
        QTest::mouseMove(view().viewport(), centerOf(box(23)));
        QTRY_VERIFY(!isShown(chipOf(20, true)));
    }

    void aBoxThatWasClickedKeepsItsHandles()
    {
        scrollTo(box(12));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(12)));
        QVERIFY(isShown(chipOf(12, true)));
        QTest::mouseMove(view().viewport(), centerOf(box(14)));
        QVERIFY(isShown(chipOf(12, true)));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(chip(12, true)));
        QCOMPARE(document().marks().selection().source, std::vector{lastOf(12)});
    }

    void handlesCoverNoBoxAndNoOtherHandle()
    {
        const DagLayout& layout = view().layoutOfContent();
        QCOMPARE(layout.chips.size(), 2U * kParts - 2);
        for (std::size_t i = 0; i < layout.chips.size(); ++i)
            for (const QRectF& other : layout.boxes)
                QVERIFY(!other.intersects(layout.chips[i].rect.adjusted(0, 0.5, 0, -0.5)));
        scrollTo(box(21));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(20)));
        QTest::mouseMove(view().viewport(), centerOf(box(21)));
        QTRY_VERIFY(isShown(chipOf(21, false)));
        std::vector<std::size_t> shown = shownChips(layout, view().marks());
        for (const std::size_t a : shown)
            for (const std::size_t b : shown)
                QVERIFY(a == b || !layout.chips[a].rect.intersects(layout.chips[b].rect));
    }

    void keysReachAHandleOfAnyPartAndMoveIt()
    {
        view().setFocus();
        view().setCurrent(box(0));
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&view(), Qt::Key_Down);
        QCOMPARE(view().current(), box(30));
        const NodeId first = firstOf(30);
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), chip(30, false));
        QVERIFY(isShown(chipOf(30, false)));
        QVERIFY(view().viewport()->rect().contains(centerOf(chip(30, false))));
        QTest::keyClick(&view(), Qt::Key_M);
        QVERIFY2(mover().card().text().contains("to stage29"), qPrintable(mover().card().text()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
        QCOMPARE(document().tags()[first], 29);
    }

    void zoomingInShowsTheHandlesOfAllAndKeepsThePlace()
    {
        scrollTo(box(25));
        const double row = rowInTheMiddle();
        turnWheel(120);
        QVERIFY(!view().layoutOfContent().isCompact);
        QVERIFY(isShown(chipOf(3, true)));
        QVERIFY(isShown(chipOf(39, false)));
        QVERIFY2(std::abs(rowInTheMiddle() - row) < 0.1, qPrintable(QStringLiteral("%1, was %2").arg(rowInTheMiddle()).arg(row)));
        turnWheel(-120);
        QVERIFY(view().layoutOfContent().isCompact);
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Plus); // so do the keys
        QVERIFY(!view().layoutOfContent().isCompact);
    }

    void wheelAndHandAreThoseOfEveryView()
    {
        turnWheel(120, Qt::ControlModifier);
        const double zoom = view().zoom();
        turnWheel(120);
        QCOMPARE(view().zoom(), zoom * kZoomStep);
        scrollTo(box(20));
        const int before = view().verticalScrollBar()->value();
        const QPoint at = view().viewport()->rect().center();
        view().setFocus();
        QTest::keyPress(&view(), Qt::Key_Space);
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseMove(view().viewport(), at - QPoint(0, 30));
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, at - QPoint(0, 30));
        QTest::keyRelease(&view(), Qt::Key_Space);
        QCOMPARE(view().verticalScrollBar()->value(), before + 30);
        QVERIFY(document().marks().selection().source.empty()); // without selecting anything
    }

    void fromFarTheBoxInQuestionHasHandlesThatCanBeRead()
    {
        turnWheel(-2000);
        QVERIFY(view().zoom() < 0.4);
        scrollTo(box(24)); // a drag near the edge would scroll
        scrollTo(box(18));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(box(18)));
        QVERIFY(isShown(chipOf(18, true)));
        const QRectF at = view().viewRectOf(chip(18, true));
        QVERIFY2(at.height() >= DagChip::kHeight - 0.1, qPrintable(QString::number(at.height())));
        QVERIFY(QRectF(view().viewport()->rect()).contains(at));
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, at.center().toPoint());
        QCOMPARE(document().marks().selection().source, std::vector{lastOf(18)});
        dragOver({lastOf(18)}, box(19), true);
        QCOMPARE(document().tags()[lastOf(18)], 19);
    }
};

const test::Registered<WindowDagManyTest> windowDagManyTest("window_dag_many_test");
#include "window_dag_many_test.moc"
