#include "io/archives/zip_archive.h"
#include "test_case.h"
#include "test_support.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace sunder;

namespace {

std::string casePath(const char* name)
{
    return test::casePath(std::string(name) + "/model.pt2");
}

} // namespace

class ZipArchiveTest : public QObject {
    Q_OBJECT

private slots:
    void listsMembersInOrder();
    void readsStoredAndDeflatedMembersAlike();
    void readsInPiecesOfAnySize();
    void noticesAWrongChecksumAtTheEnd();
    void refusesAMemberLargerThanTheLimit();
    void saysWhichMemberIsMissing();
    void saysWhichMemberLiesOutside();
    void refusesWhatIsNoArchive_data();
    void refusesWhatIsNoArchive();
};

void ZipArchiveTest::listsMembersInOrder()
{
    const auto archive = ZipArchive::open(casePath("pt2/own_stored_views"));
    QVERIFY(archive);
    QCOMPARE(archive->members().front().name, std::string("model/data/weights/weight_0"));
    QCOMPARE(archive->commonRoot(), std::string("model/"));
    QVERIFY(archive->find("model/models/model.json") != nullptr);
    QVERIFY(archive->find("models/model.json") == nullptr);
}

void ZipArchiveTest::readsStoredAndDeflatedMembersAlike()
{
    const auto deflated = ZipArchive::open(casePath("pt2/variant_deflated"));
    QVERIFY(deflated);
    const ZipMember* member = deflated->find(deflated->commonRoot() + "models/model.json");
    QVERIFY(member != nullptr);
    QVERIFY(!member->stored);
    const auto bytes = deflated->readMember(member->name, 1U << 20U);
    QVERIFY(bytes);
    QCOMPARE(bytes->size(), member->size);
    QCOMPARE(bytes->front(), '{');
    QCOMPARE(bytes->back(), '}');
}

void ZipArchiveTest::readsInPiecesOfAnySize()
{
    const auto archive = ZipArchive::open(casePath("pt2/variant_deflated"));
    QVERIFY(archive);
    const std::string name = archive->commonRoot() + "models/model.json";
    const auto whole = archive->readMember(name, 1U << 20U);
    auto stream = archive->openMember(name);
    QVERIFY(whole && stream);
    std::string pieces;
    std::array<char, 7> buffer{};
    for (;;) {
        const auto count = stream->read(buffer);
        QVERIFY(count);
        if (*count == 0)
            break;
        pieces.append(buffer.data(), *count);
    }
    QVERIFY(pieces == *whole);
}

void ZipArchiveTest::noticesAWrongChecksumAtTheEnd()
{
    const auto archive = ZipArchive::open(casePath("pt2_bad/crc_program"));
    QVERIFY(archive);
    const std::string name = archive->commonRoot() + "models/model.json";
    const auto bytes = archive->readMember(name, 1U << 20U);
    QVERIFY(!bytes);
    QVERIFY2(describe(bytes.error()).find("CRC") != std::string::npos, describe(bytes.error()).c_str());
    QCOMPARE(bytes.error().where.member, name);
}

void ZipArchiveTest::refusesAMemberLargerThanTheLimit()
{
    const auto archive = ZipArchive::open(casePath("pt2/own_symbols"));
    QVERIFY(archive);
    QVERIFY(!archive->readMember("model/models/model.json", 100));
}

void ZipArchiveTest::saysWhichMemberIsMissing()
{
    const auto archive = ZipArchive::open(casePath("pt2/own_symbols"));
    QVERIFY(archive);
    const auto stream = archive->openMember("model/data/weights/weight_77");
    QVERIFY(!stream);
    QVERIFY(describe(stream.error()).find("weight_77") != std::string::npos);
}

void ZipArchiveTest::saysWhichMemberLiesOutside()
{
    QFile source(QString::fromStdString(casePath("pt2/own_stored_views")));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QByteArray whole = source.readAll();
    const auto archive = ZipArchive::open(source.fileName().toStdString());
    QVERIFY(archive);
    const QTemporaryDir folder;
    for (const ZipMember& member : archive->members()) {
        // the name in the central directory, at the end of the file
        const qsizetype name = whole.lastIndexOf(QByteArray::fromStdString(member.name));
        QByteArray bytes = whole;
        bytes.replace(name - 4, 4, QByteArray("\xf0\xff\xff\x7f", 4)); // the offset precedes the name
        QFile file(folder.filePath(QStringLiteral("model.pt2")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const auto damaged = ZipArchive::open(file.fileName().toStdString());
        QVERIFY(!damaged);
        QCOMPARE(damaged.error().where.member, member.name);
    }
}

void ZipArchiveTest::refusesWhatIsNoArchive_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("nothing") << QByteArray() << QByteArray("empty");
    QTest::newRow("the beginning of a zip") << QByteArray("PK\3\4 and no more") << QByteArray("truncated");
    QTest::newRow("a pointer of Git LFS") << QByteArray("version https://git-lfs.github.com/spec/v1\n") << QByteArray("LFS");
    QTest::newRow("a text") << QByteArray("no archive at all") << QByteArray("not a zip");
    QByteArray outside("PK\5\6\0\0\0\0\1\0\1\0", 12);
    outside += QByteArray("\x10\x27\0\0\x10\x27\0\0\0\0", 10);
    QTest::newRow("a directory outside of the file") << outside << QByteArray("directory");
}

void ZipArchiveTest::refusesWhatIsNoArchive()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QByteArray, word);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("model.pt2")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    const auto archive = ZipArchive::open(file.fileName().toStdString());
    QVERIFY(!archive);
    QVERIFY2(describe(archive.error()).find(word.toStdString()) != std::string::npos, describe(archive.error()).c_str());
}

const test::Registered<ZipArchiveTest> zipArchiveTest("zip_archive_test");
#include "zip_archive_test.moc"
