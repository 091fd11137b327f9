#include "ir/namespace.h"

#include "test_case.h"

#include <QTest>

#include <map>
#include <random>
#include <set>
#include <thread>

using namespace sunder;

namespace {

QStringList made(const QStringList& candidates)
{
    Namespace names;
    QStringList out;
    for (const QString& candidate : candidates)
        out << QString::fromStdString(names.create(candidate.toStdString()).str());
    return out;
}

/// A literal implementation of the rule in `docs/passes.md` ("Unique names") for candidates that are identifiers.
class PlainNamespace {
public:
    std::string create(const std::string& candidate)
    {
        std::string base = candidate;
        std::string digits;
        const std::size_t dash = candidate.rfind('_');
        if (dash != std::string::npos && dash > 0 && dash + 1 < candidate.size()
            && candidate.find_first_not_of("0123456789", dash + 1) == std::string::npos) {
            base = candidate.substr(0, dash);
            digits = candidate.substr(dash + 1);
        }
        std::string name = candidate;
        std::uint64_t number = 0;
        if (digits.empty() || m_used.contains(candidate)) {
            number = m_counts[base];
            if (isReservedName(candidate))
                name = base + "_" + std::to_string(++number);
        } else {
            number = std::stoull(digits);
        }
        while (m_used.contains(name))
            name = base + "_" + std::to_string(++number);
        m_used.insert(name);
        m_counts[base] = number;
        return name;
    }
    void use(const std::string& name) { m_used.insert(name); }

private:
    std::set<std::string> m_used;
    std::map<std::string, std::uint64_t> m_counts;
};

std::string randomCandidate(std::mt19937& random)
{
    static constexpr const char* kBases[] = {"add", "x", "sum", "in", "x_1", "x_1_2", "add_", "_", "getitem", "y_007"};
    std::string candidate = kBases[random() % std::size(kBases)];
    return random() % 2 == 0 ? candidate : candidate + "_" + std::to_string(random() % 12);
}

} // namespace

class NamespaceTest final : public QObject {
    Q_OBJECT
private slots:
    void makesTheNamesThatTorchMakes_data()
    {
        QTest::addColumn<QStringList>("candidates");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("builtins get a number at once") << QStringList{"sum", "sum"} << QStringList{"sum_1", "sum_2"};
        QTest::newRow("a taken suffix counts on") << QStringList{"add", "add", "add_1"} << QStringList{"add", "add_1", "add_2"};
        QTest::newRow("counters belong to the base") << QStringList{"x_1_2", "x_1", "x_1"} << QStringList{"x_1_2", "x_1", "x_2"};
        QTest::newRow("illegal characters") << QStringList{"foo@1", "foo", "foo"} << QStringList{"foo_1", "foo", "foo_2"};
        QTest::newRow("leading digit") << QStringList{"0.weight"} << QStringList{"_0_weight"};
        QTest::newRow("nothing left") << QStringList{""} << QStringList{"_unnamed"};
        QTest::newRow("keywords") << QStringList{"in", "lambda"} << QStringList{"in_1", "lambda_1"};
    }
    void makesTheNamesThatTorchMakes()
    {
        QFETCH(QStringList, candidates);
        QFETCH(QStringList, expected);
        QCOMPARE(made(candidates), expected);
    }

    void agreesWithTheRuleOnRandomCandidates()
    {
        std::mt19937 random(1);
        for (int run = 0; run < 300; ++run) {
            Namespace names;
            PlainNamespace reference;
            for (int i = 0; i < 60; ++i) {
                const std::string candidate = randomCandidate(random);
                if (random() % 10 == 0) {
                    names.use(intern(candidate));
                    reference.use(candidate);
                } else {
                    QCOMPARE(names.create(candidate).str(), reference.create(candidate));
                }
            }
        }
    }

    void givesEveryThreadTheSameNames()
    {
        std::vector<std::vector<InternedString>> found(4);
        std::vector<std::thread> threads;
        for (std::vector<InternedString>& made : found)
            threads.emplace_back([&made] {
                Namespace names;
                for (int i = 0; i < 20'000; ++i)
                    made.push_back(names.create(i % 3 == 0 ? "shared.among threads" : "shared_among"));
            });
        for (std::thread& thread : threads)
            thread.join();
        for (const std::vector<InternedString>& made : found)
            QCOMPARE(made, found.front());
        QCOMPARE(found.front().back().view(), std::string_view("shared_among_13332"));
    }

    void staysFastWhenOneBaseIsUsedOften()
    {
        Namespace names;
        for (int i = 0; i < 200'000; ++i)
            names.create("add");
        QVERIFY(names.isUsed(intern("add_199999")));
    }
};

const test::Registered<NamespaceTest> namespaceTest("namespace_test");
#include "namespace_test.moc"
