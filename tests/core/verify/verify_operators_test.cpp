#include "compared_texts.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <algorithm>

using namespace sunder;
using sunder::test::compared;

/// Operator facts from PyTorch's schemas, hand-written tables, and user schemas, and the treatment of unknown operators.
class VerifyOperatorsTest final : public QObject {
    Q_OBJECT
private slots:
    /// Each pair reads before or after a write, or draws random numbers in another order.
    void keepsTheOrderOfWhatIsWritten_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        const auto row = [](const char* name, const char* write, const char* read = "r = torch.sum(o)") {
            const QByteArray inputs = "x = input; y = input; o = input; p = input; ";
            QTest::newRow(name) << inputs + read + "; " + write + "; return r" << inputs + write + "; " + read + "; return r";
        };
        row("output= of nll_loss_forward", "w = aten.nll_loss_forward.output(x, y, None, 1, 0, output=o, total_weight=p)");
        row("buffer= of log_sigmoid_forward", "w = aten.log_sigmoid_forward.output(x, output=p, buffer=o)");
        row("output= of slow_conv3d_forward",
            "w = aten.slow_conv3d_forward.output(x, y, [1, 1, 1], None, [1, 1, 1], [0, 0, 0], output=o)");
        row("L= of linalg", "w = aten.linalg_cholesky_ex.L(x, L=o, info=p)");
        row("a= of geqrf", "w = aten.geqrf.a(x, a=o, tau=p)");
        row("out= by position", "w = aten.add.out(x, y, 1, o)");
        row("out= of a packet", "w = torch.ops.aten.mul(x, y, out=o)");
        row("out= of a list",
            "w = aten._fused_adam.out([x], [o], [x], [x], [], [x], lr=0.1, beta1=0.1, beta2=0.1, weight_decay=0.0, eps=0.1, amsgrad=False, maximize=False, out=[p])");
        row("quantized, into a result",
            "w = torch.ops.quantized.batch_norm2d_relu.default(x, y, y, y, y, 0.1, 0.1, 1); z = torch.ops._quantized.add_out.default(x, y, out=o)",
            "r = torch.sum(o)");
        row("copy_to of prims", "w = torch.ops.prims.copy_to.default(o, x)");
        row("statistics of batch norm", "w = aten._native_batch_norm_legit.default(x, None, None, o, p, True, 0.1, 0.1)");
        row("a keyword by position", "w = torch.add(x, y, out=o)");
        row("a method of the schema", "w = method.addbmm_(o, x, y)");
        row("an initialiser", "w = torch.nn.init.xavier_normal_(o)");
        row("an initializer of constants", "w = torch.nn.init.ones_(o)");
        row("memory that NumPy sees", "n = method.numpy(o); w = numpy.add(n, 1)");
        row("memory of a storage", "n = method.untyped_storage(o); w = method.fill_(n, 0)");
        row("gradients", "l = torch.sum(x); w = method.backward(l)", "r = aten._grad_of.default(o)");
        row("gradients of a tensor that is not an argument", "l = torch.sum(x); w = method.backward(l)",
            "r = getattr(o, \"grad\")");
        row("gradients by a function", "l = torch.sum(x); w = torch.autograd.backward(l)", "r = getattr(o, \"grad\")");
        row("the tensor that gradients are computed from", "w = method.mul_(o, 2)", "r = torch.autograd.grad(x, y)");
        row("the values of a sparse tensor", "s = torch.sparse_coo_tensor(x, o); v = method._values(s); w = method.mul_(v, 3)");
        row("a tensor moved to a device", "v = torch.ops.prims.device_put.default(o, None); w = method.mul_(v, 3)");
        row("the count of writes", "w = method.mul_(o, 2)", "r = torch.ops.aten.is_leaf.default(o)");
        row("the default type", "w = torch.set_default_dtype(float64)", "r = torch.result_type(o, 1.5)");
        row("an unknown operator", "w = torch.ops.my.op.default(x, o)");
        row("an unknown function", "w = lib.function(o)");
        row("an unknown method", "w = method.change(o)");
        row("an unknown operator that takes a list", "w = torch.ops.my.op.default([x, o])");
        row("a view passed to an unknown operator", "v = method.view(o, 2, 2); w = torch.ops.my.op.default(v)");
        row("random numbers of an unknown operator", "w = torch.ops.my.op.default(x)", "r = torch.rand_like(o)");
        row("effects of an unknown operator", "w = torch.ops.my.op.default(x); z = aten._print.default(\"a\")",
            "r = torch.ops.my.other.default(o)");
    }
    void keepsTheOrderOfWhatIsWritten()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        const VerifyReport report = compared(a, b);
        QVERIFY2(report.verdict != Verdict::same, "called the same");
        QVERIFY2(!report.why.empty(), report.why.c_str());
        QCOMPARE(compared(a, a).verdict, Verdict::same);
        QCOMPARE(compared(b, b).verdict, Verdict::same);
    }

    void neverTakesTwoUnknownCallsForOne_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::newRow("with a tensor") << QByteArray(
            "x = input; a = torch.ops.my.op.default(x); b = torch.ops.my.op.default(x); return (a, b)")
                                       << QByteArray("x = input; a = torch.ops.my.op.default(x); return (a, a)");
        QTest::newRow("without any") << QByteArray(
            "a = torch.ops.my.op.default(1); b = torch.ops.my.op.default(1); return (a, b)")
                                     << QByteArray("a = torch.ops.my.op.default(1); return (a, a)");
        QTest::newRow("unused") << QByteArray("x = input; a = torch.ops.my.op.default(x); return 1")
                                << QByteArray("x = input; return 1");
    }
    void neverTakesTwoUnknownCallsForOne()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QVERIFY(compared(a, b).verdict != Verdict::same);
        QVERIFY(compared(b, a).verdict != Verdict::same);
        QCOMPARE(compared(a, a).verdict, Verdict::same);
    }

    /// Programs that keep the order of unknown calls are proven, and a note states the assumption.
    void provesWhatLeavesUnknownCallsInTheirOrder()
    {
        const VerifyReport report = compared(
            "x = input; y = input; a = torch.ops.my.op.default(x); b = torch.sin(y); c = torch.ops.my.op.default(a); return (b, c)",
            "x = input; y = input; b = torch.sin(y); a = torch.ops.my.op.default(x); c = torch.ops.my.op.default(a); return (b, c)");
        QCOMPARE(report.verdict, Verdict::same);
        QVERIFY(std::ranges::any_of(report.notes, [](const std::string& note) {
            return note.find("torch.ops.my.op.default is unknown") != std::string::npos;
        }));
        QCOMPARE(report.unknownOperators, std::vector<std::string>{"torch.ops.my.op.default"});
    }

    /// A difference that depends only on unknown operators is never reported as certain.
    void isUndecidedWhereOnlyUnknownCallsTradePlaces()
    {
        const QByteArray a = "x = input; a = torch.ops.my.op.default(x); b = torch.sin(x); return (a, b)";
        const QByteArray b = "x = input; b = torch.sin(x); a = torch.ops.my.op.default(x); return (a, b)";
        QCOMPARE(compared(a, b).verdict, Verdict::undecided);
        QCOMPARE(compared(a, "x = input; a = torch.ops.my.op.default(x); b = torch.cos(x); return (a, b)").verdict,
                 Verdict::different);
    }

    void believesTheSchemasOfAPerson()
    {
        const QByteArray reads = "x = input; o = input; r = torch.sum(o); a = torch.ops.my.op.default(x, o); return (r, a)";
        const QByteArray after = "x = input; o = input; a = torch.ops.my.op.default(x, o); r = torch.sum(o); return (r, a)";
        QVERIFY(compared(reads, after).verdict != Verdict::same);
        const VerifyReport pure = compared(reads, after, "my::op(Tensor x, Tensor o) -> Tensor");
        QCOMPARE(pure.verdict, Verdict::same);
        QVERIFY(pure.notes.empty());
        QVERIFY(compared(reads, after, "my::op(Tensor x, Tensor(a!) o) -> Tensor").verdict != Verdict::same);
        QCOMPARE(compared(reads, after, "my::op(Tensor(a!) x, Tensor o) -> Tensor").verdict, Verdict::same);
        const QByteArray drawn = "x = input; o = input; a = torch.ops.my.op.default(x, o); r = torch.rand_like(o); return (r, a)";
        const QByteArray later = "x = input; o = input; r = torch.rand_like(o); a = torch.ops.my.op.default(x, o); return (r, a)";
        QCOMPARE(compared(drawn, later, "my::op(Tensor x, Tensor o) -> Tensor").verdict, Verdict::same);
        QVERIFY(compared(drawn, later, "my::op(Tensor x, Tensor o) -> Tensor\tnondeterministic_seeded").verdict != Verdict::same);
        const QByteArray viewed =
            "x = input; o = input; a = torch.ops.my.op.default(x, o); r = torch.sum(a); w = method.add_(x, 1); return r";
        const QByteArray written =
            "x = input; o = input; a = torch.ops.my.op.default(x, o); w = method.add_(x, 1); r = torch.sum(a); return r";
        QCOMPARE(compared(viewed, written, "my::op(Tensor x, Tensor o) -> Tensor").verdict, Verdict::same);
        QVERIFY(compared(viewed, written, "my::op(Tensor(a) x, Tensor o) -> Tensor(a)").verdict != Verdict::same);
    }
};

const test::Registered<VerifyOperatorsTest> verifyOperatorsTest("verify_operators_test");
#include "verify_operators_test.moc"
