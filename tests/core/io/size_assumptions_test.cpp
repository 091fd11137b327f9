#include "io/sympy/size_assumptions.h"

#include "io/side_files/figure_basis.h"
#include "io/side_files/manifest_writer.h"
#include "ir/tensor_meta.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

Argument size(const char* expression, std::int64_t hint)
{
    return Argument::symbolic({.expression = intern(expression), .kind = SymbolKind::integer, .hint = hint});
}

Argument tensorOf(Arguments shape)
{
    return Argument::tensor(TensorMeta{.dtype = intern("float32"), .shape = std::move(shape)});
}

/// x has shape [2, s0]. Each expression in s0 and s1 becomes an op with shape [expression, 4]. s0 is 8 and s1 is 3.
Program programWith(const std::vector<std::pair<const char*, std::int64_t>>& expressions)
{
    Program program;
    program.root = program.addGraph(program.modules.root());
    Graph& graph = program.rootGraph();
    const auto append = [&](Op op, const std::string& name, Argument val) {
        NodeSpec spec{.op = op, .name = intern(name), .target = intern(op == Op::placeholder ? name : "torch.relu")};
        spec.meta.val = std::move(val);
        return graph.append(std::move(spec));
    };
    append(Op::placeholder, "x", tensorOf({Argument::integer(2), size("s0", 8)}));
    append(Op::placeholder, "y", tensorOf({size("s1", 3)}));
    for (std::size_t i = 0; i < expressions.size(); ++i)
        append(Op::callFunction, "op" + std::to_string(i),
               tensorOf({size(expressions[i].first, expressions[i].second), Argument::integer(4)}));
    program.ranges = {{.symbol = intern("s0"), .min = 2, .max = 64}};
    return program;
}

std::optional<std::uint64_t> bytesOf(const Program& program, const char* node)
{
    return byteSize(*program.rootGraph()[program.rootGraph().find(intern(node))].meta.val);
}

} // namespace

/// Assumed values of symbolic dimensions.
class SizeAssumptionsTest final : public QObject {
    Q_OBJECT
private slots:
    void saysWhatTheFileTakes()
    {
        const std::vector<SizeAssumption> found = sizeAssumptions(programWith({{"2*s0", 16}}));
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0],
                 (SizeAssumption{.symbol = intern("s0"), .value = 8, .min = 2, .max = 64, .input = intern("x"), .dimension = 1}));
        QCOMPARE(found[1], (SizeAssumption{.symbol = intern("s1"), .value = 3, .input = intern("y")}));
    }

    void everySizeFollows_data()
    {
        QTest::addColumn<QByteArray>("expression");
        QTest::addColumn<qint64>("wanted"); // with s0 = 10 and s1 = 3
        const std::vector<std::pair<const char*, qint64>> rows = {
            {"s0", 10},         {"2*s0", 20},      {"s0 + s1", 13},   {"s0*s1", 30},     {"((s0//3))", 3}, {"s0**2", 100},
            {"Max(7, s0)", 10}, {"Min(7, s0)", 7}, {"Mod(s0, 4)", 2}, {"-1 + 2*s0", 19}, {"s1", 3}};
        for (const auto& [expression, wanted] : rows)
            QTest::newRow(expression) << QByteArray(expression) << wanted;
    }
    void everySizeFollows()
    {
        QFETCH(QByteArray, expression);
        QFETCH(qint64, wanted);
        Program program = programWith({{expression.constData(), 3}});
        const Result<std::vector<AssumedSize>> sizes = parseAssumedSizes("s0=10");
        QVERIFY(sizes.has_value());
        QVERIFY(assumeSizes(program, *sizes).has_value());
        QCOMPARE(bytesOf(program, "op0"), std::optional<std::uint64_t>(wanted * 16));
        QCOMPARE(bytesOf(program, "x"), std::optional<std::uint64_t>(80));
        QCOMPARE(*sizeAssumptions(program).front().value, 10);
    }

    void whatCannotBeWorkedOutIsUnknownRatherThanWrong()
    {
        Program program = programWith({{"Strange(s0)", 8}, {"Strange(s1)", 8}});
        QVERIFY(assumeSizes(program, std::array{AssumedSize(intern("s0"), 10)}).has_value());
        QCOMPARE(bytesOf(program, "op0"), std::nullopt);
        QCOMPARE(bytesOf(program, "op1"), std::optional<std::uint64_t>(128)); // does not depend on it
    }

    void rangesOfTheFileBoundIt()
    {
        Program program = programWith({});
        for (const std::int64_t outside : {1, 65, -1}) {
            const Result<void> refused = assumeSizes(program, std::array{AssumedSize(intern("s0"), outside)});
            QVERIFY(!refused.has_value());
            QVERIFY2(refused.error().message.find("2 to 64") != std::string::npos, refused.error().message.c_str());
        }
        QCOMPARE(bytesOf(program, "x"), std::optional<std::uint64_t>(64));
        QVERIFY(!assumeSizes(program, std::array{AssumedSize(intern("s9"), 4)}).has_value());
    }

    void aRefusalNamesTheDimensionAndWhatCouldBeTaken()
    {
        Program program = programWith({});
        const auto why = [&program](const char* symbol, std::int64_t value) {
            const Result<void> refused = assumeSizes(program, std::array{AssumedSize(intern(symbol), value)});
            return refused ? std::string() : refused.error().message;
        };
        QVERIFY2(why("s0", 100).find("s0 (x, dimension 1): 2 to 64; the nearest allowed value is s0 = 64") != std::string::npos,
                 why("s0", 100).c_str());
        QVERIFY2(why("s0", 1).find("the nearest allowed value is s0 = 2") != std::string::npos, why("s0", 1).c_str());
        QVERIFY2(why("s9", 4).find("s0 (x, dimension 1), s1 (y, dimension 0)") != std::string::npos, why("s9", 4).c_str());
        const SizeAssumption free{.symbol = intern("s1")};
        QCOMPARE(nearestAllowed(free, -3), 0);
        QCOMPARE(nearestAllowed(free, 1LL << 40), 1LL << 40);
    }

    void whatTheFileSaidComesBackAsItWas()
    {
        Program program = programWith({{"Strange(s0)", 8}, {"s0 + s1", 99}, {"s0*s1", 24}});
        const auto all = [&program] {
            return std::array{bytesOf(program, "x"), bytesOf(program, "y"), bytesOf(program, "op0"), bytesOf(program, "op1"),
                              bytesOf(program, "op2")};
        };
        const auto before = all();
        const auto assume = [&program](const char* symbol, std::int64_t value) {
            return assumeSizes(program, std::array{AssumedSize(intern(symbol), value)}).has_value();
        };
        QVERIFY(assume("s0", 10) && assume("s1", 5) && assume("s0", 12));
        QCOMPARE(bytesOf(program, "op2"), std::optional<std::uint64_t>(60 * 16));
        QVERIFY(assume("s0", 8));
        // depends on s0 only, which has the file's value again
        QCOMPARE(bytesOf(program, "op0"), before[2]);
        QCOMPARE(bytesOf(program, "op1"), std::optional<std::uint64_t>(13 * 16)); // s1 still has another value
        QVERIFY(assume("s1", 3));
        QVERIFY(all() == before);
        QVERIFY(assume("s0", 20));
        takeFileSizes(program);
        QVERIFY(all() == before);
        QVERIFY(program.fileHints == nullptr);
    }

    void filesOfFiguresSayWhatTheyRestOn()
    {
        Program program = programWith({});
        QVERIFY(assumeSizes(program, std::array{AssumedSize(intern("s0"), 10)}).has_value());
        const auto text = [](const FigureBasis& basis) {
            JsonWriter json(0);
            json.object([&] { write(basis, json); });
            return json.take();
        };
        QCOMPARE(text({}), std::string("{}\n"));
        QCOMPARE(text(basisOfShapes(program)), std::string("{\"assumed_sizes\":{\"s0\":10,\"s1\":3}}\n"));
        QVERIFY(manifestJson({.assumed = assumedSizes(sizeAssumptions(program))}).find("\"s0\": 10") != std::string::npos);
        QCOMPARE(manifestJson({}).find("assumed_sizes"), std::string::npos);
        QVERIFY(text(basisOfPartitions(program)) == text(basisOfShapes(program)));
        Graph& graph = program.rootGraph();
        graph.setSizeBytes(graph.find(intern("x")), SizeBytes{.output = 1, .total = 1});
        QVERIFY(hasRecordedSizes(program)); // constants, which partitioners use unchanged
        QCOMPARE(text(basisOfPartitions(program)), std::string("{\"used_mem_bytes_from\":\"size_bytes of the file\"}\n"));
    }

    void refusesWhatIsNoListOfSizes()
    {
        for (const char* wrong : {"s0", "s0=", "=3", "s0=x", "s0=3,", "s0=3,s0=4", "s0=3 s1=4"})
            QVERIFY2(!parseAssumedSizes(wrong).has_value(), wrong);
        QCOMPARE(parseAssumedSizes("s0=3,s1=4")->size(), std::size_t(2));
    }
};

const test::Registered<SizeAssumptionsTest> sizeAssumptionsTest("size_assumptions_test");
#include "size_assumptions_test.moc"
