#include "layout/compose/column_routes.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using compose::Band;
using compose::columnBreaks;

namespace {

using Breaks = std::vector<std::uint32_t>;

/// Consecutive bands of ten pixels each.
std::vector<Band> tenPixelBands(std::size_t count, std::uint32_t crossing = 1)
{
    std::vector<Band> bands;
    for (std::size_t i = 0; i < count; ++i)
        bands.push_back({static_cast<float>(i) * 10, static_cast<float>(i) * 10 + 10, crossing, false});
    return bands;
}

} // namespace

class ColumnBreaksTest final : public QObject {
    Q_OBJECT
private slots:
    void whatFitsStaysInOneColumn() { QCOMPARE(columnBreaks(tenPixelBands(4), 50), Breaks{0}); }
    void nothingHasNoColumns() { QCOMPARE(columnBreaks({}, 50), Breaks{}); }
    void columnsAreFilled() { QCOMPARE(columnBreaks(tenPixelBands(12), 40), (Breaks{0, 4, 8})); }
    void noColumnIsHigherThanWanted() { QCOMPARE(columnBreaks(tenPixelBands(9), 39), (Breaks{0, 3, 6})); }

    void aHighBandHasAColumnOfItsOwn()
    {
        std::vector<Band> bands = tenPixelBands(3);
        bands[1].bottom = 200;
        bands[2] = {200, 210};
        QCOMPARE(columnBreaks(bands, 50), (Breaks{0, 1, 2}));
    }

    void cutsWhereFewEdgesCross()
    {
        std::vector<Band> bands = tenPixelBands(8, 12);
        bands[2].crossing = 1;
        QCOMPARE(columnBreaks(bands, 50), (Breaks{0, 3}));
    }

    void cutsAtTheBorderOfAModule()
    {
        std::vector<Band> bands = tenPixelBands(10);
        bands[4].endsModule = true;
        QCOMPARE(columnBreaks(bands, 55), (Breaks{0, 5}));
    }
};

const test::Registered<ColumnBreaksTest> columnBreaksTest("column_breaks_test");
#include "column_breaks_test.moc"
