#include "document/document.h"
#include "panes/partition_dag/boundary_list.h"
#include "panes/partition_dag/dag_nodes.h"
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/tensor_list.h"
#include "test_case.h"
#include "test_support.h"

#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTest>

using namespace sunder;

/// Moving ops between the parts of a cut, the nodes of places in its DAG, and their lists, without the pane.
class PartMoverTest final : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_document = std::make_unique<Document>();
        m_document->open(prepareModel(std::make_shared<const Snapshot>(test::programFromText("x = placeholder() : 8x4\n"
                                                                                             "a = relu(x) : 8x4\n"
                                                                                             "b = relu(a) : 8x4\n"
                                                                                             "c = relu(b) : 8x4\n"
                                                                                             "d = add(c, a) : 8x4\n"
                                                                                             "output(d)\n"))),
                         "/tmp/model.fxj");
        auto cut = std::make_shared<SplitOutcome>();
        cut->tags.order = {intern("front"), intern("back")};
        cut->tags.tagOf.assign(m_document->graph().idBound(), TagAssignment::kUntagged);
        for (const auto& [name, part] : {std::pair("a", 0), std::pair("b", 0), std::pair("c", 1), std::pair("d", 1)})
            cut->tags.tagOf[node(name).index()] = part;
        m_document->tagSources().setTags(cut->tags, "cut");
        m_measure = std::make_shared<const CutMeasure>(m_document->snapshot(), cut, MemoryRule::freesDead);
        m_pane = std::make_unique<QWidget>();
        m_pane->resize(600, 500);
        m_view = new DagView(m_pane.get());
        m_view->resize(600, 500);
        m_view->setContent(
            dagContent(*m_measure, {{.name = "front", .code = {}, .style = {}}, {.name = "back", .code = {}, .style = {}}}, {}));
        m_mover = new PartMover(*m_document, m_jobs, *m_view, *m_pane);
        m_mover->setMeasure(m_measure);
        m_pane->show();
    }

    void cleanup() { m_pane.reset(); }

    void aMoveWaitsOnItsCard()
    {
        m_document->marks().select({node("b")});
        m_mover->moveSelection(1);
        QVERIFY(m_mover->card().isVisible());
        QVERIFY2(m_mover->card().text().contains("Move b to back"), qPrintable(m_mover->card().text()));
        QVERIFY(m_pane->rect().contains(m_mover->card().geometry()));
        QCOMPARE(tagOf("b"), 0);
        QSignalSpy made(m_mover, &PartMover::made);
        m_mover->card().moveButton().click();
        QCOMPARE(tagOf("b"), 1);
        QCOMPARE(made.count(), 1);
        QVERIFY(m_mover->card().isHidden());
        m_document->undo();
        QCOMPARE(tagOf("b"), 0);
    }

    void movesOnlyToPartsThatAreThere()
    {
        QSignalSpy messages(m_mover, &PartMover::message);
        m_document->marks().clear();
        m_mover->moveSelection(1);
        QVERIFY(messages.last().first().toString().startsWith("First select the ops"));
        m_document->marks().select({node("d")});
        m_mover->moveSelection(1); // there is no next part, so it offers the previous one
        QVERIFY2(m_mover->card().text().contains("Move d to front"), qPrintable(m_mover->card().text()));
    }

    void anotherSelectionCancels()
    {
        m_document->marks().select({node("b")});
        m_mover->moveSelection(1);
        m_mover->selectionChanged(); // the same selection
        QVERIFY(m_mover->card().isVisible());
        m_document->marks().select({node("c")});
        m_mover->selectionChanged();
        QVERIFY(m_mover->card().isHidden());
    }

    void anotherCutCancels()
    {
        m_document->marks().select({node("b")});
        m_mover->moveSelection(1);
        m_mover->setMeasure(nullptr);
        QVERIFY(m_mover->card().isHidden());
        QVERIFY(m_mover->selectedCalls().empty());
        m_mover->takeOverAsTags(); // without a cut
        QVERIFY(m_mover->takenOver().isEmpty());
    }

    void whatIsDraggedIsSaidAndDroppedPaints()
    {
        emit m_view->dragged({node("b")}, 1);
        QVERIFY2(m_mover->card().text().contains("Move b to back"), qPrintable(m_mover->card().text()));
        emit m_view->dragged({}, -1);
        QVERIFY(m_mover->card().isHidden());
        QSignalSpy messages(m_mover, &PartMover::message);
        emit m_view->dropped({node("b")}, 0);
        QVERIFY(messages.last().first().toString().startsWith("Nothing to move"));
        emit m_view->dropped({node("b")}, 1);
        QCOMPARE(tagOf("b"), 1);
    }

    void refusesATagThatIsGone()
    {
        m_document->tagList().rename(1, "other");
        QSignalSpy messages(m_mover, &PartMover::message);
        emit m_view->dropped({node("b")}, 1);
        QVERIFY(messages.last().first().toString().startsWith("Not moved: the tag back was removed"));
        QCOMPARE(tagOf("b"), 0);
    }

    void theCutBecomesTags()
    {
        m_document->tagList().remove(1);
        m_mover->takeOverAsTags();
        QCOMPARE(m_document->tagCount(), 2);
        QCOMPARE(tagOf("d"), 1);
        m_document->undo();
        QCOMPARE(m_document->tagCount(), 1);
    }

    void placesAreAboutNodes()
    {
        QCOMPARE(nodesAt(*m_view, *m_measure, {DagHit::Kind::box, 0}), (std::vector{node("a"), node("b")}));
        QCOMPARE(nodesAt(*m_view, *m_measure, {DagHit::Kind::cutEdge, 0}).size(), std::size_t(2)); // b, and a for d
        QVERIFY(nodesAt(*m_view, *m_measure, {}).empty());
        QVERIFY(handleAt(*m_view, {DagHit::Kind::box, 0}) == nullptr);
        QCOMPARE(nameOfBox(*m_view, 1), QString("back"));
        const std::size_t chips = m_view->layoutOfContent().chips.size();
        QVERIFY(chips > 0);
        for (std::size_t i = 0; i < chips; ++i) {
            const DagHit place{DagHit::Kind::chip, static_cast<int>(i)};
            const DagHandle* handle = handleAt(*m_view, place);
            QCOMPARE(nodesAt(*m_view, *m_measure, place), handle == nullptr ? std::vector<NodeId>() : std::vector{handle->node});
        }
    }

    void pickingAddsAndTakesAway()
    {
        const std::vector<NodeId> ab{node("a"), node("b")};
        QCOMPARE(withPicked(ab, {node("c")}, SelectionMode::replace), std::vector{node("c")});
        QCOMPARE(withPicked(ab, {node("c")}, SelectionMode::toggle), (std::vector{node("a"), node("b"), node("c")}));
        QCOMPARE(withPicked(ab, {node("b")}, SelectionMode::toggle), std::vector{node("a")});
        QCOMPARE(withPicked(ab, {node("b"), node("c")}, SelectionMode::add), (std::vector{node("a"), node("b"), node("c")}));
    }

    void listsWhatAPlaceIsAbout()
    {
        QSettings().remove("partitionDag/listHeight");
        auto* splitter = new QSplitter(Qt::Vertical, m_pane.get());
        splitter->resize(600, 500);
        splitter->addWidget(m_view);
        auto* tensors = new TensorList(splitter);
        splitter->addWidget(tensors);
        QWidget legend;
        BoundaryList list(*m_view, *tensors, *splitter, legend, nullptr);
        QVERIFY(tensors->isHidden());
        QSignalSpy wanted(&list, &BoundaryList::roomWanted);
        list.open(*m_measure, {}, {});
        QVERIFY(!list.isOpen());
        list.open(*m_measure, {DagHit::Kind::cutEdge, 0}, {});
        QVERIFY(list.isOpen());
        QVERIFY(!tensors->isHidden());
        QCOMPARE(tensors->model().rowCount(), 2);
        QCOMPARE(wanted.count(), 1);
        list.open(*m_measure, {DagHit::Kind::box, 1}, {node("a")});
        QCOMPARE(list.place().index, 1);
        QVERIFY(tensors->model().rowCount() > 2); // incoming and outgoing values
        QCOMPARE(wanted.count(), 1);              // there is enough room already
        list.close();
        QVERIFY(!list.isOpen());
        QVERIFY(tensors->isHidden());
    }

private:
    [[nodiscard]] NodeId node(const char* name) const { return m_document->graph().find(intern(name)); }
    [[nodiscard]] int tagOf(const char* name) const { return m_document->tags()[node(name)]; }

    Jobs m_jobs;
    std::unique_ptr<Document> m_document;
    CutMeasurePtr m_measure;
    std::unique_ptr<QWidget> m_pane;
    DagView* m_view = nullptr;
    PartMover* m_mover = nullptr;
};

const test::Registered<PartMoverTest> partMoverTest("part_mover_test");
#include "part_mover_test.moc"
