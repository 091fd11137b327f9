#include "support/json_tape.h"

#include "test_case.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <random>

using namespace sunder;

namespace {

constexpr unsigned kDepth = 8;

/// Returns the parsed text or the error.
std::string understood(const std::string& text)
{
    JsonTape tape;
    const Result<void> parsed = tape.parse(text, kDepth);
    return parsed ? tape.root().raw() : parsed.error().message;
}

/// Returns JSON of random depth and whitespace, with all kinds of strings and numbers that parsers distinguish.
std::string randomJson(std::mt19937& random, unsigned depth)
{
    static const std::vector<std::string> kScalars{"null",
                                                   "true",
                                                   "false",
                                                   "0",
                                                   "-1",
                                                   "-0",
                                                   "12",
                                                   "123456789012345678",
                                                   "1234567890123456789",
                                                   "-9223372036854775808",
                                                   "18446744073709551615",
                                                   "99999999999999999999",
                                                   "1.5",
                                                   "-2e3",
                                                   "\"\"",
                                                   "\"text\"",
                                                   "\"a\\\"b\\\\\"",
                                                   "\"\\u00e9\\n\"",
                                                   "\"\xc3\xa9\"",
                                                   "\"{[,:]}\""};
    const auto below = [&](std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random); };
    const std::string space = below(4) == 0 ? " \t" : "";
    const std::size_t kind = depth == 0 ? 0 : below(3);
    if (kind == 0)
        return space + kScalars[below(kScalars.size())] + space;
    std::string text(1, kind == 1 ? '[' : '{');
    const std::size_t count = below(4);
    for (std::size_t i = 0; i < count; ++i)
        text += (i == 0 ? "" : ",") + (kind == 1 ? "" : space + "\"k" + std::to_string(i) + "\"" + space + ":")
            + randomJson(random, depth - 1);
    return space + text + space + (kind == 1 ? "]" : "}") + space;
}

} // namespace

class JsonTapeTest final : public QObject {
    Q_OBJECT
private slots:
    void readsTextsOfEveryKind_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& expected) {
            QTest::newRow(name) << text << expected;
        };
        row("white space", " { \"a\" : [ 1 , -2 ] ,\n\t\"b\":{ } } ", "{\"a\":[1,-2],\"b\":{}}");
        row("18 digits", "[-123456789012345678]", "[-123456789012345678]");
        row("19 digits", "[-9223372036854775808]", "[-9223372036854775808]");
        row("beyond 64 bits", "[18446744073709551616]", "[18446744073709551616]");
        row("a negative zero", "[-0]", "[0]");
        row("digits of a float", "[1.50e-3]", "[1.50e-3]");
        row("escapes", "[\"\\u0041\\\"\\\\\"]", "[\"A\\\"\\\\\"]");
        row("other alphabets", "[\"\xc3\xa9\"]", "[\"\xc3\xa9\"]");
        row("the deepest", "[[[[[[[[]]]]]]]]", "[[[[[[[[]]]]]]]]");
        row("too deep", "[[[[[[[[[]]]]]]]]]", "is nested deeper than 8 levels (byte 9)");
        row("nothing", "", "is not JSON: it is truncated (byte 1)");
        row("an open array", "[1,", "is not JSON: it is truncated (byte 4)");
        row("an open text", "[\"a", "is not JSON (byte 4)");
        row("a leading zero", "[01]", "is not JSON (byte 3)");
        row("two minus signs", "[--1]", "is not JSON (byte 3)");
        row("a comma too many", "[1,]", "is not JSON (byte 4)");
        row("a member without a value", "{\"a\"}", "is not JSON (byte 5)");
        row("a key that is no text", "{1:2}", "is not JSON (byte 2)");
        row("the wrong end", "[1}", "is not JSON (byte 3)");
        row("half a word", "[tru]", "is not JSON (byte 5)");
        row("more behind it", "[1] 2", "is not JSON (byte 5)");
        row("a control character", "[\"a\tb\"]", "is not JSON (byte 4)");
        row("no UTF-8", "[\"\xff\"]", "is not valid UTF-8 (byte 3)");
    }
    void readsTextsOfEveryKind()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        QCOMPARE(QByteArray::fromStdString(understood(text.toStdString())), expected);
    }

    void acceptsWhatIsJsonAndNothingElse()
    {
        std::mt19937 random(7);
        const auto below = [&](std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random); };
        for (int i = 0; i < 4'000; ++i) {
            std::string text = randomJson(random, 4);
            if (below(2) == 0) // damaged input
                text[below(text.size())] = "{}[]\",:-0e. \0t\x80"[below(15)];
            JsonTape tape;
            const bool isRead = tape.parse(text, 64).has_value();
            QVERIFY2(isRead == nlohmann::json::accept(text), text.c_str());
            if (isRead)
                QVERIFY2(nlohmann::json::parse(tape.root().raw()) == nlohmann::json::parse(text), text.c_str());
        }
    }
};

const test::Registered<JsonTapeTest> jsonTapeTest("json_tape_test");
#include "json_tape_test.moc"
