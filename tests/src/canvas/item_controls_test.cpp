#include "canvas/item_hits.h"

#include "scene_sketch.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// A host that only supports viewing.
class LookingHost final : public ToolHost {
public:
    explicit LookingHost(const test::SketchedScene& sketch) : m_sketch(sketch) {}
    [[nodiscard]] const CanvasScene& scene() const override { return m_sketch.scene; }
    [[nodiscard]] const Camera& camera() const override { return m_sketch.camera; }
    [[nodiscard]] ItemId itemAt(QPointF view) const override { return m_sketch.sight().itemAt(view); }
    [[nodiscard]] ItemId currentItem() const override { return {}; }
    [[nodiscard]] QSizeF viewSize() const override { return QSizeF(2000, 2000); }
    void pointFill(ItemId, QPointF) override {}
    void takeFill(ItemId) override {}
    bool cancelFill() override { return false; }
    void requestTagOf(ItemId) override {}
    [[nodiscard]] double brushRadius() const override { return 6; }
    [[nodiscard]] QColor strokeColor(StrokeKind) const override { return {}; }
    void panFrom(const Camera&, QPointF) override {}
    void requestSelection(const std::vector<NodeId>&, SelectionMode) override {}
    void makeCurrent(ItemId) override {}
    bool requestEdge(QPointF) override { return false; }
    void startStroke(StrokeKind) override {}
    void extendStroke(const std::vector<NodeId>&) override {}
    void finishStroke() override {}
    void cancelStroke() override {}
    void requestOverlay() override {}

private:
    const test::SketchedScene& m_sketch;
};

} // namespace

/// Chips, triangles, and the item that a double click acts on.
class ItemControlsTest final : public QObject {
    Q_OBJECT

private:
    using Kind = ItemControl::Kind;

    [[nodiscard]] bool isForItemAt(const test::SketchedScene& sketch, QPointF at) const
    {
        return isForItem(LookingHost(sketch), {at, {}, sketch.sight().itemAt(at)});
    }

private slots:
    void aChipLeadsToItsValue()
    {
        test::SketchedScene sketch;
        const ItemControl control = controlAt(sketch.sight(), {340, 535});
        QCOMPARE(control.kind, Kind::chip);
        QCOMPARE(control.value, NodeId(0U));
        const ItemControl onItem = controlAt(sketch.sight(), sketch.middleOf(sketch.reader));
        QCOMPARE(onItem.kind, Kind::none);
    }

    void theTriangleOfAClosedItemIsItsUpperRightCorner()
    {
        test::SketchedScene sketch;
        const QRectF box = sketch.sight().viewRectOf(sketch.closed);
        QCOMPARE(controlAt(sketch.sight(), box.topRight() + QPointF(-5, 5)).kind, Kind::triangle);
        QCOMPARE(controlAt(sketch.sight(), box.topLeft() + QPointF(5, 5)).kind, Kind::none);
        QCOMPARE(controlAt(sketch.sight(), box.center()).kind, Kind::none);
    }

    void theTriangleOfAFrameIsItsUpperLeftCorner()
    {
        test::SketchedScene sketch;
        const QRectF box = sketch.sight().viewRectOf(sketch.frame);
        QCOMPARE(controlAt(sketch.sight(), box.topLeft() + QPointF(5, 5)).kind, Kind::triangle);
        QCOMPARE(controlAt(sketch.sight(), box.topRight() + QPointF(-5, 5)).kind, Kind::none);
    }

    void opsHaveNoTriangleAndTheGroundHasNothing()
    {
        test::SketchedScene sketch;
        QCOMPARE(controlAt(sketch.sight(), sketch.sight().viewRectOf(sketch.inside).topRight() + QPointF(-5, 5)).kind,
                 Kind::none);
        QCOMPARE(controlAt(sketch.sight(), {20, 20}).kind, Kind::none);
    }

    void farOutTrianglesCannotBeHit()
    {
        test::SketchedScene sketch;
        sketch.camera = Camera({0, 0}, 0.4);
        QCOMPARE(controlAt(sketch.sight(), sketch.sight().viewRectOf(sketch.closed).topRight() + QPointF(-2, 2)).kind,
                 Kind::none);
    }

    void aDoubleClickOnTheGroundOfAFrameIsForNobody()
    {
        test::SketchedScene sketch;
        const QRectF frame = sketch.sight().viewRectOf(sketch.frame);
        QVERIFY(!isForItemAt(sketch, frame.bottomLeft() + QPointF(20, -20)));
        QVERIFY(isForItemAt(sketch, frame.topLeft() + QPointF(100, 8)));
        QVERIFY(isForItemAt(sketch, sketch.middleOf(sketch.closed)));
        sketch.camera = Camera({0, 0}, 0.4);
        QVERIFY(isForItemAt(sketch, sketch.sight().viewRectOf(sketch.frame).bottomLeft() + QPointF(8, -8)));
    }
};

const test::Registered<ItemControlsTest> itemControlsTest("item_controls_test");
#include "item_controls_test.moc"
