#include "support/json_parser.h"

#include "support/json_tape.h"
#include "test_case.h"

#include <QTest>

#include <functional>
#include <optional>
#include <string>

using namespace sunder;

namespace {

constexpr unsigned kDepth = 8;

std::optional<std::string> stringIn(std::string_view text)
{
    JsonTape tape;
    if (!tape.parse(text, 8) || !tape.root().is(JsonType::string))
        return std::nullopt;
    return std::string(tape.root().text());
}

/// Writes down what a parser reports.
struct Transcript final : JsonSink {
    std::string text_;

    bool scalar(JsonType type, std::uint64_t value) override
    {
        text_ += std::to_string(static_cast<int>(type)) + "=" + std::to_string(value) + " ";
        return true;
    }
    bool text(JsonType type, std::string_view text) override
    {
        text_ += std::to_string(static_cast<int>(type)) + "=" + std::string(text) + " ";
        return true;
    }
    bool key(std::string_view key) override { return text(JsonType::key, key); }
    bool begin(JsonType type) override { return scalar(type, 0); }
    bool end() override { return scalar(JsonType::end, 0); }
};

std::string transcript(std::string_view json, std::size_t pieces)
{
    Transcript out;
    std::string piece;
    const std::function<std::string_view()> next = [&] {
        piece = json.substr(0, pieces); // overwrites the previous piece
        json.remove_prefix(piece.size());
        return std::string_view(piece);
    };
    const std::optional<JsonFault> fault = readJson(next, kDepth, out);
    return out.text_ + (fault ? describe(*fault) : "read");
}

} // namespace

class JsonParserTest final : public QObject {
    Q_OBJECT

private slots:
    void stringsLoseTheirEscapes()
    {
        QCOMPARE(stringIn(" \"plain\" "), "plain");
        QCOMPARE(stringIn("\"\\b\\f\\n\\r\\t\\\"\\\\\\/\""), "\b\f\n\r\t\"\\/");
        QCOMPARE(stringIn("\"\\u0041\\u00e9\\u20AC\""), "A\u00e9\u20ac");
    }

    void pairsOfSurrogatesAreOneCharacter() { QCOMPARE(stringIn("\"\\ud83d\\ude00!\""), "\U0001F600!"); }

    void halfASurrogateOfPythonStaysAsItIsWritten()
    {
        const auto ofPython = [](std::string_view text) -> std::optional<std::string> {
            JsonTape tape;
            return tape.parseOfPython(text, kDepth) ? std::optional(std::string(tape.root().text())) : std::nullopt;
        };
        QCOMPARE(ofPython("\"\\ud83d\""), "\\ud83d");
        QCOMPARE(ofPython("\"\\ude00x\""), "\\ude00x");
        QCOMPARE(ofPython("\"\\ud83d\\n\""), "\\ud83d\n");
        QCOMPARE(ofPython("\"\\ud83d \\ude00\""), "\\ud83d \\ude00");
        QCOMPARE(ofPython("\"\\ud83d\\u0041\""), "\\ud83dA");
        QCOMPARE(ofPython("\"\\ud83d\\ud83d\\ude00\""), "\\ud83d\U0001F600");
        QCOMPARE(ofPython("\"\\ud83d\\ude00!\""), "\U0001F600!");
        QCOMPARE(ofPython("\"\\\\ud83d\""), "\\ud83d");
        for (const char* text : {"\"\\ud83d\"", "\"\\ude00x\"", "\"\\ud83d\\n\"", "\"\\ud83d\\u0041\""})
            QVERIFY2(!stringIn(text), text);
        for (const char* text : {"\"\\", "\"\\u12\"", "\"\\ud83d\\u12\"", "\"\\ud83d\\"})
            QVERIFY2(!ofPython(text), text);
    }

    void damagedStringsAreRefused()
    {
        for (const char* text : {"", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud83d\\u12\"", "a\""})
            QVERIFY2(!stringIn(text), text);
    }

    void onlyPythonHasNumbersThatAreNotFinite()
    {
        JsonTape tape;
        QVERIFY(tape.parseOfPython("[NaN, Infinity, -Infinity, \"NaN\", \"\\\"NaN\"]", 8));
        QCOMPARE(tape.root().raw(), std::string("[null,null,null,\"NaN\",\"\\\"NaN\"]"));
        for (const char* text : {"NaN", "Infinity", "-Infinity"})
            QVERIFY2(!tape.parse(text, 8), text);
        for (const char* text : {"-NaN", "Nan", "-", "-Inf"})
            QVERIFY2(!tape.parseOfPython(text, 8), text);
    }

    void numbersBeyondADoubleAreRefused()
    {
        JsonTape tape;
        for (const char* text : {"1e308", "1e-999", "0e999", "0.0000001e314", "0.00e99999999999999999999"})
            QVERIFY2(tape.parse(text, 8), text);
        for (const char* text : {"1e309", "-1e309", "0.0000001e317", "1e99999999999999999999"})
            QCOMPARE(tape.parse(text, 8).error().message.substr(0, 28), std::string("holds a number out of range "));
        QVERIFY(!tape.parse(std::string(400, '9'), 8));
    }

    void piecesOfATextReadLikeTheWhole()
    {
        for (const char* text :
             {"{\"a\": [1, -2.5e3, \"x\\n\\u00e9 plain\", \"é€😀\"], \"b\\\"\": {}, \"c\": [true, null, 12345678901234567890]}",
              "\xef\xbb\xbf[\"\\ud83d\\ude00\"]", "[1, tru]", "[\"\xe2\x82", "{\"a\": 1.}", "12", "", "[1] x",
              "[1, [[[[2], [[[[[[3]", "[\"\xf0\x9f\x98\x80\", \"\xed\xa0\x80\"]"})
            for (std::size_t pieces = 1; pieces < 9; ++pieces)
                QCOMPARE(transcript(text, pieces), transcript(text, 1000));
    }

    void aDamagedTextIsOnTheTapeUpToTheDamage()
    {
        JsonTape tape;
        QVERIFY(!tape.parse("{\"a\": [1, {\"b\": 2}], \"c\": [3, \"un", 8));
        QCOMPARE(tape.root().raw(), std::string("{\"a\":[1,{\"b\":2}],\"c\":[3]}"));
        QVERIFY(!tape.parse("{\"a\":", 8));
        QCOMPARE(tape.root().raw(), std::string("{\"a\":null}"));
        QVERIFY(!tape.parse("", 8));
        QCOMPARE(tape.root().raw(), std::string("null"));
    }
};

const test::Registered<JsonParserTest> jsonParserTest("json_parser_test");
#include "json_parser_test.moc"
