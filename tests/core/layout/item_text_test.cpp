#include "layout/picture/item_text.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// One unit per byte.
const TextWidth kByBytes = [](std::string_view text, TextRole) { return static_cast<float>(text.size()); };

std::string pathIn(std::string_view text, float width)
{
    return elidePath(text, width, TextRole::chip, kByBytes);
}

} // namespace

class ItemTextTest : public QObject {
    Q_OBJECT

private slots:
    void whatFitsStaysAsItIs()
    {
        QCOMPARE(pathIn("blocks.0.attention", 18), std::string("blocks.0.attention"));
        QCOMPARE(pathIn("", 0), std::string());
    }

    void pathsLoseTheModulesAroundThem()
    {
        QCOMPARE(pathIn("blocks.0.attention", 17), std::string("…0.attention"));
        QCOMPARE(pathIn("blocks.0.attention", 13), std::string("…attention"));
    }

    void arrowsAndCountsStay()
    {
        QCOMPARE(pathIn("→ blocks.0.norm +1", 19), std::string("→ …0.norm +1"));
        QCOMPARE(pathIn("← upper.down.8 … 10", 20), std::string("← …down.8 … 10"));
    }

    void namesLoseTheirMiddle()
    {
        QCOMPARE(pathIn("scaled_dot_product", 9), std::string("sca…uct"));
        const std::string tight = pathIn("blocks.0.scaled_dot_product", 12);
        QVERIFY(tight.size() <= 12 && tight.find("…") != std::string::npos);
    }

    void charactersAreNeverSplit()
    {
        for (int width = 0; width < 24; ++width) {
            const QString shown = QString::fromStdString(pathIn("→ größe.höhe.länge", static_cast<float>(width)));
            QVERIFY2(!shown.contains(QChar::ReplacementCharacter), qPrintable(shown));
        }
    }
};

const test::Registered<ItemTextTest> itemTextTest("item_text_test");
#include "item_text_test.moc"
