#include "panes/partition_dag/dag_walk.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

constexpr DagHit box(int index)
{
    return {DagHit::Kind::box, index};
}
constexpr DagHit cutEdge(int index)
{
    return {DagHit::Kind::cutEdge, index};
}
constexpr DagHit chip(int index)
{
    return {DagHit::Kind::chip, index};
}

} // namespace

/// Three boxes; edges lead from the first to both others. The second box has an incoming and an outgoing chip.
class DagWalkTest : public QObject {
    Q_OBJECT

private:
    DagContent m_content;
    DagLayout m_layout;

    [[nodiscard]] DagHit walked(DagHit from, std::initializer_list<int> keys) const
    {
        for (const int key : keys)
            from = walk(m_content, m_layout, from, key);
        return from;
    }

private slots:
    void initTestCase()
    {
        m_content.boxes.resize(3);
        m_content.cutEdges.resize(2);
        m_content.cutEdges[0].to = 1;
        m_content.cutEdges[1].to = 2;
        m_layout.chips.resize(2);
        for (DagChip& made : m_layout.chips)
            made.box = 1;
        m_layout.chips[1].leaves = true;
    }

    void goesFromBoxToBoxAndStaysAtTheEnds()
    {
        QCOMPARE(walked(box(0), {Qt::Key_Down}), box(1));
        QCOMPARE(walked(box(0), {Qt::Key_Up}), box(0));
        QCOMPARE(walked(box(2), {Qt::Key_Down}), box(2));
        QCOMPARE(walked(box(1), {Qt::Key_End}), box(2));
        QCOMPARE(walked(chip(1), {Qt::Key_Home}), box(0));
        QCOMPARE(walked({}, {Qt::Key_Down}), box(0));
    }

    void goesAlongACutEdgeAndBack()
    {
        QCOMPARE(walked(box(0), {Qt::Key_Right}), cutEdge(0));
        QCOMPARE(walked(box(0), {Qt::Key_Right, Qt::Key_Right}), box(1));
        QCOMPARE(walked(box(1), {Qt::Key_Left}), cutEdge(0));
        QCOMPARE(walked(box(1), {Qt::Key_Left, Qt::Key_Left}), box(0));
    }

    void goesThroughTheCutEdgesOfABox()
    {
        QCOMPARE(walked(cutEdge(0), {Qt::Key_Down}), cutEdge(1));
        QCOMPARE(walked(cutEdge(1), {Qt::Key_Down}), cutEdge(1));
        QCOMPARE(walked(cutEdge(1), {Qt::Key_Up}), cutEdge(0));
        QCOMPARE(walked(cutEdge(1), {Qt::Key_Right}), box(2));
    }

    void goesThroughTheHandlesOfABox()
    {
        QCOMPARE(walked(box(1), {Qt::Key_Right}), chip(0));
        QCOMPARE(walked(box(1), {Qt::Key_Right, Qt::Key_Right}), chip(1));
        QCOMPARE(walked(chip(1), {Qt::Key_Right}), chip(1)); // it has no outgoing edge
        QCOMPARE(walked(chip(0), {Qt::Key_Left}), box(1));
    }

    void leavesAHandleTowardsItsBoxOrTheNext()
    {
        QCOMPARE(walked(chip(0), {Qt::Key_Down}), box(1)); // it is at the upper edge
        QCOMPARE(walked(chip(0), {Qt::Key_Up}), box(0));
        QCOMPARE(walked(chip(1), {Qt::Key_Up}), box(1));
        QCOMPARE(walked(chip(1), {Qt::Key_Down}), box(2));
    }

    void leavesAChipBesideABoxTowardsTheNeighbors()
    {
        const DagChip beside{.box = 1, .isBeside = true, .shared = 0};
        m_layout.chips.push_back(beside);
        QCOMPARE(walked(chip(1), {Qt::Key_Right}), chip(2));
        QCOMPARE(walked(chip(2), {Qt::Key_Up}), box(0));
        QCOMPARE(walked(chip(2), {Qt::Key_Down}), box(2));
        m_layout.chips.pop_back();
    }

    void findsNothingInAnEmptyDag() { QCOMPARE(walk({}, {}, {}, Qt::Key_Down), DagHit()); }
};

const test::Registered<DagWalkTest> dagWalkTest("dag_walk_test");
#include "dag_walk_test.moc"
