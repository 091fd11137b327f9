#include "layout/picture/picture_pages.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// Boxes of 100 × 40 in `columns`, with a pitch of 150 horizontally and 60 vertically.
Picture boxes(int columns, int rows)
{
    Picture picture;
    for (int column = 0; column < columns; ++column) {
        for (int row = 0; row < rows; ++row) {
            Item item;
            item.rect = {static_cast<float>(column) * 150, static_cast<float>(row) * 60, 100, 40};
            picture.items.push_back(item);
        }
    }
    picture.size = {static_cast<float>(columns) * 150 - 50, static_cast<float>(rows) * 60 - 20};
    return picture;
}

Rect whole(const Picture& picture)
{
    return {0, 0, picture.size.width, picture.size.height};
}

} // namespace

class PicturePagesTest final : public QObject {
    Q_OBJECT
private slots:
    void whatFitsIsOnePage()
    {
        const Picture picture = boxes(2, 3);
        const std::vector<PicturePage> pages = pagesOf(picture, whole(picture), {500, 500});
        QCOMPARE(pages.size(), std::size_t{1});
        QCOMPARE(pages.front().area.width, picture.size.width);
        QCOMPARE(pages.front().area.height, picture.size.height);
    }

    void noPageCutsABox()
    {
        const Picture picture = boxes(10, 30);
        const std::vector<PicturePage> pages = pagesOf(picture, whole(picture), {430, 500});
        QVERIFY(pages.size() > 8);
        for (const Item& item : picture.items) {
            const auto holds = [&](const PicturePage& page) {
                return page.area.x <= item.rect.x && page.area.y <= item.rect.y && page.area.right() >= item.rect.right()
                    && page.area.bottom() >= item.rect.bottom();
            };
            QCOMPARE(std::count_if(pages.begin(), pages.end(), holds), 1);
        }
    }

    void pagesAreNoLargerThanAskedAndCoverAll()
    {
        const Picture picture = boxes(10, 30);
        float area = 0;
        for (const PicturePage& page : pagesOf(picture, whole(picture), {430, 500})) {
            QVERIFY(page.area.width <= 430.01F && page.area.height <= 500.01F);
            area += page.area.width * page.area.height;
        }
        QCOMPARE(std::round(area), std::round(picture.size.width * picture.size.height));
    }

    void aBoxThatIsLargerThanAPageIsCut()
    {
        Picture picture = boxes(1, 1);
        picture.items.front().rect = {0, 0, 100, 1000};
        picture.size = {100, 1000};
        const std::vector<PicturePage> pages = pagesOf(picture, whole(picture), {200, 300});
        QCOMPARE(pages.size(), std::size_t{4});
        QCOMPARE(pages[3].row, 3U);
        QCOMPARE(pages[3].area.bottom(), 1000.0F);
    }
};

const test::Registered<PicturePagesTest> picturePagesTest("picture_pages_test");
#include "picture_pages_test.moc"
