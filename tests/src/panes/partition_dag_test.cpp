#include "document/runs/make_runs.h"
#include "panes/partition_dag/dag_layout.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/node_drag.h"
#include "panes/partition_dag/tensor_model.h"
#include "test_case.h"
#include "test_support.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QTest>

using namespace sunder;

/// Content and layout of the Partition DAG for a cut, and its list of tensors, without a window.
class PartitionDagTest final : public QObject {
    Q_OBJECT

private:
    static Program chain(int length)
    {
        std::string lines = "x0 = placeholder() : 8x4\n";
        for (int i = 0; i < length; ++i) // every call reads the previous one and the first one
            lines += "x" + std::to_string(i + 1) + " = f(x" + std::to_string(i) + (i > 1 ? ", x1" : "") + ") : 8x4\n";
        return test::programFromText(lines + "output(x" + std::to_string(length) + ")\n");
    }

    /// The calls of a chain in `parts` equal parts, without splitting.
    static CutMeasurePtr measured(int length, int parts)
    {
        const auto source = std::make_shared<const Snapshot>(chain(length));
        auto cut = std::make_shared<SplitOutcome>();
        for (int part = 0; part < parts; ++part)
            cut->tags.order.push_back(intern("part" + std::to_string(part)));
        cut->tags.tagOf.assign(source->graph().idBound(), TagAssignment::kUntagged);
        int call = 0;
        for (const NodeId id : source->graph().nodes())
            if (source->isCall(id))
                cut->tags.tagOf[id.index()] = call++ * parts / length;
        return std::make_shared<const CutMeasure>(source, cut, MemoryRule::freesDead);
    }

    static std::vector<Device> devices(int count, double bytes)
    {
        std::vector<Device> made;
        for (int i = 0; i < count; ++i)
            made.push_back({.name = "dev" + std::to_string(i), .availableBytes = bytes, .logicalId = i});
        return made;
    }

private slots:
    void putsPartsOnDevicesInOrder()
    {
        const DagContent content = dagContent(*measured(12, 3), {}, devices(4, 1e6));
        QCOMPARE(content.boxes.size(), 3U);
        QCOMPARE(content.lanes.size(), 4U);
        QCOMPARE(content.lanes[1].name, QString("dev1"));
        QVERIFY(content.lanes[3].begin == content.lanes[3].end); // it has no part
        QVERIFY(content.boxes[2].capacity == std::optional<std::uint64_t>(1'000'000));
        QCOMPARE(content.boxes[2].overflow, 0U);
    }

    void saysByHowMuchADeviceOverflows()
    {
        const DagContent content = dagContent(*measured(12, 3), {}, devices(3, 100));
        QVERIFY(content.boxes[0].overflow > 0);
        QVERIFY2(content.boxes[0].amount.startsWith("−"), qPrintable(content.boxes[0].amount));
        QVERIFY2(describe(content, content.boxes[0]).contains("Over capacity by"),
                 qPrintable(describe(content, content.boxes[0])));
    }

    void hasALaneAPartWithoutDevices()
    {
        const DagContent content = dagContent(*measured(12, 3), {}, {});
        QCOMPARE(content.lanes.size(), 3U);
        QVERIFY(content.lanes[0].name.isEmpty()); // the part has a single name, shown in its box
        QVERIFY(describe(content, content.boxes[0]).startsWith(content.boxes[0].look.name + ": "));
        QVERIFY(!content.boxes[0].capacity);
    }

    /// 128 B are a thin line even if nothing larger exists; 8 MB have the maximum width of an edge.
    void cutEdgesAreNotThickForLackOfComparison()
    {
        const auto widest = [](const char* shape) {
            const std::string text = std::string("x = placeholder() : ") + shape + "\na = f(x) : " + shape
                + "\nb = f(a) : " + shape + "\noutput(b)\n";
            const auto source = std::make_shared<const Snapshot>(test::programFromText(text));
            auto cut = std::make_shared<SplitOutcome>();
            cut->tags.order = {intern("first"), intern("second")};
            cut->tags.tagOf.assign(source->graph().idBound(), TagAssignment::kUntagged);
            cut->tags.tagOf[source->graph().find(intern("a")).index()] = 0;
            cut->tags.tagOf[source->graph().find(intern("b")).index()] = 1;
            const DagContent content = dagContent(CutMeasure(source, cut, MemoryRule::freesDead), {}, {});
            return content.cutEdges.front().share;
        };
        QVERIFY(widest("8x4") < 0.3);
        QCOMPARE(widest("2048x1024"), 1.0);
    }

    void namesWhatGoesBetweenParts()
    {
        const DagContent content = dagContent(*measured(12, 3), {}, {});
        QCOMPARE(content.cutEdges.size(), 3U); // 0 → 1, 0 → 2 (the value that all calls read), 1 → 2
        QVERIFY2(content.cutEdges[0].label.startsWith("2 tensors · 256 B"), qPrintable(content.cutEdges[0].label));
        QVERIFY(content.totals.startsWith("cut "));
    }

    void boxesOfAWidePaneAreWiderAtEveryZoom()
    {
        const DagContent content = dagContent(*measured(128, 3), {}, devices(3, 1e6));
        const auto width = [&](double pane, double zoom) {
            return layOut(content, {.width = pane / zoom, .zoom = zoom}).boxWidth;
        };
        QCOMPARE(width(560, 1), width(860, 1));
        QVERIFY(width(1780, 1) > width(860, 1) + 100);
        QCOMPARE(width(1780, 2), width(1780, 1));
        const DagLayout layout = layOut(content, {.width = 1780});
        QCOMPARE(layout.boxes.front().width(), layout.boxWidth);
        QVERIFY(layout.barOf(0).right() > layout.boxes.front().right() - 20);
    }

    void layoutHoldsForAnyNumberOfParts_data()
    {
        QTest::addColumn<int>("parts");
        QTest::addColumn<double>("width");
        for (const int parts : {1, 2, 3, 14, 15, 64})
            for (const double width : {200.0, 560.0, 1400.0})
                QTest::addRow("%d parts in %d", parts, static_cast<int>(width)) << parts << width;
    }

    void layoutHoldsForAnyNumberOfParts()
    {
        QFETCH(int, parts);
        QFETCH(double, width);
        const DagContent content = dagContent(*measured(128, parts), {}, devices(parts, 1e6));
        const DagLayout layout = layOut(content, {.width = width});
        QCOMPARE(layout.boxes.size(), static_cast<std::size_t>(parts));
        const QRectF whole(QPointF(0, 0), layout.size);
        for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
            QVERIFY(whole.contains(layout.boxes[i]));
            QVERIFY(layout.lanes[content.boxes[i].lane].contains(layout.boxes[i]));
            if (i > 0) {
                QVERIFY(layout.boxes[i].top() > layout.boxes[i - 1].bottom()); // each below the previous one …
                QVERIFY(layout.boxes[i].left() >= layout.boxes[i - 1].left()); // … and not further left
            }
        }
        for (std::size_t i = 1; i < layout.lanes.size(); ++i)
            QCOMPARE(layout.lanes[i].top(), layout.lanes[i - 1].bottom());
        std::vector<QRectF> labels;
        for (const DagLayout::CutEdgeShape& cutEdge : layout.cutEdges) {
            if (cutEdge.label.isEmpty())
                continue;
            for (const QRectF& box : layout.boxes)
                QVERIFY(!box.intersects(cutEdge.label));
            for (const QRectF& other : labels)
                QVERIFY(!other.intersects(cutEdge.label));
            labels.push_back(cutEdge.label);
        }
        for (std::size_t i = 0; i < layout.boxes.size(); ++i)
            QCOMPARE(layout.boxAt(layout.boxes[i].center()), static_cast<int>(i));
        if (parts == 3)
            QVERIFY(layout.cutEdgeAt(layout.cutEdges[0].path.pointAtPercent(0.5)) >= 0);
    }

    void tensorsAreAModel()
    {
        const CutMeasurePtr measure = measured(12, 3);
        TensorModel model;
        QAbstractItemModelTester tester(&model);
        model.setRows(measure->source(), rowsOf(measure->metrics().cutEdges.front()));
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(!model.hasWays());
        QCOMPARE(model.index(0, TensorModel::NameColumn).data().toString(), QString("x1"));
        QCOMPARE(model.index(0, TensorModel::ShapeColumn).data().toString(), QString("8×4"));
        QCOMPARE(model.index(0, TensorModel::DtypeColumn).data().toString(), QString("float32"));
        QCOMPARE(model.index(0, TensorModel::BytesColumn).data().toString(), QString("128 B"));
        const std::unique_ptr<QMimeData> drag(model.mimeData({model.index(1, 0), model.index(1, 1)}));
        QCOMPARE(nodesIn(drag.get()), std::vector{model.node(1)});
        model.setRows(measure->source(), {});
        QCOMPARE(model.rowCount(), 0);
    }

    void boundaryNamesWhereValuesComeFromAndGo()
    {
        const CutMeasurePtr measure = measured(12, 3);
        TensorModel model;
        model.setRows(measure->source(), boundaryRowsOf(*measure, 0));
        QVERIFY(model.hasWays());
        QCOMPARE(model.index(0, TensorModel::WayColumn).data().toString(), QString("model input"));
        QVERIFY(!(model.index(0, 0).flags() & Qt::ItemIsDragEnabled)); // it is in no part
        QCOMPARE(model.index(1, TensorModel::WayColumn).data().toString(), QString("to part1, part2"));
        QVERIFY(model.index(1, 0).flags() & Qt::ItemIsDragEnabled);
    }
};

const test::Registered<PartitionDagTest> partitionDagTest("partition_dag_test");
#include "partition_dag_test.moc"
