#include "text/elided_name.h"

#include "test_case.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QStandardItemModel>
#include <QTest>

using namespace sunder;

/// Shortening of names and figures: only parts shared with neighbors are elided, never the differences.
class ElidedNameTest final : public QObject {
    Q_OBJECT

private slots:
    void aNameThatFitsIsWhole() { QCOMPARE(elidedName("layers.1.q", m_metrics, 1000), QString("layers.1.q")); }

    void whatNamesBeginWithGivesWay()
    {
        const QString name = "encoder.layers.10.attention.query";
        const QStringList beside{"encoder.layers.10.attention.key", "encoder.layers.10.attention.value"};
        for (const char* room : {"encoder.layers.10.att…query", "enc…query", "…query"}) {
            const QString shown = elidedName(name, m_metrics, widthOf(room), beside);
            QVERIFY2(shown.endsWith("…query"), qPrintable(shown));
            QVERIFY(widthOf(shown) <= widthOf(room) + 0.01);
        }
    }

    void numbersInNamesStayTogether()
    {
        const QString shown = elidedName("denseblock3.layer10", m_metrics, widthOf("…layer10"), {"denseblock3.layer11"});
        QVERIFY2(shown.endsWith("10") && !shown.endsWith("…0"), qPrintable(shown));
        QCOMPARE(elidedName("conv_of_the_block_128", m_metrics, widthOf("…128"), {"conv_of_the_block_129"}), QString("…128"));
    }

    void whatNamesEndWithGivesWayAfterThat()
    {
        const QString shown = elidedName("blocks.17.self_attention.projection.weight", m_metrics, widthOf("…17.self…ght"),
                                         {"blocks.18.self_attention.projection.weight"});
        QVERIFY2(shown.startsWith("…17") && shown.size() > 4, qPrintable(shown));
    }

    void aNameAloneKeepsItsLastStep()
    {
        QVERIFY(elidedName("encoder.layers.10.attention.query", m_metrics, widthOf("enc…query")).endsWith("…query"));
        QVERIFY(elidedName("a_rather_long_module_name.down.3", m_metrics, widthOf("a_ra…down.3")).endsWith("…down.3"));
    }

    void aNameWithoutStepsKeepsBothEnds()
    {
        const QString shown = elidedName("scaled_dot_product_attention_7", m_metrics, widthOf("scaled_…_7"));
        QVERIFY2(shown.startsWith('s') && shown.endsWith('7'), qPrintable(shown));
    }

    void wordsStayWhole()
    {
        const QString figure = "Peak memory of the largest part";
        const QStringList beside{"Bytes cut", "Largest part by PyTorch's count"};
        QCOMPARE(elidedName(figure, m_metrics, widthOf("Peak memory of the la"), beside), QString("Peak memory of the…"));
        QCOMPARE(elidedName("NVIDIA H100 SXM", m_metrics, widthOf("…SXM"), {"NVIDIA H100 PCIe", "NVIDIA H100 NVL"}),
                 QString("…SXM"));
        const QString run = elidedName("1 · Partition, size-based, 3 parts", m_metrics, widthOf("1 · Partition,…3 parts"));
        QVERIFY2(run.startsWith("1 · Part") && run.endsWith("3 parts"), qPrintable(run));
        const QString shown = elidedName("layers.10.attention -> b", m_metrics, widthOf("layers.1…"), beside);
        QVERIFY2(shown.size() > 3, qPrintable(shown)); // no word fits
    }

    void neverTakesMoreRoomThanThereIs_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("beside");
        QTest::newRow("none") << "encoder.layers.10.attention" << QStringList();
        QTest::newRow("prefix of another") << "norm" << QStringList{"norm_1"};
        QTest::newRow("same") << "norm_of_it" << QStringList{"norm_of_it"};
        QTest::newRow("only a number") << "1234567890123" << QStringList{"1234567890124"};
        QTest::newRow("words") << "Peak memory of the largest part" << QStringList{"Peak memory of all", "Largest part"};
        QTest::newRow("surrogates") << QString::fromUtf8("name.😀😀😀😀😀😁")
                                    << QStringList{QString::fromUtf8("name.😀😀😀😀😀😂")};
        QTest::newRow("ends as another") << "a.weight_of_it" << QStringList{"b.weight_of_it"};
    }

    void neverTakesMoreRoomThanThereIs()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, beside);
        for (double room = 4 * widthOf(QString(QChar(0x2026))); room < widthOf(name); room += 3) {
            const QString shown = elidedName(name, m_metrics, room, beside);
            QVERIFY2(widthOf(shown) <= room + 1, qPrintable(shown));
            QVERIFY(shown.contains(QChar(0x2026)));
        }
    }

    void rowsAboveAndBelowAreBeside()
    {
        QStandardItemModel model;
        for (const char* name : {"a", "b", "c"})
            model.appendRow(new QStandardItem(QString(name)));
        QCOMPARE(namesBeside(model.index(0, 0)), QStringList{"b"});
        QCOMPARE(namesBeside(model.index(1, 0)), QStringList({"a", "c"}));
    }

    void figuresAreWholeOrNotThere()
    {
        const QString words = "f32[1, 128, 768] · 393 kB";
        QCOMPARE(elidedWords(words, m_metrics, widthOf(words)), words);
        QCOMPARE(elidedWords(words, m_metrics, widthOf(words) - 1), QString("f32[1, 128, 768]…"));
        QCOMPARE(elidedWords(words, m_metrics, widthOf("f32[1, 128, 768]…")), QString("f32[1, 128, 768]…"));
        QCOMPARE(elidedWords(words, m_metrics, widthOf("f32[1, 128, …")), QString("f32[1, 128, …"));
        QCOMPARE(elidedWords("1234567", m_metrics, widthOf("1234…")), QString("…"));
    }

    void ofSeveralFiguresTheLastLeaveWhole()
    {
        const QString totals = "cut 1.8 kB · imbalance 1.31 · 419% above the best";
        QCOMPARE(elidedWords(totals, m_metrics, widthOf(totals) - 1), QString("cut 1.8 kB · imbalance 1.31…"));
        QCOMPARE(elidedWords(totals, m_metrics, widthOf("cut 1.8 kB · imbal…")), QString("cut 1.8 kB…"));
        QCOMPARE(elidedWords("2 inputs · 1 output · 593.7 kB", m_metrics, widthOf("2 inputs · 1 output · 593…")),
                 QString("2 inputs · 1 output…"));
    }

    void sentencesEndBetweenWords()
    {
        QCOMPARE(elidedWords("mul reads what add makes", m_metrics, widthOf("mul reads wh…")), QString("mul reads…"));
    }

private:
    [[nodiscard]] double widthOf(const QString& text) const { return m_metrics.horizontalAdvance(text); }
    QFontMetricsF m_metrics{QGuiApplication::font()};
};

const test::Registered<ElidedNameTest> elidedNameTest("elided_name_test");
#include "elided_name_test.moc"
