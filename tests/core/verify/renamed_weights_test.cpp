#include "verify/renamed_weights.h"

#include "program_text.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

/// Treats tensors as equal if the last letters of their names are equal.
class ContentsByLetter final : public TensorContents {
public:
    Result<ContentsReport> compare(const Program& a, const Program& b, std::span<const TensorPair> pairs, ComparedBytes /*bytes*/,
                                   ProgressMonitor& /*monitor*/) const override
    {
        ContentsReport report;
        for (const TensorPair& pair : pairs) {
            if (a.tensors[pair.a].fqn.view().back() != b.tensors[pair.b].fqn.view().back()) {
                report.difference = ContentsDifference{.pair = pair, .position = {}, .valueA = "1", .valueB = "2"};
                break;
            }
            ++report.tensors;
        }
        return report;
    }
};

Program reading(std::string_view name, std::string_view call = "aten.mul.Tensor(x, w)")
{
    return ProgramText::program("x = input; w = attr " + std::string(name) + "; y = " + std::string(call) + "; return y");
}

VerifyReport compared(const Program& a, const Program& b)
{
    const ContentsByLetter contents;
    return *verify(a, b, {.contents = &contents});
}

} // namespace

class RenamedWeightsTest final : public QObject {
    Q_OBJECT
private slots:
    void takesWeightsOfEqualBytesForOne()
    {
        const VerifyReport report = compared(reading("scale_a"), reading("other_a"));
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        QCOMPARE(report.contents.tensors, std::uint64_t(1));
        QVERIFY(std::ranges::any_of(report.notes,
                                    [](const std::string& note) { return note.starts_with("some weights have equal bytes"); }));
        QCOMPARE(compared(reading("m.scale_a"), reading("m.other_a")).verdict, Verdict::same);
    }

    void comparesBytes()
    {
        QVERIFY(compared(reading("scale_a"), reading("other_b")).verdict != Verdict::same);
        QVERIFY(verify(reading("scale_a"), reading("other_a"))->verdict != Verdict::same); // unknown bytes
    }

    void comparesDescriptions()
    {
        for (const auto& change : {+[](TensorEntry& entry) { entry.meta.dtype = intern("float64"); },
                                   +[](TensorEntry& entry) { entry.meta.shape = {Argument::integer(7)}; },
                                   +[](TensorEntry& entry) { entry.meta.requiresGrad = !entry.meta.requiresGrad; },
                                   +[](TensorEntry& entry) { entry.role = TensorRole::constant; },
                                   +[](TensorEntry& entry) { entry.extra = intern("{\"quantizer\":1}"); }}) {
            Program other = reading("other_a");
            change(other.tensors[TensorId(std::size_t(0))]);
            QVERIFY(compared(reading("scale_a"), other).verdict != Verdict::same);
        }
    }

    void leavesNamesThatBothHave()
    {
        const ContentsByLetter contents;
        const Program both = ProgramText::program("x = input; v = attr v_a; w = attr w_a; y = aten.sub.Tensor(v, w); return y");
        const Program first = ProgramText::program("x = input; v = attr v_a; w = attr w_a; y = aten.sub.Tensor(w, v); return y");
        QVERIFY(!withNamesOf(both, first, contents, ProgressMonitor::none())->has_value());
        const Program moved = ProgramText::program("x = input; w = attr w_a; u = attr u_a; y = aten.sub.Tensor(w, u); return y");
        const std::optional<Program> named = *withNamesOf(both, moved, contents, ProgressMonitor::none());
        QVERIFY(named && named->tensors.find(intern("v_a")).isValid() && !named->tensors.find(intern("u_a")).isValid());
        QVERIFY(named->tensors.find(intern("w_a")).isValid());
    }

    void keepsModulesApart()
    {
        const ContentsByLetter contents;
        QVERIFY(!withNamesOf(reading("m.scale_a"), reading("n.scale_a"), contents, ProgressMonitor::none())->has_value());
    }
};

const test::Registered<RenamedWeightsTest> renamedWeightsTest("renamed_weights_test");
#include "renamed_weights_test.moc"
