#include "program_text.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTest>

#include <string>

using namespace sunder;
using sunder::test::ProgramText;

namespace {

using Numbers = std::vector<std::int64_t>;

Arguments arguments(const Numbers& numbers)
{
    Arguments all;
    for (const std::int64_t number : numbers)
        all.push_back(Argument::integer(number));
    return all;
}

/// Gives the parameter "w" shape [2, 3] and these strides.
Program laid(const QByteArray& text, const Numbers& strides, std::int64_t offset = 0)
{
    Program program = ProgramText::program(text.toStdString());
    TensorMeta& meta = program.tensors[program.tensors.find(intern("w"))].meta;
    meta.shape = arguments({2, 3});
    meta.stride = arguments(strides);
    meta.offset = Argument::integer(offset);
    return program;
}

/// Calls a leaf module with inputs of one form; with `second`, calls it again with another input.
Program unpooled(const char* cls, bool second)
{
    const std::string text = "x = input [1, 2]; i = input [1, 2] int64; j = input [1, 2] int64; a = module.m(x, i) : [1, 4]; ";
    Program program = ProgramText::program(text + (second ? "b = module.m(x, j) : [1, 4]; return a" : "return a"));
    Module& module = program.modules[program.modules.ensure("m")];
    module.cls = intern(cls);
    module.leaf = true;
    module.attributes.emplace();
    return program;
}

} // namespace

/// Dependence on memory layouts, and calls that can fail for reasons other than the form of their inputs.
class VerifyLayoutsTest final : public QObject {
    Q_OBJECT
private slots:
    void asksHowParametersLie_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("byOffset");
        const auto row = [](const char* name, const char* text, bool byOffset = true) {
            QTest::newRow(name) << QByteArray(text) << byOffset;
        };
        row("strides", "w = attr w; s = aten.stride.int(w, 0); return s");
        row("the order of dimensions", "w = attr w; s = method.dim_order(w); return s");
        row("a view that only some strides allow", "w = attr w; v = aten.view.default(w, [6]); return v", false);
        row("the same as a method", "w = attr w; v = method.view(w, 6); return v", false);
        row("such a view, unused", "w = attr w; v = aten.view.default(w, [6]); s = aten.sin.default(w); return s", false);
        row("a view or a copy that is written to",
            "w = attr w; v = aten.reshape.default(w, [6]); u = aten.add_.Tensor(v, 1); s = aten.sum.default(w); return s");
        row("a write to elements that may overlap", "w = attr w; v = aten.add_.Tensor(w, 1); return v");
        row("numbers drawn in the order of memory", "w = attr w; v = aten.rand_like.default(w); return v");
        row("another shape of one memory", "w = attr w; v = aten.resize_.default(w, [3, 2]); return v");
        row("strides that are asserted", "w = attr w; a = aten._assert_tensor_metadata.default(w, [2, 3], [3, 1]); return w");
        row("a kernel that assumes contiguous arguments",
            "x = input; w = attr w; v = aten.native_group_norm.default(x, w, w, 2, 3, 1, 1, 0.1); return v");
        row("pairs of numbers from an even offset on", "w = attr w; v = aten.view_as_complex.default(w); return v");
        row("an operator without a test run", "w = attr w; v = torch.ops.quantized.relu6.default(w); return v");
        row("an unknown operator", "w = attr w; v = lib.pick(w); return 1");
    }
    void asksHowParametersLie()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, byOffset);
        QCOMPARE(verify(laid(text, {3, 1}), laid(text, {3, 1}))->verdict, Verdict::same);
        for (const auto& [strides, offset] : {std::pair(Numbers{1, 2}, 0), {Numbers{3, 1}, 2}, {Numbers{0, 1}, 0}}) {
            const VerifyReport report = *verify(laid(text, {3, 1}), laid(text, strides, offset));
            if (offset != 0 && !byOffset) {
                QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
                continue;
            }
            QVERIFY2(report.verdict == Verdict::undecided, report.why.c_str()); // it may still be equivalent
            QVERIFY2(report.why.find("the memory layout of tensors such as w") != std::string::npos || text.contains("lib.pick"),
                     report.why.c_str());
        }
    }

    void provesWhatHangsOnValuesAlone_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const char* text) {
            const QByteArray program = QByteArray("i = input; ") + text;
            const QByteArray result = program.mid(program.lastIndexOf(' ') + 1); // embedding returns dense results
            QTest::newRow(name) << program.left(program.lastIndexOf("return")) + "dense = aten.embedding.default(" + result
                    + ", i); return dense";
        };
        row("products and sums",
            "x = input [2, 3]; w = attr w; y = aten.mul.Tensor(x, w) : [2, 3]; z = aten.add.Tensor(y, 1.0); return z");
        row("as functions", "x = input; w = attr w; y = torch.nn.functional.relu(w); z = torch.softmax(y, 0); return z");
        row("as methods and operators of Python",
            "x = input; w = attr w; y = method.reshape(w, 6); z = _operator.add(y, 2); return z");
        row("views by indices", "w = attr w; y = aten.permute.default(w, [1, 0]); z = aten.select.int(y, 0, 1); return z");
        row("shapes", "w = attr w; n = aten.sym_size.int(w, 0); z = aten.add.Tensor(w, n); return z");
        row("other metadata that is asserted", "w = attr w; a = aten._assert_tensor_metadata.default(w, [2, 3]); return w");
    }
    void provesWhatHangsOnValuesAlone()
    {
        QFETCH(QByteArray, text);
        for (const Numbers& strides : {Numbers{1, 2}, Numbers{6, 2}}) {
            const VerifyReport report = *verify(laid(text, {3, 1}), laid(text, strides, 4));
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    /// Results that follow the strides of a parameter have other strides.
    void comparesStridesOfResults_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"w = attr w; return w", "w = attr w; y = aten.t.default(w); return y",
              "w = attr w; y = aten.relu.default(w); return (y, 1)", "w = attr w; y = aten.clone.default(w); return y",
              "x = input; w = attr w; y = aten.where.self(x, w, w); z = aten.select.int(y, 0, 1); return z"})
            QTest::newRow(text) << QByteArray(text);
    }
    void comparesStridesOfResults()
    {
        QFETCH(QByteArray, text);
        const VerifyReport turned = *verify(laid(text, {3, 1}), laid(text, {1, 2}));
        QVERIFY2(turned.verdict == Verdict::undecided, turned.why.c_str());
        const VerifyReport moved = *verify(laid(text, {3, 1}), laid(text, {3, 1}, 4));
        QVERIFY2(moved.verdict == Verdict::same, moved.why.c_str());
    }

    /// Other strides may select other kernels or another order of additions. Another offset with the same strides does neither,
    /// except in matrix products: MKL rounds operands that are not aligned differently.
    void doubtsBitsOfOtherStrides_data()
    {
        QTest::addColumn<QByteArray>("call");
        for (const char* call :
             {"aten.linear.default(x, w)", "aten.mm.default(x, w)", "aten.mean.dim(w, [1])", "aten.sum.default(w)",
              "aten.gelu.default(w)", "aten.sigmoid.default(w)", "aten.conv1d.default(x, w)", "aten.amax.default(w, [0])",
              "aten.maximum.default(x, w)", "aten.add.Tensor(x, w, alpha=0.5)", "aten.mul.Tensor(x, w)",
              "torch._C._nn.linear(x, w)", "torch.nn.functional.rms_norm(w, [3])", "torch.matmul(x, w)", "_operator.matmul(x, w)",
              "method.mean(w, 1)"})
            QTest::newRow(call) << QByteArray(call);
    }
    void doubtsBitsOfOtherStrides()
    {
        QFETCH(QByteArray, call);
        const QByteArray text = "x = input; w = attr w; y = " + call + "; return y";
        const bool isDense = call.contains("linear") || call.contains(".mm."); // the layout of its result is the same
        const VerifyReport turned = *verify(laid(text, {3, 1}), laid(text, {1, 2}));
        const Verdict atMost = isDense ? Verdict::sameUpToRounding : Verdict::undecided;
        QVERIFY2(turned.verdict == atMost, turned.why.c_str());
        const VerifyReport moved = *verify(laid(text, {3, 1}), laid(text, {3, 1}, 4));
        QVERIFY2(moved.verdict == (isDense || call.contains("matmul") ? atMost : Verdict::same), moved.why.c_str());
    }

    /// In the first program, q and k share one memory, with k after q. In the second, k has its own memory, with the offset of q
    /// in the first. It must still be matched with k.
    void takesNoTensorForTheOneInItsPlace()
    {
        const auto reading = [](const std::string& name, bool apart) {
            Program program = ProgramText::program("x = input; q = attr q; k = attr k; m = attr m; y = aten.mul.Tensor(x, " + name
                                                   + "); u = aten.add_.Tensor(m, 1.0); return y");
            TensorTable& tensors = program.tensors;
            TensorEntry& k = tensors[tensors.find(intern("k"))];
            const TensorEntry& q = tensors[tensors.find(intern("q"))];
            for (TensorEntry* entry : {&k, &tensors[tensors.find(intern("q"))]}) {
                entry->meta.stride = arguments({1});
                entry->meta.offset = Argument::integer(0);
            }
            if (!apart) {
                k.storage = q.storage;
                k.meta.storage = q.meta.storage;
                k.meta.offset = Argument::integer(4);
            }
            return program;
        };
        QCOMPARE(verify(reading("q", false), reading("k", true))->verdict, Verdict::undecided); // they may hold the same contents
        QCOMPARE(verify(reading("k", false), reading("q", true))->verdict, Verdict::undecided);
        for (const char* name : {"q", "k"}) {
            const VerifyReport report = *verify(reading(name, false), reading(name, true));
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    /// Part of the program depends on layouts, but not on that of the parameter.
    void provesWhatDoesNotReachTheParameter_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("reaches");
        const auto row = [](const char* name, const char* text, bool reaches) {
            QTest::newRow(name) << QByteArray(text) << reaches;
        };
        const std::string start =
            "graph m; a = input [2, 3]; r = aten.view.default(a, [6]); return r; end; x = input [2, 3]; i = input; w = attr w; ";
        const auto rows = [&](const char* name, const std::string& beside, const std::string& through) {
            row(name, (start + beside).c_str(), false);
            row((std::string(name) + ", reached").c_str(), (start + through).c_str(), true);
        };
        rows("a view", "v = aten.view.default(x, [6]); s = aten.embedding.default(w, i); return (v, s)",
             "s = aten.sin.default(w); v = aten.view.default(s, [6]); return v");
        rows("a write", "c = aten.clone.default(x); u = aten.add_.Tensor(c, 1); s = aten.embedding.default(w, i); return (c, s)",
             "t = aten.t.default(w); u = aten.add_.Tensor(t, 1); return w");
        rows("a copied tensor", "t = aten.sin.default(w) : [2, 3]; c = aten.copy_.default(x, t) : [2, 3]; return c",
             "t = aten.sin.default(x) : [2, 3]; c = aten.copy_.default(w, t) : [2, 3]; return w");
        rows("random numbers", "v = aten.rand_like.default(x); s = aten.embedding.default(w, i); return (v, s)",
             "s = aten.add.Tensor(x, w); v = aten.rand_like.default(s); return v");
        rows("an unknown operator", "v = lib.pick(x); s = aten.embedding.default(w, i); return s",
             "s = aten.add.Tensor(x, w); v = lib.pick([s]); return x");
        rows("a module", "p = module.m(x); s = aten.embedding.default(w, i); return (p, s)",
             "p = module.m(w); s = aten.add.Tensor(x, w); return (p, s)");
    }
    void provesWhatDoesNotReachTheParameter()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, reaches);
        const VerifyReport report = *verify(laid(text, {3, 1}), laid(text, {1, 2}));
        QVERIFY2((report.verdict == Verdict::undecided) == reaches, report.why.c_str());
        QVERIFY2((report.verdict == Verdict::same) != reaches, report.why.c_str());
    }

    void saysThatTheyDifferWhereValuesDoAsWell()
    {
        const VerifyReport report = *verify(
            laid("w = attr w; v = aten.view.default(w, [6]); s = aten.sin.default(v); return s", {3, 1}),
            laid("w = attr w; v = aten.view.default(w, [6]); s = aten.exp.default(v); return s", {1, 2}));
        QCOMPARE(report.verdict, Verdict::different);
        QVERIFY2(report.why.find("the memory layout of tensors") == std::string::npos, report.why.c_str());
    }

    void modulesFailByFormOnlyWhereTheirClassDoes()
    {
        const char* const unpool = "torch.nn.modules.pooling.MaxUnpool1d"; // fails depending on the values of its indices
        QVERIFY(verify(unpooled(unpool, false), unpooled(unpool, true))->verdict != Verdict::same);
        QCOMPARE(verify(unpooled(unpool, true), unpooled(unpool, true))->verdict, Verdict::same);
        const char* const linear = "torch.nn.modules.linear.Linear";
        const VerifyReport report = *verify(unpooled(linear, false), unpooled(linear, true));
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }

    void provesCallsOfKnownForm_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("more");
        const auto row = [](const char* name, const char* first, const char* more) {
            QTest::newRow(name) << QByteArray(first) << QByteArray(more);
        };
        row("an operator", "a = aten.relu.default(x) : [4, 6]", "b = aten.relu.default(y) : [4, 6]");
        row("a function", "a = torch.nn.functional.silu(x) : [4, 6]", "b = torch.nn.functional.silu(y) : [4, 6]");
        row("a choice", "a = torch.where(x, x, y) : [4, 6]", "b = torch.where(y, y, x) : [4, 6]");
        row("a view", "a = method.view(x, 24) : [24]", "b = method.view(y, 24) : [24]");
        row("a view by a list", "a = method.view(x, [24]) : [24]", "b = method.view(y, [24]) : [24]");
        row("a tensor of one element used as a tensor", "a = aten.add.Tensor(x, n) : [4, 6]",
            "b = aten.add.Tensor(x, m) : [4, 6]");
        row("a size for a number", "s = aten.sym_size.int(x, 0); a = aten.view.default(x, [s, 6]) : [4, 6]",
            "t = aten.sym_size.int(y, 0); b = aten.view.default(y, [t, 6]) : [4, 6]");
        row("keywords in another order", "a = torch.softmax(input=x, dim=1) : [4, 6]",
            "b = torch.softmax(dim=1, input=y) : [4, 6]");
    }
    void provesCallsOfKnownForm()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, more);
        const std::string start = "x = input [4, 6]; y = input [4, 6]; n = input [] int64; m = input [] int64; "
            + first.toStdString() + "; ";
        const VerifyReport report = *verify(ProgramText::program(start + "return a"),
                                            ProgramText::program(start + more.toStdString() + "; return a"));
        QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
    }
};

const test::Registered<VerifyLayoutsTest> verifyLayoutsTest("verify_layouts_test");
#include "verify_layouts_test.moc"
