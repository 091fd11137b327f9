#include "support/shared_value.h"
#include "support/shared_vector.h"

#include "test_case.h"

#include <QTest>

#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace sunder;

namespace {

using Texts = SharedVector<std::shared_ptr<const std::string>>;

std::shared_ptr<const std::string> text(int number)
{
    return std::make_shared<const std::string>(std::to_string(number));
}

bool isSame(const Texts& texts, const std::vector<std::shared_ptr<const std::string>>& expected)
{
    return std::equal(texts.begin(), texts.end(), expected.begin(), expected.end());
}

} // namespace

class SharedVectorTest final : public QObject {
    Q_OBJECT
private slots:
    void copiesShareUntilOneChanges()
    {
        SharedVector<int> a = {1, 2, 3};
        SharedVector<int> b = a;
        QCOMPARE(std::as_const(a).data(), std::as_const(b).data());
        b[1] = 5;
        QVERIFY(std::as_const(a).data() != std::as_const(b).data());
        QCOMPARE(std::as_const(a)[1], 2);
        a.push_back(4);
        QCOMPARE(b.size(), std::size_t{3});
        SharedVector<int> c = a;
        c.clear();
        QCOMPARE(a.size(), std::size_t{4});
        QVERIFY(c.empty());
    }

    void takesItsOwnItemsAsNewOnes()
    {
        SharedVector<std::shared_ptr<const std::string>> texts = {text(1)};
        for (int i = 0; i < 40; ++i)
            texts.push_back(texts.front());
        QCOMPARE(texts.front().use_count(), 41L);
    }

    void doesWhatStdVectorDoes()
    {
        std::mt19937 random(7);
        const auto upTo = [&](std::size_t bound) { return static_cast<std::ptrdiff_t>(random() % (bound + 1)); };
        for (int round = 0; round < 200; ++round) {
            Texts fast;
            std::vector<std::shared_ptr<const std::string>> slow;
            std::vector<Texts> copies;
            std::vector<std::vector<std::shared_ptr<const std::string>>> slowCopies;
            for (int step = 0; step < 30; ++step) {
                const auto item = text(step);
                const std::ptrdiff_t at = upTo(slow.size());
                switch (random() % 8) {
                case 0:
                case 1: fast.push_back(item), slow.push_back(item); break;
                case 2: fast.insert(std::as_const(fast).begin() + at, item), slow.insert(slow.begin() + at, item); break;
                case 3: {
                    const std::vector some(slow.begin(), slow.begin() + at / 2);
                    fast.insert(std::as_const(fast).begin() + at, some.begin(), some.end());
                    slow.insert(slow.begin() + at, some.begin(), some.end());
                    break;
                }
                case 4:
                    fast.erase(std::as_const(fast).begin() + at, std::as_const(fast).end());
                    slow.erase(slow.begin() + at, slow.end());
                    break;
                case 5: fast.resize(static_cast<std::size_t>(at), item), slow.resize(static_cast<std::size_t>(at), item); break;
                case 6: fast.assign(2, item), slow.assign(2, item); break;
                default: copies.push_back(fast), slowCopies.push_back(slow);
                }
                QVERIFY(isSame(fast, slow));
            }
            for (std::size_t i = 0; i < copies.size(); ++i)
                QVERIFY(isSame(copies[i], slowCopies[i]));
        }
    }

    void aSharedValueReadsLikeAnOptional()
    {
        SharedValue<std::string> none;
        QVERIFY(!none.has_value());
        const SharedValue<std::string> some = std::string("a");
        const SharedValue<std::string> copy = some;
        QCOMPARE(&*copy, &*some);
        QVERIFY(some == SharedValue<std::string>(std::string("a")));
        QVERIFY(!(some == none));
        none = some;
        QCOMPARE(none->size(), std::size_t{1});
        QCOMPARE(std::optional<std::string>(none).value(), std::string("a"));
    }
};

const test::Registered<SharedVectorTest> sharedVectorTest("shared_vector_test");
#include "shared_vector_test.moc"
