#include "io/side_files/identity_file.h"
#include "io/side_files/rules_file.h"

#include "random_program.h"
#include "test_case.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sunder;

/// Side files that outlive an export: graph identities and rules.
class IdentityFileTest final : public QObject {
    Q_OBJECT
private slots:
    void readsWhatItWrites()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("identity.json").toStdString();
        GraphIdentity identity = identityOf(test::randomProgram(3, 50));
        identity.modules.push_back({.path = intern("a\"b"), .cls = intern("C"), .call = 2, .parent = 0});
        identity.nodes.back().module = 1;
        QVERIFY(writeIdentityFile(identity, path));
        const Result<GraphIdentity> again = readIdentityFile(path);
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QCOMPARE(again->modules, identity.modules);
        QCOMPARE(again->nodes, identity.nodes);
        for (std::size_t i = 0; i < identity.nodes.size(); ++i)
            QVERIFY(std::ranges::equal(again->reads[i], identity.reads[i]));
        QVERIFY(looksLikeIdentity(identityText(identity).substr(0, 200)));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        const auto with = [](const QString& modules, const QString& nodes) {
            return QString(R"({"version":1,"texts":["","a"],"hashes":["0"],"modules":%1,"nodes":%2})").arg(modules, nodes);
        };
        QTest::newRow("not JSON") << "nope" << "not JSON";
        QTest::newRow("a list") << "[]" << "not an object";
        QTest::newRow("no version") << "{}" << "lacks its version";
        QTest::newRow("a later version") << R"({"version":2})" << "version 2";
        QTest::newRow("no modules") << with("[]", "[]") << "not even the root module";
        QTest::newRow("a module around itself") << with("[[0,0,0,0],[1,0,0,1]]", "[]") << "index out of range, in modules[1]";
        QTest::newRow("a text that is not there") << with("[[7,0,0,0]]", "[]") << "index out of range, in modules[0]";
        QTest::newRow("a short row") << with("[[0,0,0]]", "[]") << "too short, in modules[0]";
        QTest::newRow("an op that is none") << with("[[0,0,0,0]]", "[[1,1,9,0,0,0,0]]") << "index out of range, in nodes[0]";
        QTest::newRow("an input that is not there")
            << with("[[0,0,0,0]]", "[[1,1,3,0,0,0,0,1]]") << "index out of range, in nodes[0]";
        QTest::newRow("a negative number") << with("[[0,0,0,0]]", "[[1,1,3,0,-1,0,0]]") << "index out of range, in nodes[0]";
        QTest::newRow("a hash that is none")
            << QString(R"({"version":1,"texts":[],"hashes":["x"],"modules":[],"nodes":[]})") << "must have a hash, in hashes[0]";
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<GraphIdentity> read = parseIdentity(text.toStdString(), "i.json");
        QVERIFY(!read);
        const QString said = QString::fromStdString(describe(read.error()));
        QVERIFY2(said.contains(message), qPrintable(said));
    }

    void rulesAreReadAsWritten()
    {
        const TagRules rules{.rules = {{.module = "layers.0-7", .tag = "a"},
                                       {.cls = "Linear", .op = "linear", .reads = "a", .onlyUntagged = true, .tag = "b"},
                                       {.onlyUntagged = true},
                                       {}},
                             .order = {intern("a"), intern("b")}};
        const Result<TagRules> again = parseRulesFile(rulesText(rules), "r.json");
        QVERIFY2(again, again ? "" : describe(again.error()).c_str());
        QCOMPARE(*again, rules);
    }

    void refusesRules_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no rules") << R"({"order":[]})" << "lacks a required key, in rules";
        QTest::newRow("a rule that is text") << R"({"rules":["a"]})" << "rule 1 of the rules file is not an object";
        QTest::newRow("an empty rule") << R"({"rules":[{"tag":"a"},{}]})"
                                       << "rule 2 of the rules file has neither a condition nor a tag";
        QTest::newRow("a key that means nothing") << R"({"rules":[{"modul":"a"}]})" << "in rules[0].modul";
        QTest::newRow("a key twice") << R"({"rules":[{"tag":"a","tag":"b"}]})" << "has a duplicate key, in rules[0].tag";
        QTest::newRow("a number") << R"({"rules":[{"tag":1}]})" << "must have a string, in rules[0].tag";
        QTest::newRow("a bad pattern") << R"({"rules":[{"tag":"a"},{"module":"a..b","tag":"a"}]})"
                                       << "rule 2 of the rules file has an empty element";
        QTest::newRow("a tag with a dot") << R"({"rules":[{"tag":"a.b"}]})" << "so it cannot name a part, in rules[0].tag";
    }
    void refusesRules()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const Result<TagRules> read = parseRulesFile(text.toStdString(), "r.json");
        QVERIFY(!read);
        const QString said = QString::fromStdString(describe(read.error()));
        QVERIFY2(said.contains(message), qPrintable(said));
    }
};

const test::Registered<IdentityFileTest> identityFileTest("identity_file_test");
#include "identity_file_test.moc"
