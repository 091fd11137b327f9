// Output of sunder-cli info about an edge.
#include "answer.h"
#include "small_models.h"
#include "test_case.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using sunder::test::Answer;
using sunder::test::kSkipModel;
using sunder::test::run;
using sunder::test::write;

class InfoEdgeTest final : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { write(path(), kSkipModel); }

    void saysWhatFlows()
    {
        const Answer people = run({"info", path(), "--edge", "a:c"});
        QCOMPARE(people.status, 0);
        QCOMPARE(people.out, QString("a  to c  and 1 consumer elsewhere\n"));
        const QJsonObject json = run({"info", path(), "--edge", "a:c", "--json"}).json();
        QCOMPARE(json["from"].toString(), QString("a"));
        const QJsonObject value = json["values"].toArray().at(0).toObject();
        QCOMPARE(value["readers"].toArray(), QJsonArray{"c"});
        QCOMPARE(value["further_readers"].toInt(), 1);
    }

    void saysWhoReadsItInstead()
    {
        const Answer answer = run({"info", path(), "--edge", "x:c"});
        QCOMPARE(answer.status, 1);
        QCOMPARE(answer.out, QString("no value flows from x to c; x is used by a\n"));
    }

    void refusesWhatIsNoEdge()
    {
        for (const char* ends : {"a", "a:", ":a", "a:nosuch"})
            QCOMPARE(run({"info", path(), "--edge", ends}).status, 2);
    }

private:
    [[nodiscard]] QString path() const { return m_folder.filePath("in.fxj"); }
    QTemporaryDir m_folder;
};

const sunder::test::Registered<InfoEdgeTest> infoEdgeTest("info_edge_test");
#include "info_edge_test.moc"
