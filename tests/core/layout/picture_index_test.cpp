#include "layout/picture/picture_index.h"
#include "sketched_picture.h"
#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;

namespace {

/// Boxes of random sizes and positions, some in frames.
Picture scatteredPicture(std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(0, 3000);
    std::uniform_real_distribution<float> length(4, 300);
    Picture picture;
    picture.size = {3300, 3300};
    for (int i = 0; i < 400; ++i) {
        Item item;
        item.kind = i % 9 == 0 ? ItemKind::frame : ItemKind::node;
        item.rect = {place(random), place(random), length(random), length(random) / 3};
        if (i % 17 == 0)
            item.chips.push_back({.rect = {item.rect.right() + 5, item.rect.y, 30, 12}, .text = "x"});
        picture.items.push_back(item);
    }
    for (std::uint32_t i = 0; i + 1 < 400; ++i) {
        const Point a = picture.items[i].rect.center();
        const Point b = picture.items[i + 1].rect.center();
        picture.edges.push_back({.from = ItemId(i), .to = ItemId(i + 1), .path = {a, {a.x, a.y + 50}, {b.x, b.y - 50}, b}});
    }
    return picture;
}

bool covers(const Item& item, Point point)
{
    bool hit = item.rect.contains(point);
    for (const Chip& chip : item.chips)
        hit = hit || chip.rect.contains(point);
    return hit;
}

} // namespace

class PictureIndexTest : public QObject {
    Q_OBJECT

private slots:
    void findsTheTopmostItemAsBruteForceDoes()
    {
        for (std::uint32_t seed = 1; seed <= 5; ++seed) {
            const Picture picture = scatteredPicture(seed);
            const PictureIndex index(picture);
            std::mt19937 random(seed + 100);
            std::uniform_real_distribution<float> place(-50, 3350);
            for (int i = 0; i < 2000; ++i) {
                const Point point{place(random), place(random)};
                ItemId expected;
                for (std::uint32_t k = 0; k < picture.items.size(); ++k)
                    if (covers(picture.items[k], point))
                        expected = ItemId(k);
                QCOMPARE(index.itemAt(point), expected);
            }
        }
    }

    void findsWhatTouchesAnAreaAsBruteForceDoes()
    {
        const Picture picture = scatteredPicture(7);
        const PictureIndex index(picture);
        std::mt19937 random(3);
        std::uniform_real_distribution<float> place(-100, 3200);
        std::uniform_real_distribution<float> length(0, 2500);
        for (int i = 0; i < 500; ++i) {
            const Rect area{place(random), place(random), length(random), length(random)};
            std::vector<std::uint32_t> expected;
            for (std::uint32_t k = 0; k < picture.items.size(); ++k) {
                Rect bounds = picture.items[k].rect;
                for (const Chip& chip : picture.items[k].chips)
                    bounds = united(bounds, chip.rect);
                if (bounds.intersects(area))
                    expected.push_back(k);
            }
            QCOMPARE(index.itemsIn(area), expected);
            for (const std::uint32_t edge : index.edgesIn(area))
                QVERIFY(index.edgeBounds(edge).intersects(area));
        }
    }

    void findsTheEdgeUnderAPoint()
    {
        const Picture picture = test::layerPicture();
        const PictureIndex index(picture);
        for (std::uint32_t edge = 0; edge < picture.edges.size(); ++edge) {
            const Point middle = pointAt(picture.edges[edge].path, 0, 0.5F);
            QCOMPARE(index.edgeAt(middle, 2), static_cast<std::int64_t>(edge));
        }
        QCOMPARE(index.edgeAt({2, 2}, 2), std::int64_t{-1});
    }

    void survivesAnEmptyPicture()
    {
        const Picture picture;
        const PictureIndex index(picture);
        QVERIFY(!index.itemAt({0, 0}));
        QVERIFY(index.itemsIn({-10, -10, 100, 100}).empty());
        QCOMPARE(index.edgeAt({0, 0}, 100), std::int64_t{-1});
    }
};

const test::Registered<PictureIndexTest> pictureIndexTest("picture_index_test");
#include "picture_index_test.moc"
