#include "program_text.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

struct Pair {
    std::string name;
    std::string a;
    std::string b;
};

std::vector<Pair> pairs(const char* name)
{
    std::ifstream file(test::casePath(std::string("verify_trust/") + name));
    std::vector<Pair> found;
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#'))
            continue;
        if (!line.empty())
            lines.push_back(line);
        if (lines.size() == 3) {
            found.push_back({lines[0], lines[1], lines[2]});
            lines.clear();
        }
    }
    return found;
}

} // namespace

/// Pairs that PyTorch computes differently, and pairs that it computes the same (tests/torch/trust_pairs_in_torch.py runs them).
class VerifyTrustTest final : public QObject {
    Q_OBJECT
private slots:
    void doesNotCallThemTheSame_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        for (const Pair& pair : pairs("pairs.txt"))
            QTest::newRow(pair.name.c_str()) << QByteArray::fromStdString(pair.a) << QByteArray::fromStdString(pair.b);
    }
    void doesNotCallThemTheSame()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        const Program first = ProgramText::program(a.toStdString());
        const Program second = ProgramText::program(b.toStdString());
        const VerifyReport report = *verify(first, second);
        QVERIFY2(report.verdict != Verdict::same, "called the same");
        QVERIFY(!report.why.empty());
        QVERIFY2(report.valueA.empty() || report.valueA != report.valueB, report.why.c_str());
        QCOMPARE(verify(first, first)->verdict, Verdict::same);
        QCOMPARE(verify(second, second)->verdict, Verdict::same);
    }

    void doesNotCallThemDifferent_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        for (const Pair& pair : pairs("spellings.txt"))
            QTest::newRow(pair.name.c_str()) << QByteArray::fromStdString(pair.a) << QByteArray::fromStdString(pair.b);
    }
    void doesNotCallThemDifferent()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        const Program first = ProgramText::program(a.toStdString());
        const Program second = ProgramText::program(b.toStdString());
        for (const auto& [one, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
            const VerifyReport report = *verify(*one, *other);
            QVERIFY2(report.verdict != Verdict::different, report.why.c_str());
            QVERIFY(report.verdict == Verdict::same || !report.why.empty());
        }
    }
};

const test::Registered<VerifyTrustTest> verifyTrustTest("verify_trust_test");
#include "verify_trust_test.moc"
