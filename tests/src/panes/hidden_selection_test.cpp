#include "panes/partition_dag/hidden_selection.h"

#include "test_case.h"

#include <QTest>

#include <vector>

using namespace sunder;

/// Six boxes of 90 pixels with a pitch of 100, in a view of 200 that begins at the third.
class HiddenSelectionTest : public QObject {
    Q_OBJECT

private:
    static HiddenSelection of(const std::vector<std::size_t>& selectedOps)
    {
        std::vector<QRectF> boxes;
        for (int box = 0; box < 6; ++box)
            boxes.emplace_back(50, (box - 2) * 100, 200, 90);
        return {boxes, selectedOps, QSizeF(300, 200)};
    }
    static constexpr QPointF kUpper{150, 16};
    static constexpr QPointF kLower{150, 184};

private slots:
    void countsWhatIsOutOfSight()
    {
        const HiddenSelection hidden = of({1, 2, 4, 8, 16, 32});
        QCOMPARE(hidden.above(), 3U);
        QCOMPARE(hidden.below(), 48U);
    }

    void leadsToTheNearest()
    {
        const HiddenSelection hidden = of({1, 2, 0, 0, 16, 32});
        QCOMPARE(hidden.boxAt(kUpper), 1);
        QCOMPARE(hidden.boxAt(kLower), 4);
        QCOMPARE(of({1, 0, 0, 0, 0, 32}).boxAt(kUpper), 0);
        QCOMPARE(of({1, 0, 0, 0, 0, 32}).boxAt(kLower), 5);
    }

    void leavesTheRestOfTheViewAlone()
    {
        QCOMPARE(of({1, 2, 4, 8, 16, 32}).boxAt({150, 100}), -1);
        QCOMPARE(of({0, 0, 4, 8, 0, 0}).boxAt(kUpper), -1);
        QCOMPARE(of({0, 0, 4, 8, 0, 0}).boxAt(kLower), -1);
    }
};

const test::Registered<HiddenSelectionTest> hiddenSelectionTest("hidden_selection_test");
#include "hidden_selection_test.moc"
