#include "support/json_writer.h"

#include "test_case.h"

#include <QTest>

#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace sunder;

class JsonWriterTest final : public QObject {
    Q_OBJECT

private slots:
    void writesALinePerMemberAndItem()
    {
        JsonWriter json;
        json.object([&] {
            json.member("text", "a\"\n\xc3\xa9");
            json.member("none", std::optional<int>());
            json.memberIfAny("absent", std::string());
            json.member("list", std::vector<std::vector<int>>{{1, -2}, {}});
            json.key("object");
            json.object([&] {
                json.member("is", true);
                json.key("empty");
                json.object([] {});
            });
        });
        QCOMPARE(json.take(),
                 std::string("{\n"
                             " \"text\": \"a\\\"\\n\xc3\xa9\",\n"
                             " \"none\": null,\n"
                             " \"list\": [\n"
                             "  [\n"
                             "   1,\n"
                             "   -2\n"
                             "  ],\n"
                             "  []\n"
                             " ],\n"
                             " \"object\": {\n"
                             "  \"is\": true,\n"
                             "  \"empty\": {}\n"
                             " }\n"
                             "}\n"));
    }

    void writesLinesDownToADepth()
    {
        const auto text = [](std::size_t depth) {
            JsonWriter json(depth);
            json.object([&] {
                json.member("list", std::vector<std::vector<int>>{{1, 2}, {}});
                json.key("object");
                json.object([&] {
                    json.key("raw");
                    json.raw("[true]");
                    json.rawMember("none", "");
                    json.rawMembers("{}");
                    json.rawMembers(R"({"a":1,"b":{}})");
                });
            });
            return json.take();
        };
        QCOMPARE(text(0), std::string("{\"list\":[[1,2],[]],\"object\":{\"raw\":[true],\"a\":1,\"b\":{}}}\n"));
        QCOMPARE(text(1), std::string("{\n \"list\": [[1,2],[]],\n \"object\": {\"raw\":[true],\"a\":1,\"b\":{}}\n}\n"));
        QCOMPARE(
            text(2),
            std::string("{\n \"list\": [\n  [1,2],\n  []\n ],\n \"object\": {\n  \"raw\": [true],\n  \"a\":1,\"b\":{}\n }\n}\n"));
    }

    void figuresAreIntegersIfTheyAreWhole()
    {
        JsonWriter json(0);
        json.list(std::vector<double>{0, -0.0, 1, 0.5, -80e9, 1e300, std::numeric_limits<double>::quiet_NaN()},
                  [&](double value) { json.figure(value); });
        QCOMPARE(json.take(), std::string("[0,0,1,0.5,-80000000000,1e+300,null]\n"));
    }

    void aRawTextHasNoLineEnd()
    {
        JsonWriter json(0);
        json.value(1);
        QCOMPARE(json.takeRaw(), std::string("1"));
    }

    void replacesWhatIsNotUtf8()
    {
        JsonWriter json;
        json.value("a\xff\xe9t\xed\xa0\x80");
        QCOMPARE(json.take(), std::string("\"a\xef\xbf\xbd\xef\xbf\xbdt\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n"));
    }

    void numbersHaveAsFewDigitsAsIdentifyThem()
    {
        const std::vector<std::pair<double, std::string>> rows = {{0, "0.0"},
                                                                  {-0.0, "-0.0"},
                                                                  {1, "1.0"},
                                                                  {-1.5, "-1.5"},
                                                                  {0.1, "0.1"},
                                                                  {1.0 / 3, "0.3333333333333333"},
                                                                  {0.0001, "0.0001"},
                                                                  {0.00012, "0.00012"},
                                                                  {1e-5, "1e-05"},
                                                                  {1.5e-7, "1.5e-07"},
                                                                  {100000, "100000.0"},
                                                                  {123456789012345, "123456789012345.0"},
                                                                  {1e15, "1e+15"},
                                                                  {1.25e22, "1.25e+22"},
                                                                  {5e-324, "5e-324"},
                                                                  {1.7976931348623157e308, "1.7976931348623157e+308"},
                                                                  {std::numeric_limits<double>::infinity(), "null"}};
        for (const auto& [number, text] : rows) {
            JsonWriter json;
            json.value(number);
            QCOMPARE(json.take(), text + "\n");
        }
    }
};

const test::Registered<JsonWriterTest> jsonWriterTest("json_writer_test");
#include "json_writer_test.moc"
