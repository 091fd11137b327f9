#include "support/interned_string.h"

#include "test_case.h"

#include <QTest>

#include <set>
#include <thread>
#include <vector>

using namespace sunder;

class InternedStringTest final : public QObject {
    Q_OBJECT
private slots:
    void givesOneTextOneId()
    {
        QCOMPARE(intern("abc"), intern(std::string("ab") + "c"));
        QVERIFY(intern("abc") != intern("abd"));
        QVERIFY(intern("").empty());
        QCOMPARE(InternedString(), intern(""));
        const std::string withNul("a\0b", 3);
        QCOMPARE(intern(withNul).str(), withNul);
        QVERIFY(intern(withNul) != intern("a"));
    }

    void keepsLongTexts()
    {
        const std::string text(1 << 20, 'x');
        const InternedString kept = intern(text);
        QCOMPARE(kept.str(), text);
        QCOMPARE(intern(text), kept);
    }

    void tellsTextsApartThatDifferInOnePlace()
    {
        // Every length, with a digit or a letter at every position: characters that the hash skips must still be compared.
        for (std::size_t size = 1; size < 90; ++size)
            for (std::size_t at = 0; at < size; ++at) {
                std::set<std::uint32_t> ids;
                for (const char c : {'0', '1', '7', '8', '9', 'a', 'b', '_'}) {
                    std::string text(size, '.');
                    text[at] = c;
                    ids.insert(intern(text).id());
                    QCOMPARE(intern(text).view(), std::string_view(text));
                }
                QCOMPARE(ids.size(), std::size_t(8));
            }
    }

    void keepsWhatBelongsToAText()
    {
        const InternedString seven = intern("kept_7");
        QCOMPARE(seven.note(), 0U);
        QVERIFY(seven.next().empty());
        seven.keepNote(42);
        seven.keepNext(intern("kept_8"));
        QCOMPARE(intern("kept_7").note(), 42U);
        QCOMPARE(intern("kept_7").next(), intern("kept_8"));
        QVERIFY(intern("kept_8").next().empty());
        InternedString().keepNote(1);
        QCOMPARE(InternedString().note(), 0U);
    }

    void agreesAmongThreads()
    {
        constexpr int kThreads = 4;
        constexpr int kTexts = 50'000;
        std::vector<std::vector<InternedString>> found(kThreads);
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&ids = found[static_cast<std::size_t>(t)], t] {
                for (int i = 0; i < kTexts; ++i) { // each thread in a different order
                    const int at = (i * (2 * t + 1) + t * 997) % kTexts;
                    const std::string text = "thread text " + std::to_string(at);
                    const InternedString id = intern(text);
                    if (id.view() != text)
                        return;
                    ids.push_back(id);
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        std::set<std::uint32_t> all;
        for (const std::vector<InternedString>& ids : found) {
            QCOMPARE(ids.size(), std::size_t(kTexts));
            for (const InternedString id : ids)
                all.insert(id.id());
        }
        QCOMPARE(all.size(), std::size_t(kTexts));
    }
};

const test::Registered<InternedStringTest> internedStringTest("interned_string_test");
#include "interned_string_test.moc"
