#include "panes/partition_dag/dag_decorations.h"
#include "panes/partition_dag/node_drag.h"
#include "panes/partition_dag/node_drop.h"
#include "test_case.h"

#include <QAbstractScrollArea>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace sunder;

/// Drags of nodes over a view, and the marks in it.
class NodeDropTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_view = std::make_unique<QAbstractScrollArea>();
        m_view->resize(300, 200);
        m_view->show();
        m_view->verticalScrollBar()->setRange(0, 500);
        m_drop = new NodeDrop(*m_view, [](QPointF at) { return at.x() < 100 ? 3 : -1; });
    }

    void saysOverWhichBoxTheyAreAndWhereTheyFall()
    {
        QSignalSpy dragged(m_drop, &NodeDrop::dragged);
        QSignalSpy dropped(m_drop, &NodeDrop::dropped);
        const std::unique_ptr<QMimeData> data(mimeOf({NodeId(4U), NodeId(7U)}));
        QVERIFY(enter(*data));
        move(*data, {50, 100});
        QCOMPARE(dragged.last().at(0).value<std::vector<NodeId>>(), (std::vector{NodeId(4U), NodeId(7U)}));
        QCOMPARE(dragged.last().at(1).toInt(), 3);
        move(*data, {200, 100});
        QCOMPARE(dragged.last().at(1).toInt(), -1);
        drop(*data, {200, 100});
        QCOMPARE(dropped.count(), 0); // outside all boxes
        enter(*data);
        drop(*data, {50, 100});
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(dropped.last().at(1).toInt(), 3);
        QCOMPARE(dragged.last().at(1).toInt(), -1); // the mark is removed
    }

    void takesNothingElse()
    {
        QMimeData data;
        data.setText("4,7");
        QVERIFY(!enter(data));
        QVERIFY(!carriesNodes(data));
        QVERIFY(nodesIn(&data).empty());
        data.setData(kNodesMime, "4,x,,99999999999,5");
        QCOMPARE(nodesIn(&data), (std::vector{NodeId(4U), NodeId(5U)}));
    }

    void scrollsNearAnEdge()
    {
        const std::unique_ptr<QMimeData> data(mimeOf({NodeId(1U)}));
        enter(*data);
        const int height = m_view->viewport()->height();
        move(*data, {50, height - 5});
        move(*data, {50, height - 5});
        QCOMPARE(m_view->verticalScrollBar()->value(), 40);
        move(*data, {50, height / 2});
        QCOMPARE(m_view->verticalScrollBar()->value(), 40);
        move(*data, {50, 5});
        QCOMPARE(m_view->verticalScrollBar()->value(), 20);
    }

    void leavingForgets()
    {
        const std::unique_ptr<QMimeData> data(mimeOf({NodeId(1U)}));
        const QSignalSpy dropped(m_drop, &NodeDrop::dropped);
        enter(*data);
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(m_view->viewport(), &leave);
        drop(*data, {50, 100});
        QCOMPARE(dropped.count(), 0);
    }

    void marksAreAtOnePlace()
    {
        DagContent content;
        content.boxes.resize(2);
        content.handles.resize(3);
        DagDecorations marks(content);
        QCOMPARE(marks.selectedOps.size(), std::size_t(2));
        QCOMPARE(marks.selectedHandles.size(), std::size_t(3));
        QCOMPARE(marks.current(), DagHit());
        for (const DagHit place :
             {DagHit{DagHit::Kind::box, 1}, DagHit{DagHit::Kind::cutEdge, 0}, DagHit{DagHit::Kind::chip, 2}, DagHit()}) {
            marks.setCurrent(place);
            QCOMPARE(marks.current(), place);
            marks.setPointed(place);
            QCOMPARE(marks.pointed(), place);
        }
    }

private:
    bool enter(const QMimeData& data)
    {
        QDragEnterEvent event({10, 10}, Qt::MoveAction, &data, Qt::LeftButton, {});
        event.ignore();
        QCoreApplication::sendEvent(m_view->viewport(), &event);
        return event.isAccepted();
    }
    void move(const QMimeData& data, QPoint at)
    {
        QDragMoveEvent event(at, Qt::MoveAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &event);
    }
    void drop(const QMimeData& data, QPoint at)
    {
        QDropEvent event(at, Qt::MoveAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &event);
    }

    std::unique_ptr<QAbstractScrollArea> m_view;
    NodeDrop* m_drop = nullptr;
};

const test::Registered<NodeDropTest> nodeDropTest("node_drop_test");
#include "node_drop_test.moc"
