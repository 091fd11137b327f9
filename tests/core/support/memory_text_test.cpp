#include "support/format.h"
#include "support/memory_text.h"

#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;

class MemoryTextTest final : public QObject {
    Q_OBJECT
private slots:
    void readsWhatPeopleWrite_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<quint64>("bytes");
        QTest::newRow("decimal unit") << "16 GB" << quint64{16'000'000'000};
        QTest::newRow("binary unit") << "512 MiB" << quint64{512} * 1024 * 1024;
        QTest::newRow("no space") << "80GB" << quint64{80'000'000'000};
        QTest::newRow("exponent") << "1.5e9" << quint64{1'500'000'000};
        QTest::newRow("capital exponent") << "2E3" << quint64{2000};
        QTest::newRow("exa is no exponent") << "2EB" << quint64{2'000'000'000'000'000'000};
        QTest::newRow("no unit") << "125" << quint64{125};
        QTest::newRow("unit without B") << "4k" << quint64{4000};
        QTest::newRow("any case") << "4 gib" << quint64{4294967296};
        QTest::newRow("decimals") << "0.5 TB" << quint64{500'000'000'000};
        QTest::newRow("no leading zero") << ".5 kB" << quint64{500};
        QTest::newRow("word") << "12 bytes" << quint64{12};
        QTest::newRow("grouped") << "1,073,741,824 B" << quint64{1073741824};
        QTest::newRow("grouped by underscores") << "1_000" << quint64{1000};
        QTest::newRow("grouped by a spreadsheet") << QString::fromUtf8("1\u00a0000\u202f000") << quint64{1'000'000};
        QTest::newRow("spaces around") << "\t 3 MB  " << quint64{3'000'000};
        QTest::newRow("plus") << "+3 MB" << quint64{3'000'000};
        QTest::newRow("rounded to a byte") << "1.0006 kB" << quint64{1001};
        QTest::newRow("more than a double holds") << "9007199254740993" << quint64{9007199254740993ULL};
        QTest::newRow("largest") << "18446744073709551615" << quint64{18446744073709551615ULL};
    }
    void readsWhatPeopleWrite()
    {
        QFETCH(QString, text);
        QFETCH(quint64, bytes);
        const Result<std::uint64_t> read = parseBytes(text.toStdString());
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(quint64{*read}, bytes);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::newRow("nothing") << "  " << "the size is missing";
        QTest::newRow("words") << "lots" << "\"lots\" does not start with a number";
        QTest::newRow("unit alone") << "GB" << "does not start with a number";
        QTest::newRow("negative") << "-1 GB" << "negative";
        QTest::newRow("unknown unit") << "3 apples" << "has the unknown unit \"apples\"";
        QTest::newRow("bits") << "8 Gbit" << "is in bits";
        QTest::newRow("decimal comma") << "1,5 GB" << "has a decimal comma; use a point";
        QTest::newRow("too much") << "19 EB" << "more than the maximum of 18 EB";
        QTest::newRow("far too much") << "1e400" << "more than the maximum of 18 EB";
        QTest::newRow("one too much") << "18446744073709551616" << "more than the maximum of 18 EB";
        QTest::newRow("infinite") << "inf" << "does not start with a number";
        QTest::newRow("two numbers") << "1 2 GB" << "has the unknown unit \"2 gb\"";
    }
    void saysWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        const Result<std::uint64_t> read = parseBytes(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(word), read.error().message.c_str());
    }

    void readsBandwidths()
    {
        QCOMPARE(*parseBytesPerSecond("900 GB/s"), std::uint64_t{900'000'000'000});
        QCOMPARE(*parseBytesPerSecond("32 GiB per second"), std::uint64_t{32} << 30U);
        QCOMPARE(*parseBytesPerSecond("64 GBps"), std::uint64_t{64'000'000'000});
        QCOMPARE(*parseBytesPerSecond("1e9"), std::uint64_t{1'000'000'000});
        QVERIFY(!parseBytesPerSecond("10 Gbit/s"));
    }

    void writesTheShortestExactText()
    {
        QCOMPARE(formatBytesExactly(0), std::string("0 B"));
        QCOMPARE(formatBytesExactly(125), std::string("125 B"));
        QCOMPARE(formatBytesExactly(16'000'000'000), std::string("16 GB"));
        QCOMPARE(formatBytesExactly(std::uint64_t{512} << 20U), std::string("512 MiB"));
        QCOMPARE(formatBytesExactly(1'500'000'000), std::string("1.5 GB"));
        QCOMPARE(formatBytesExactly(123'456'789), std::string("123,456,789 B"));
        QCOMPARE(formatBytesExactly(1024), std::string("1 KiB"));
    }

    void saysFiguresSoThatTheyDiffer()
    {
        QCOMPARE(formatBytesBeside(1'500'000'000, 900'000'000), std::string("1.5 GB"));
        QCOMPARE(formatBytesBeside(1'500'000'007, 1'500'000'000), std::string("1,500,000,007 B"));
        QCOMPARE(formatBytesBeside(1'500'000'000, 1'500'000'007), std::string("1.5 GB"));
        QCOMPARE(formatBytesBeside(1'500'000'007, 1'500'000'007), std::string("1.5 GB"));
    }

    void whatIsAskedForIsEnough()
    {
        QCOMPARE(formatBytesAtLeast(70), std::string("70 B"));
        QCOMPARE(formatBytesAtLeast(70'500), std::string("70.5 kB"));
        QCOMPARE(formatBytesAtLeast(70'512), std::string("70.6 kB"));
        QCOMPARE(formatBytesAtLeast(999'999), std::string("1.0 MB"));
        for (std::uint64_t bytes = 1; bytes < (std::uint64_t{1} << 60U); bytes = bytes * 3 + 7)
            QVERIFY2(*parseBytes(formatBytesAtLeast(bytes)) >= bytes, formatBytesAtLeast(bytes).c_str());
    }

    void readsBackWhatItWrites()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 20'000; ++i) {
            std::uint64_t bytes = random() >> (random() % 64);
            if (i % 3 == 0)
                bytes &= ~((std::uint64_t{1} << (random() % 40)) - 1);
            if (i % 3 == 1)
                bytes = bytes / 1'000'000 * 1'000'000;
            const Result<std::uint64_t> read = parseBytes(formatBytesExactly(bytes));
            QVERIFY(read.has_value());
            QCOMPARE(*read, bytes);
        }
    }
};

const test::Registered<MemoryTextTest> memoryTextTest("memory_text_test");
#include "memory_text_test.moc"
