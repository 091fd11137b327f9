#include "analysis/module_summary.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

TensorId addParameter(Program& program, const char* fqn, StorageId storage, Arguments shape)
{
    TensorEntry entry{.fqn = intern(fqn), .storage = storage};
    entry.role = TensorRole::parameter;
    entry.meta.dtype = intern("float32");
    entry.meta.shape = std::move(shape);
    return program.tensors.add(std::move(entry));
}

} // namespace

class ModuleSummaryTest final : public QObject {
    Q_OBJECT
private slots:
    void countsOpsAndWeightsOfEachModule()
    {
        Program program = test::programFromText("x = placeholder()\ny = op(x) @ b B > b.l L\nz = op(y) @ b B\noutput(z)\n");
        const StorageId storage = program.tensors.addStorage({intern("s"), 96});
        addParameter(program, "b.l.weight", storage, {Argument::integer(4), Argument::integer(6)});
        addParameter(program, "b.tied", storage, {Argument::integer(24)});
        addParameter(program, "unused.weight", program.tensors.addStorage({intern("t"), 8}), {Argument::integer(2)});
        const std::vector<ModuleSummary> modules = moduleSummaries(program);
        QCOMPARE(modules.size(), std::size_t{3}); // a module without calls or users is omitted
        QCOMPARE(modules[0].ops, 2U);
        QCOMPARE(modules[0].bytes, std::uint64_t{104});
        QCOMPARE(modules[0].parameters, std::uint64_t{50});
        QCOMPARE(modules[1].path.str(), std::string("b"));
        QCOMPARE(modules[1].cls.str(), std::string("B"));
        QCOMPARE(modules[1].tensors, 2U);
        QCOMPARE(modules[1].bytes, std::uint64_t{96}); // one memory
        QCOMPARE(modules[2].depth, 2U);
        QCOMPARE(modules[2].ops, 1U);
        QCOMPARE(modules[2].parameters, std::uint64_t{24});
    }
};

const test::Registered<ModuleSummaryTest> moduleSummaryTest("module_summary_test");
#include "module_summary_test.moc"
