#include "layout/picture/picture_bodies.h"

#include "io/model_file.h"
#include "layout/picture/first_sight.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <map>

using namespace sunder;
using namespace sunder::test;

namespace {

constexpr float kNearBorder = 1;

PictureBodies bodiesOfFirstSight(const Program& program, FlowDirection direction)
{
    PictureOptions options{.direction = direction, .columns = {ColumnOptions::Setting::fit, {900, 700}}};
    const std::unique_ptr<LayoutEngine> engine = makeLayeredEngine();
    Result<FirstSight> first = firstSight(program, program.root, options, *engine);
    if (!first)
        throw std::runtime_error(first.error().message);
    options.open = first->open;
    options.closed = first->closed;
    Result<PictureBodies> bodies = pictureBodies(program, program.root,
                                                 std::make_shared<const Picture>(std::move(first->picture)), options, *engine);
    if (!bodies)
        throw std::runtime_error(bodies.error().message);
    return std::move(*bodies);
}

const Item& itemOf(const PictureBodies& bodies, const BodyBox& box)
{
    return bodies.pictures[box.picture]->items[box.item.index()];
}

} // namespace

/// Pictures whose modules open without a layout engine.
class PictureBodiesTest final : public QObject {
    Q_OBJECT
private slots:
    void everyNodeIsInOneBoxWithoutContents_data() { models(); }
    void everyNodeIsInOneBoxWithoutContents()
    {
        const Program program = model();
        const PictureBodies bodies = bodiesOfFirstSight(program, FlowDirection::down);
        std::map<NodeId, int> shown;
        for (const PictureBody& body : bodies.bodies)
            for (const BodyBox& box : body.boxes)
                for (const NodeId node : itemOf(bodies, box).nodes)
                    shown[node] += box.body == BodyBox::kNoBody ? 1 : 0;
        const Picture& first = *bodies.pictures.front();
        for (const NodeId node : program.rootGraph().nodes())
            if (first.itemOf[node.index()])
                QCOMPARE(shown[node], 1);
        for (const PictureBody& body : bodies.bodies)
            for (const BodyBox& box : body.boxes)
                QVERIFY2(box.body != BodyBox::kNoBody || !itemOf(bodies, box).canOpen, itemOf(bodies, box).key.c_str());
    }

    void everyBodyIsTheContentsOfOneBox_data() { models(); }
    void everyBodyIsTheContentsOfOneBox()
    {
        const PictureBodies bodies = bodiesOfFirstSight(model(), FlowDirection::down);
        std::vector<int> owners(bodies.bodies.size(), 0);
        for (const PictureBody& body : bodies.bodies)
            for (const BodyBox& box : body.boxes)
                if (box.body != BodyBox::kNoBody)
                    ++owners[box.body];
        QCOMPARE(owners.front(), 0);
        QCOMPARE(std::count(owners.begin() + 1, owners.end(), 1), std::ptrdiff_t(owners.size() - 1));
    }

    void boxesAreInTheirBodiesAndApart_data() { models(); }
    void boxesAreInTheirBodiesAndApart()
    {
        const PictureBodies bodies = bodiesOfFirstSight(model(), FlowDirection::down);
        for (const PictureBody& body : bodies.bodies) {
            for (std::size_t i = 0; i < body.boxes.size(); ++i) {
                const Rect& rect = body.boxes[i].rect;
                QVERIFY(rect.x >= 0 && rect.y >= 0 && rect.right() <= body.size.width && rect.bottom() <= body.size.height);
                QVERIFY(body.boxes[i].closed.width > 0 && body.boxes[i].closed.height > 0);
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(!rect.intersects(body.boxes[k].rect));
            }
        }
    }

    void edgesEndAtBoxesAndBorders_data() { models(); }
    void edgesEndAtBoxesAndBorders()
    {
        const Program program = model();
        for (const FlowDirection direction : {FlowDirection::down, FlowDirection::right}) {
            const PictureBodies bodies = bodiesOfFirstSight(program, direction);
            const auto along = [&](Point point) { return direction == FlowDirection::down ? point.y : point.x; };
            for (const PictureBody& body : bodies.bodies) {
                for (const BodyEdge& edge : body.edges) {
                    QVERIFY(!edge.path.empty() && !edge.values.empty());
                    const Rect whole{0, 0, body.size.width, body.size.height};
                    const Rect& from = edge.from == BodyEdge::kBorder ? whole : body.boxes[edge.from].rect;
                    const Rect& to = edge.to == BodyEdge::kBorder ? whole : body.boxes[edge.to].rect;
                    const float begin = edge.from == BodyEdge::kBorder ? 0 : along({from.right(), from.bottom()});
                    const float end = edge.to == BodyEdge::kBorder ? along({to.right(), to.bottom()}) : along({to.x, to.y});
                    QVERIFY(std::abs(along(edge.path.front()) - begin) < kNearBorder);
                    QVERIFY(std::abs(along(edge.path.back()) - end) < kNearBorder);
                }
            }
        }
    }

private:
    static void models()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"small", "large", "transformer", "unet", "residual_cnn"})
            QTest::newRow(name) << QString(name);
    }

    static Program model()
    {
        QFETCH(QString, name);
        if (name == "small")
            return programFromText(decoder(2));
        if (name == "large")
            return programFromText(decoder(60));
        Result<Program> read = readModel(SUNDER_SOURCE "/resources/samples/" + name.toStdString() + ".pt2");
        if (!read)
            throw std::runtime_error(read.error().message);
        return std::move(*read);
    }
};

const test::Registered<PictureBodiesTest> pictureBodiesTest("picture_bodies_test");
#include "picture_bodies_test.moc"
