#include "support/text.h"

#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;

class VisibleTextTest final : public QObject {
    Q_OBJECT
private slots:
    void escapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("seen");
        QTest::newRow("nothing") << QByteArray() << QByteArray();
        QTest::newRow("a name") << QByteArray("layers.3.mlp") << QByteArray("layers.3.mlp");
        QTest::newRow("a backslash stays") << QByteArray("a\\nb") << QByteArray("a\\nb");
        QTest::newRow("letters of any script") << QByteArray("Grüße 模型 нейрон 🙂") << QByteArray("Grüße 模型 нейрон 🙂");
        QTest::newRow("markup is text") << QByteArray("<b>&amp;") << QByteArray("<b>&amp;");
        QTest::newRow("end of line") << QByteArray("a\nb\r\tc") << QByteArray("a\\nb\\r\\tc");
        QTest::newRow("escape sequence") << QByteArray("\x1b]0;title\x07") << QByteArray("\\x1b]0;title\\x07");
        QTest::newRow("zero byte") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
        QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("\\x7f");
        QTest::newRow("C1 control") << QByteArray("\xC2\x9B") + "31m" << QByteArray("\\x9b31m");
        QTest::newRow("right to left override") << QByteArray("a\xE2\x80\xAE"
                                                              "b")
                                                << QByteArray("a\\u202eb");
        QTest::newRow("isolate") << QByteArray("\xE2\x81\xA6") << QByteArray("\\u2066");
        QTest::newRow("zero width space") << QByteArray("\xE2\x80\x8B") << QByteArray("\\u200b");
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF") << QByteArray("\\ufeff");
        QTest::newRow("line separator") << QByteArray("\xE2\x80\xA8") << QByteArray("\\u2028");
        QTest::newRow("tag letter") << QByteArray("\xF3\xA0\x81\x81") << QByteArray("\\U000e0041");
        QTest::newRow("stray byte") << QByteArray("a\xFF"
                                                  "b")
                                    << QByteArray("a\\xffb");
        QTest::newRow("cut character") << QByteArray("a\xE2\x80") << QByteArray("a\\xe2\\x80");
        QTest::newRow("too long a form") << QByteArray("\xC0\xAF") << QByteArray("\\xc0\\xaf");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\\xed\\xa0\\x80");
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << QByteArray("\\xf4\\x90\\x80\\x80");
        QTest::newRow("no character") << QByteArray("\xEF\xBF\xBF") << QByteArray("\\uffff");
    }
    void escapes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, seen);
        QCOMPARE(QByteArray::fromStdString(visibleText(text.toStdString())), seen);
        QCOMPARE(isVisible(text.toStdString()), text == seen);
    }

    void keepsLinesWhereTheTextHasThem()
    {
        QCOMPARE(visibleText("if x:\n\ty\r\x1b", Lines::keep), std::string("if x:\n\ty\\r\\x1b"));
    }

    void makesAnyBytesUtf8WithoutControls()
    {
        std::mt19937 random(12);
        for (int round = 0; round < 2000; ++round) {
            std::string bytes(random() % 40, '\0');
            for (char& byte : bytes)
                byte = static_cast<char>(random());
            const std::string seen = visibleText(bytes);
            const QString text = QString::fromStdString(seen);
            QVERIFY(!text.contains(QChar::ReplacementCharacter));
            QVERIFY(std::none_of(text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; }));
            QCOMPARE(visibleText(seen), seen);
            QVERIFY(isVisible(seen));
        }
    }
};

const test::Registered<VisibleTextTest> visibleTextTest("visible_text_test");
#include "visible_text_test.moc"
