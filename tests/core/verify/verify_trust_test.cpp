#include "test_case.h"
#include "trust_pairs.h"
#include "verify/verify.h"

#include <QTest>

#include <utility>

using namespace sunder;

/// Pairs with different and with equal results in PyTorch; tests/torch/trust_pairs_in_torch.py runs them.
class VerifyTrustTest final : public QObject {
    Q_OBJECT
private slots:
    void doesNotCallThemTheSame_data() { test::addTrustPairs("pairs.txt"); }
    void doesNotCallThemTheSame()
    {
        const auto [first, second] = test::programsOfRow();
        const VerifyReport report = *verify(first, second);
        QVERIFY2(report.verdict != Verdict::same, "called the same");
        QVERIFY(!report.why.empty());
        QVERIFY2(report.valueA.empty() || report.valueA != report.valueB, report.why.c_str());
        QCOMPARE(verify(first, first)->verdict, Verdict::same);
        QCOMPARE(verify(second, second)->verdict, Verdict::same);
    }

    void doesNotCallThemDifferent_data() { test::addTrustPairs("spellings.txt"); }
    void doesNotCallThemDifferent()
    {
        const auto [first, second] = test::programsOfRow();
        for (const auto& [one, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
            const VerifyReport report = *verify(*one, *other);
            QVERIFY2(report.verdict != Verdict::different, report.why.c_str());
            QVERIFY(report.verdict == Verdict::same || !report.why.empty());
        }
    }
};

const test::Registered<VerifyTrustTest> verifyTrustTest("verify_trust_test");
#include "verify_trust_test.moc"
