#include "io/side_files/support_files.h"

#include "test_case.h"

#include <QJsonDocument>
#include <QTest>

using namespace sunder;

/// SUPPORT.json and OPTIONS.json.
class SupportFilesTest final : public QObject {
    Q_OBJECT

    static constexpr auto kSupport =
        R"({"supported":["relu","*"],"dtypes":{"relu":{"args":[["float32",{"type":"int"}],null],"kwargs":{"k":[]}}},
            "supported_nodes":["a"],"unsupported_nodes":["b"],"declined_input_dtypes":["int64",{"type":"int"}]})";

private slots:
    void readsSupport()
    {
        const auto rules = parseSupportFile(kSupport, "s.json");
        QVERIFY(rules);
        QCOMPARE(rules->supported.size(), 2U);
        const SupportedArguments& arguments = rules->dtypes.front().second;
        QCOMPARE(arguments.args.size(), 2U);
        QCOMPARE(arguments.args[0]->back(), (SupportKind{false, intern("int")}));
        QVERIFY(!arguments.args[1]);
        QVERIFY(arguments.kwargs.front().second.empty());
        QCOMPARE(rules->declinedInputs.front(), (SupportKind{true, intern("int64")}));
    }

    void writesWhatItReads()
    {
        const auto rules = parseSupportFile(kSupport, "s.json");
        const std::string written = supportFileText(*rules);
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(written)), QJsonDocument::fromJson(kSupport));
        QCOMPARE(supportFileText(*parseSupportFile(written, "s.json")), written);
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(supportFileText({}))),
                 QJsonDocument::fromJson(R"({"supported":[]})"));
    }

    void refusesOtherSupport_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("member");
        QTest::newRow("a list") << "[]" << "";
        QTest::newRow("an unknown key") << R"({"note": 1})" << "note";
        QTest::newRow("a key twice") << R"({"supported": [], "supported": []})" << "supported";
        QTest::newRow("a text for a list") << R"({"supported": "relu"})" << "supported";
        QTest::newRow("a number for an operator") << R"({"supported": ["relu", 3]})" << "supported[1]";
        QTest::newRow("a list of rules") << R"({"dtypes": []})" << "dtypes";
        QTest::newRow("an unknown key of a rule") << R"({"dtypes": {"relu": {"arguments": []}}})" << "dtypes.relu.arguments";
        QTest::newRow("a kind for kinds") << R"({"dtypes": {"relu": {"args": ["float32"]}}})" << "dtypes.relu.args[0]";
        QTest::newRow("null for kinds of a keyword")
            << R"({"dtypes": {"relu": {"kwargs": {"k": null}}}})" << "dtypes.relu.kwargs.k";
        QTest::newRow("another key of a kind")
            << R"({"declined_input_dtypes": [{"type": "int", "x": 1}]})" << "declined_input_dtypes[0]";
        QTest::newRow("no kind") << R"({"declined_input_dtypes": [null]})" << "declined_input_dtypes[0]";
    }

    void refusesOtherSupport()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, member);
        const auto rules = parseSupportFile(text.toStdString(), "s.json");
        QVERIFY(!rules);
        QCOMPARE(rules.error().code, ErrorCode::malformed);
        QCOMPARE(QString::fromStdString(rules.error().where.member), member);
    }

    void readsOptions()
    {
        const auto options = parseSupportOptions(R"({"method":"splitter","min_acc_module_size":3,"skip_fusion":true})",
                                                 SupportMethod::splitter, "o.json");
        QVERIFY(options);
        QCOMPARE(options->minAccModuleSize, 3);
        QVERIFY(options->skipFusion);
        QVERIFY(parseSupportOptions("{}", SupportMethod::capability, "o.json"));
    }

    void refusesOtherOptions_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("another method") << R"({"method": "splitter"})" << ErrorCode::usage;
        QTest::newRow("no method") << R"({"method": null})" << ErrorCode::malformed;
        QTest::newRow("a key of the other method") << R"({"skip_fusion": true})" << ErrorCode::malformed;
        QTest::newRow("an unknown key") << R"({"fuse": true})" << ErrorCode::malformed;
        QTest::newRow("a number for a flag") << R"({"skip_horizontal_fusion": 1})" << ErrorCode::malformed;
        QTest::newRow("a list") << "[]" << ErrorCode::malformed;
    }

    void refusesOtherOptions()
    {
        QFETCH(const QString, text);
        QFETCH(const ErrorCode, code);
        const auto options = parseSupportOptions(text.toStdString(), SupportMethod::capability, "o.json");
        QVERIFY(!options);
        QCOMPARE(options.error().code, code);
        QVERIFY(!parseSupportOptions(R"({"max_acc_splits": 1.5})", SupportMethod::splitter, "o.json"));
    }
};

const test::Registered<SupportFilesTest> supportFilesTest("support_files_test");
#include "support_files_test.moc"
