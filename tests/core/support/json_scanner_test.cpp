#include "support/json_scanner.h"

#include "test_case.h"

#include <QTest>

#include <optional>
#include <vector>

using namespace sunder;

namespace {

std::optional<std::string> stringIn(std::string_view text)
{
    JsonScanner scanner(text);
    std::string value;
    return scanner.string(value) && scanner.atEnd() ? std::optional(value) : std::nullopt;
}

} // namespace

/// Scanning short JSON texts from start to end.
class JsonScannerTest final : public QObject {
    Q_OBJECT

private slots:
    void stringsLoseTheirEscapes()
    {
        QCOMPARE(stringIn(" \"plain\" "), "plain");
        QCOMPARE(stringIn("\"\\b\\f\\n\\r\\t\\\"\\\\\\/\""), "\b\f\n\r\t\"\\/");
        QCOMPARE(stringIn("\"\\u0041\\u00e9\\u20AC\""), "A\u00e9\u20ac");
    }

    void pairsOfSurrogatesAreOneCharacter() { QCOMPARE(stringIn("\"\\ud83d\\ude00!\""), "\U0001F600!"); }

    void halfASurrogateStaysAsItIsWritten()
    {
        QCOMPARE(stringIn("\"\\ud83d\""), "\\ud83d");
        QCOMPARE(stringIn("\"\\ude00x\""), "\\ude00x");
        QCOMPARE(stringIn("\"\\ud83d\\n\""), "\\ud83d\n");
        QCOMPARE(stringIn("\"\\ud83d \\ude00\""), "\\ud83d \\ude00");
        QCOMPARE(stringIn("\"\\ud83d\\u0041\""), "\\ud83dA");
        QCOMPARE(stringIn("\"\\ud83d\\ud83d\\ude00\""), "\\ud83d\U0001F600");
    }

    void damagedStringsAreRefused()
    {
        for (const char* text : {"", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud83d\\u12\"", "a\""})
            QVERIFY2(!stringIn(text), text);
    }

    void membersAreVisitedInOrder()
    {
        JsonScanner scanner(R"({"a": 1, "b": [true, {"c": null}], "d": "x"})");
        std::vector<std::string> keys;
        std::string first;
        const bool isRead = scanner.members([&](const std::string& key) {
            keys.push_back(key);
            return key == "a" ? scanner.word(first) : scanner.skip();
        });
        QVERIFY(isRead && scanner.atEnd());
        QCOMPARE(keys, (std::vector<std::string>{"a", "b", "d"}));
        QCOMPARE(first, "1");
    }

    void itemsAreNumbered()
    {
        JsonScanner scanner("[1, 2.5, -3e4]");
        std::vector<std::string> words;
        QVERIFY(scanner.items([&](std::size_t position) {
            words.emplace_back();
            return position + 1 == words.size() && scanner.word(words.back());
        }));
        QCOMPARE(words, (std::vector<std::string>{"1", "2.5", "-3e4"}));
        JsonScanner none("[]");
        QVERIFY(none.items([](std::size_t) { return false; }) && none.atEnd());
    }

    void strayCommasAndMissingBracketsAreRefused()
    {
        for (const char* text : {"[1,]", "[1 2]", "[1", "["}) {
            JsonScanner scanner(text);
            std::string word;
            QVERIFY2(!scanner.items([&](std::size_t) { return scanner.word(word); }), text);
        }
        for (const char* text : {"{}", "{\"a\" 1}", "{\"a\": 1,}", "{\"a\": 1", "{a: 1}"}) {
            JsonScanner scanner(text);
            std::string word;
            QVERIFY2(!scanner.members([&](const std::string&) { return scanner.word(word); }), text);
        }
    }

    void knowsWhetherAStringComesNext()
    {
        JsonScanner text(" \"a\"");
        QVERIFY(text.isAtString());
        JsonScanner number(" 1");
        QVERIFY(!number.isAtString());
    }
};

const test::Registered<JsonScannerTest> jsonScannerTest("json_scanner_test");
#include "json_scanner_test.moc"
