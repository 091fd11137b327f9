#include "canvas/stroke_preview.h"

#include "scene_sketch.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

/// The display of a stroke before the document has answered.
class StrokePreviewTest final : public QObject {
    Q_OBJECT

private slots:
    void paintsWithTheTagThatIsSet()
    {
        test::SketchedScene sketch;
        StrokePreview stroke;
        stroke.setTag(1);
        stroke.start(StrokeKind::paint);
        QVERIFY(stroke.isUnderWay());
        QCOMPARE(stroke.take(sketch.scene, std::array{NodeId(0U), NodeId(2U)}), (std::vector{sketch.inside, sketch.closed}));
        QCOMPARE(sketch.scene.style().tag(NodeId(0U)), 1);
        QCOMPARE(sketch.scene.style().tag(NodeId(1U)), 0);
        QCOMPARE(sketch.scene.style().tag(NodeId(2U)), 1);
        stroke.finish();
        QVERIFY(!stroke.isUnderWay());
    }

    void takesTheMarkOfUntaggedNodes()
    {
        test::SketchedScene sketch;
        sketch.scene.editStyle().marked = NodeSet(std::array{NodeId(0U), NodeId(1U)});
        StrokePreview stroke;
        stroke.setTag(0);
        stroke.start(StrokeKind::paint);
        stroke.take(sketch.scene, std::array{NodeId(0U)});
        QVERIFY(!sketch.scene.style().marked.contains(NodeId(0U)));
        QVERIFY(sketch.scene.style().marked.contains(NodeId(1U)));
    }

    void erasesWhateverTagIsSet()
    {
        test::SketchedScene sketch;
        StrokePreview stroke;
        stroke.start(StrokeKind::erase);
        QCOMPARE(stroke.take(sketch.scene, std::array{NodeId(0U)}), std::vector{sketch.inside});
        QCOMPARE(sketch.scene.style().tag(NodeId(0U)), PictureStyle::kUntagged);
    }

    void leavesWhatTakesNoTagAndWhatIsUnknown()
    {
        test::SketchedScene sketch;
        StrokePreview stroke;
        stroke.setTag(1);
        stroke.start(StrokeKind::paint);
        QVERIFY(stroke.take(sketch.scene, std::array{NodeId(5U), NodeId(77U)}).empty());
        QCOMPARE(sketch.scene.style().tag(NodeId(5U)), PictureStyle::kTakesNoTag);
    }

    void showsNothingWithoutATag()
    {
        test::SketchedScene sketch;
        const std::uint64_t before = sketch.scene.revision();
        StrokePreview stroke;
        stroke.start(StrokeKind::paint);
        for (const int tag : {-1, 2}) {
            stroke.setTag(tag);
            QVERIFY(!stroke.color(StrokeKind::paint, sketch.scene.style()).isValid());
            QVERIFY(stroke.take(sketch.scene, std::array{NodeId(0U)}).empty());
        }
        QCOMPARE(sketch.scene.revision(), before);
    }

    void hasTheColorOfItsTag()
    {
        const test::SketchedScene sketch;
        const PictureStyle& style = sketch.scene.style();
        StrokePreview stroke;
        stroke.setTag(1);
        QCOMPARE(stroke.color(StrokeKind::paint, style), style.tags[1].style.color);
        QVERIFY(!stroke.color(StrokeKind::erase, style).isValid());
    }
};

const test::Registered<StrokePreviewTest> strokePreviewTest("stroke_preview_test");
#include "stroke_preview_test.moc"
