#include "io/archives/gzip.h"

#include "test_case.h"

#include <QTest>

#include <sstream>

using namespace sunder;

namespace {

std::string gzipped(const std::string& text)
{
    std::ostringstream out;
    GzipStreambuf packer(out);
    std::ostream into(&packer);
    into << text << std::flush;
    return packer.finish() ? out.str() : std::string();
}

struct Unpacked {
    std::string text;
    std::string fault; ///< empty if there was no error
    bool isComplete = false;
};

/// Unpacks the data in pieces of this size.
Unpacked unpackedBy(std::size_t piece, std::string_view packed)
{
    GunzipStream stream;
    Unpacked all;
    for (std::size_t at = 0; at < packed.size(); at += piece) {
        if (const Result<void> done = stream.unpack(packed.substr(at, piece), all.text); !done) {
            all.fault = done.error().message;
            return all;
        }
    }
    all.isComplete = stream.isComplete();
    return all;
}

} // namespace

/// Reading and writing gzip data, and rejection of damage that zlib's gzread() ignores.
class GzipTest final : public QObject {
    Q_OBJECT
private slots:
    void readsWhatItWrites_data()
    {
        QTest::addColumn<std::size_t>("piece");
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20U})
            QTest::addRow("pieces of %zu", piece) << piece;
    }

    void readsWhatItWrites()
    {
        QFETCH(std::size_t, piece);
        const std::string first(100'000, 'a');
        const Unpacked all = unpackedBy(piece, gzipped(first) + gzipped("second") + gzipped(""));
        QCOMPARE(all.fault, std::string());
        QVERIFY(all.text == first + "second");
        QVERIFY(all.isComplete);
    }

    void writesEqualBytesForEqualTexts() { QCOMPARE(gzipped("the same"), gzipped("the same")); }

    void refusesRubbishBehindAMember_data()
    {
        QTest::addColumn<QByteArray>("rubbish");
        QTest::newRow("text") << QByteArray("rubbish");
        QTest::newRow("zeros") << QByteArray(16, '\0');
        QTest::newRow("one byte") << QByteArray("x");
    }

    void refusesRubbishBehindAMember()
    {
        QFETCH(QByteArray, rubbish);
        for (const std::size_t piece : {std::size_t{1}, std::size_t{1} << 20U}) {
            const Unpacked all = unpackedBy(piece, gzipped("good") + rubbish.toStdString());
            // A single byte may be the start of another member, so the data is incomplete.
            QVERIFY2(!all.fault.empty() || !all.isComplete, all.text.c_str());
            QVERIFY(rubbish.size() == 1 || all.fault.starts_with("is damaged gzip data: "));
        }
    }

    void tellsThatTheEndIsMissing()
    {
        const std::string packed = gzipped("a text that is cut off");
        for (std::size_t length = 0; length < packed.size(); ++length) {
            const Unpacked all = unpackedBy(5, std::string_view(packed).substr(0, length));
            QVERIFY2(!all.isComplete, std::to_string(length).c_str());
        }
    }

    void refusesDamage()
    {
        std::string packed = gzipped("a text whose checksum is wrong");
        packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
        QVERIFY(!unpackedBy(9, packed).fault.empty());
    }

    void refusesWhatUnpacksToFarMore()
    {
        const std::string bomb = gzipped(std::string(std::size_t{70} << 20U, '\0'));
        const Unpacked all = unpackedBy(1U << 20U, bomb);
        QVERIFY2(all.fault.find("which is not plausible") != std::string::npos, all.fault.c_str());
    }
};

const test::Registered<GzipTest> gzipTest("gzip_test");
#include "gzip_test.moc"
