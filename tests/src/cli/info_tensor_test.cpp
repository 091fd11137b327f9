// Output of sunder-cli info about a weight.
#include "answer.h"
#include "stored_tensor.h"
#include "test_case.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using sunder::test::Answer;
using sunder::test::packed;
using sunder::test::run;

class InfoTensorTest final : public QObject {
    Q_OBJECT
private slots:
    void saysWhatAWeightHolds()
    {
        const QString model = write("'dtype':'float32','shape':[2,2],'stride':[1,2],'offset':1",
                                    packed({9.F, 0.F, 1.F, 3.F, 4.F}));
        const QJsonObject json = run({"info", model, "--tensor", "w", "--json"}).json();
        QCOMPARE(json["tensor"].toString(), QString("w"));
        QCOMPARE(json["role"].toString(), QString("constant"));
        QCOMPARE(json["dtype"].toString(), QString("float32"));
        QCOMPARE(json["shape"].toArray(), (QJsonArray{2, 2}));
        QCOMPARE(json["stride"].toArray(), (QJsonArray{1, 2}));
        QCOMPARE(json["offset"].toInt(), 1);
        QCOMPARE(json["bytes"].toInt(), 16);
        QCOMPARE(json["memory_bytes"].toInt(), 16);
        QCOMPARE(json["shares_memory_with"].toArray(), QJsonArray());
        const QJsonObject statistics = json["statistics"].toObject();
        QCOMPARE(statistics["count"].toInt(), 4);
        QCOMPARE(statistics["zeros"].toInt(), 1);
        QCOMPARE(statistics["min"].toDouble(), 0.0);
        QCOMPARE(statistics["max_text"].toString(), QString("4.0"));
        QCOMPARE(statistics["mean"].toDouble(), 2.0);
        QCOMPARE(statistics["histogram"].toArray().size(), 32);
        const Answer people = run({"info", model, "--tensor", "held"});
        QCOMPARE(people.status, 0);
        QVERIFY2(people.out.startsWith("w: constant, f32[2, 2], 16 B\n4 elements: 1 zero, 0 NaN, 0 infinite\n"
                                       "min 0.0, max 4.0, mean 2, standard deviation 1.58114\n  from 0: #"),
                 qPrintable(people.out));
    }

    void savesItForNumpy()
    {
        const QString model = write("'dtype':'bfloat16','shape':[2],'stride':[1],'offset':0", packed<std::uint16_t>({0x3f80, 0}));
        const QString file = m_folder.filePath("w.npy");
        const Answer answer = run({"info", model, "--tensor", "w", "--save-npy", file, "--json"});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.json()["written"].toString(), file);
        QCOMPARE(answer.json()["npy_type"].toString(), QString("<u2"));
        QVERIFY(answer.json()["notes"].toArray().at(0).toString().startsWith("NumPy has no bfloat16"));
        QVERIFY(sunder::test::read(file).endsWith(QByteArray("\n\x80\x3f\0\0", 5)));
    }

    void saysWhyThereAreNoStatistics()
    {
        const QString model = write("'dtype':'complex64','shape':[1],'stride':[1],'offset':0", packed({1.F, 2.F}));
        const Answer answer = run({"info", model, "--tensor", "w", "--json"});
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.json()["statistics"].isNull());
        QVERIFY(answer.json()["why"].toString().contains("complex64"));
        QCOMPARE(run({"info", model, "--tensor", "w", "--save-npy", m_folder.filePath("c.npy")}).status, 0);
    }

    void refusesWhatIsNoWeight()
    {
        const QString model = write("'dtype':'uint8','shape':[1],'stride':[1],'offset':0", packed<char>({1}));
        for (const char* name : {"nothing", "x", "sum", ""})
            QCOMPARE(run({"info", model, "--tensor", name}).status, 2);
        QCOMPARE(run({"info", model, "--save-npy", m_folder.filePath("n.npy")}).status, 2);
        QCOMPARE(run({"info", model, "--tensor", "w", "--edge", "x:sum"}).status, 2);
        QCOMPARE(run({"info", model, "--tensor", "w", "--save-npy", model}).status, 2);
    }

    void failsWhereTheBytesAreMissing()
    {
        const QString model = write("'dtype':'uint8','shape':[1],'stride':[1],'offset':0", packed<char>({1}));
        QVERIFY(QFile::remove(m_folder.filePath("m.pt2")));
        QCOMPARE(run({"info", model, "--tensor", "w", "--save-npy", m_folder.filePath("n.npy")}).status, 3);
        QVERIFY(!QFile::exists(m_folder.filePath("n.npy")));
    }

private:
    [[nodiscard]] QString write(const std::string& meta, const std::string& bytes) const
    {
        return QString::fromStdString(sunder::test::writeStoredTensor(m_folder.filePath("m").toStdString(), meta, bytes));
    }

    QTemporaryDir m_folder;
};

const sunder::test::Registered<InfoTensorTest> infoTensorTest("info_tensor_test");
#include "info_tensor_test.moc"
