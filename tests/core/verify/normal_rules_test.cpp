#include "verify/normal_rules.h"

#include "program_text.h"
#include "trust_pairs.h"
#include "verify/verify.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>

using namespace sunder;

/// Each line of the table of normal forms, applied to equal pairs, and to pairs that violate its condition.
class NormalRulesTest final : public QObject {
    Q_OBJECT
private slots:
    void provesWhatIsTheSame_data() { test::addTrustPairs("rules.txt"); }
    void provesWhatIsTheSame()
    {
        const auto [first, second] = test::programsOfRow();
        for (const auto& [one, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
            const VerifyReport report = *verify(*one, *other);
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    void keepsToConditions_data() { test::addTrustPairs("rules_broken.txt"); }
    void keepsToConditions()
    {
        const auto [first, second] = test::programsOfRow();
        QVERIFY(verify(first, second)->verdict != Verdict::same);
        QVERIFY(verify(second, first)->verdict != Verdict::same);
    }

    /// CUDA autocast casts the argument of exp, but not that of exp_, which writes in place.
    void keepsWritesWhereAutocastCastsElsewhere()
    {
        const auto program = [](const std::string& device, const std::string& call) {
            return test::ProgramText::program("x = input [4]; c = torch.amp.autocast_mode._enter_autocast(\"" + device
                                              + "\", float16, True, True); y = aten.neg.default(x) : [4]; z = aten." + call
                                              + ".default(y) : [4]; e = torch.amp.autocast_mode._exit_autocast(c); return (z,)");
        };
        QCOMPARE(verify(program("cpu", "exp_"), program("cpu", "exp"))->verdict, Verdict::same);
        QVERIFY(verify(program("cuda", "exp_"), program("cuda", "exp"))->verdict != Verdict::same);
    }

    void hasPairsForEachLine()
    {
        const std::vector<test::TrustPair> same = test::trustPairs("rules.txt");
        const std::vector<test::TrustPair> broken = test::trustPairs("rules_broken.txt");
        for (const NormalRule& rule : normalRules()) {
            if (rule.name == "laid-densely" || rule.name == "unsaved"
                || rule.name == "keeps-ones") // facts about single calls, tested in dense_results_in_torch.py
                continue;
            const std::string name(rule.name);
            QVERIFY2(std::ranges::any_of(broken, [&](const auto& pair) { return pair.name.starts_with(name); }), name.c_str());
            for (const std::string_view packet : rule.operators) {
                const std::string called = "aten." + std::string(packet) + ".";
                QVERIFY2(std::ranges::any_of(same,
                                             [&](const auto& pair) {
                                                 return pair.name.starts_with(name)
                                                     && (pair.a.find(called) != std::string::npos
                                                         || pair.a.find("method." + std::string(packet) + "(")
                                                             != std::string::npos);
                                             }),
                         (name + " of " + called).c_str());
            }
        }
    }
};

const test::Registered<NormalRulesTest> normalRulesTest("normal_rules_test");
#include "normal_rules_test.moc"
