#include "layout/picture/picture_walk.h"

#include "sketched_picture.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

class PictureWalkTest final : public QObject {
    Q_OBJECT
private slots:
    void goesAlongEdgesUpAndDown()
    {
        QCOMPARE(title(walk(m_scene, item("softmax"), WalkDirection::producer)), std::string("matmul"));
        QCOMPARE(title(walk(m_scene, item("embed_tokens"), WalkDirection::consumer)), std::string("layers.0 … layers.14"));
        QCOMPARE(m_scene.picture->items[walk(m_scene, item("RMSNorm"), WalkDirection::consumer).index()].subtitle,
                 std::string("k_proj")); // the one straight below, of three
    }

    void goesSidewaysWithinARank()
    {
        const ItemId q(4U);
        const ItemId k = walk(m_scene, q, WalkDirection::behind);
        QCOMPARE(m_scene.picture->items[k.index()].subtitle, std::string("k_proj"));
        QCOMPARE(walk(m_scene, k, WalkDirection::before), q);
        QVERIFY(!walk(m_scene, q, WalkDirection::before));
    }

    void beginsAndEnds()
    {
        QCOMPARE(title(walk(m_scene, {}, WalkDirection::consumer)), std::string("embed_tokens"));
        QCOMPARE(title(walk(m_scene, item("softmax"), WalkDirection::first)), std::string("embed_tokens"));
        QCOMPARE(title(walk(m_scene, item("softmax"), WalkDirection::last)), std::string("norm · lm_head"));
        const ScenePicture nothing(std::make_shared<const Picture>());
        QVERIFY(!walk(nothing, {}, WalkDirection::first));
    }

    void namesEachNeighborOnce()
    {
        QCOMPARE(consumersOf(m_scene, item("RMSNorm")).size(), 3U);
        QCOMPARE(producersOf(m_scene, item("embed_tokens")).size(), 0U);
    }

private:
    [[nodiscard]] const std::string& title(ItemId id) const { return m_scene.picture->items[id.index()].title; }
    [[nodiscard]] ItemId item(const std::string& title) const
    {
        for (std::uint32_t i = 0; i < m_scene.picture->items.size(); ++i)
            if (m_scene.picture->items[i].title == title)
                return ItemId(i);
        return {};
    }

    const ScenePicture m_scene{std::make_shared<const Picture>(test::layerPicture())};
};

const test::Registered<PictureWalkTest> pictureWalkTest("picture_walk_test");
#include "picture_walk_test.moc"
