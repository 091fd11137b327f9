#include "ir/program_memory.h"

#include "random_program.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

class ProgramMemoryTest final : public QObject {
    Q_OBJECT
private slots:
    void growsWithTheProgram()
    {
        const std::uint64_t small = memoryOf(test::randomProgram(1, 500));
        const std::uint64_t large = memoryOf(test::randomProgram(1, 5'000));
        QVERIFY2(small > 500 * sizeof(Node), qPrintable(QString::number(small)));
        QVERIFY2(large > 5 * small && large < 20 * small, qPrintable(QString::number(large / small)));
    }

    /// Blocks shared by copies count only once.
    void countsSharedBlocksOnce()
    {
        const auto programOf = [](bool shared) {
            Program program;
            program.addGraph(ModuleTree::root());
            const auto tensor = [] {
                return Argument::tensor(TensorMeta{.dtype = intern("float32"), .shape = Arguments(50, Argument::integer(2))});
            };
            const Argument one = tensor();
            for (int i = 0; i < 1'000; ++i) {
                NodeSpec spec{.op = Op::placeholder, .target = intern("x" + std::to_string(i))};
                spec.meta.val = shared ? one : tensor();
                program.rootGraph().create(std::move(spec));
            }
            return memoryOf(program);
        };
        constexpr std::uint64_t kBlocks = 1'000 * 50 * sizeof(Argument);
        QVERIFY(programOf(false) > programOf(true) + kBlocks);
    }
};

const test::Registered<ProgramMemoryTest> programMemoryTest("program_memory_test");
#include "program_memory_test.moc"
