#include "canvas_fixture.h"
#include "test_case.h"

#include <QSignalSpy>

using namespace sunder;
using namespace sunder::test;

/// Arrows at the edge of the view that lead to items out of view.
class CanvasArrowsTest : public QObject {
    Q_OBJECT

private slots:
    void counterpartsOutOfViewHaveArrows()
    {
        Canvas canvas;
        canvas.widget.setCamera(Camera({0, 560}, 1.0));
        const std::vector<NodeId> nodes{NodeId(0U), NodeId(10U), NodeId(24U)};
        canvas.widget.setCounterparts(nodes);
        canvas.widget.grab();
        canvas.click(QPoint(kView.width() / 2, 15));
        QVERIFY(canvas.widget.visibleScene().contains(canvas.widget.scene().item(kQuery).rect.center()));
        QCOMPARE(canvas.selections, 0);
    }

    void whatIsSelectedOutOfViewHasArrowsToo()
    {
        Canvas canvas;
        canvas.widget.setCamera(Camera({0, 560}, 1.0));
        const std::vector<NodeId> nodes{NodeId(0U)};
        canvas.widget.setSelectedNodes(nodes);
        const std::vector<EdgeArrow> arrows = edgeArrows(canvas.widget.scene(), canvas.widget.camera(),
                                                         QRectF(canvas.widget.rect()));
        QCOMPARE(arrows.size(), std::size_t(1));
        QCOMPARE(arrows.front().side, EdgeArrow::Side::top);
        QCOMPARE(arrows.front().count, 1U);
        QCOMPARE(textOf(arrows.front()), QStringLiteral("1 marked above"));
    }

    void gGoesFromOneMarkedItemToTheNext()
    {
        Canvas canvas;
        const std::vector<NodeId> found{NodeId(0U)};
        const std::vector<NodeId> counterparts{NodeId(24U)};
        canvas.widget.setSelectedNodes({});
        canvas.widget.setFoundNodes(found);
        canvas.widget.setCounterparts(counterparts);
        const ItemId first = canvas.widget.scene().itemOf(found.front());
        const ItemId second = canvas.widget.scene().itemOf(counterparts.front());
        QVERIFY(first != second);
        canvas.widget.setCurrentItem(first);
        QTest::keyClick(&canvas.widget, Qt::Key_J);
        QCOMPARE(canvas.widget.currentItem(), second);
        QVERIFY(canvas.widget.visibleScene().intersects(canvas.widget.scene().item(second).rect));
        QTest::keyClick(&canvas.widget, Qt::Key_J);
        QCOMPARE(canvas.widget.currentItem(), first); // wraps around
        QTest::keyClick(&canvas.widget, Qt::Key_J, Qt::ShiftModifier);
        QCOMPARE(canvas.widget.currentItem(), second);
        QCOMPARE(canvas.selections, 0);
    }
};

const test::Registered<CanvasArrowsTest> canvasArrowsTest("canvas_arrows_test");
#include "canvas_arrows_test.moc"
