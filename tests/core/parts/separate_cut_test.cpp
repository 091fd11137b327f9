#include "effectful_program.h"
#include "io/model_file.h"
#include "ir/lint.h"
#include "parts/export_parts.h"
#include "parts/part_checks.h"
#include "parts/part_programs.h"
#include "parts/separate_cut.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"
#include "tagging/tag_check.h"
#include "test_case.h"
#include "test_support.h"
#include "verify/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>

using namespace sunder;

namespace {

TagAssignment tagsOf(const Program& program, const std::vector<std::pair<std::string, std::string>>& pairs)
{
    std::vector<TagPair> named;
    for (const auto& [node, tag] : pairs)
        named.emplace_back(intern(node), intern(tag));
    return assignTags(program.rootGraph(), {intern("p"), intern("q"), intern("r")}, named);
}

SplitResult splitOf(const Program& program, const std::vector<std::pair<std::string, std::string>>& pairs)
{
    Result<SplitResult> split = splitByTags(program, tagsOf(program, pairs));
    return split ? std::move(*split) : SplitResult();
}

QString textOfPart(const SeparateCut& cut, std::size_t part)
{
    return QString::fromStdString(test::textOf(partModule(cut.changed->source, cut.changed->split, part).rootGraph()));
}

/// Makes the program return the named values.
void giveResults(Program& program, const std::vector<std::string>& names)
{
    Graph& graph = program.rootGraph();
    Arguments results;
    for (const std::string& name : names)
        results.push_back(Argument::node(graph.find(intern(name))));
    graph.setArguments(graph.output(), {Argument::tuple(std::move(results))}, {});
}

Program autocastGraph()
{
    return test::programFromText(R"(
        x = placeholder() : 4
        e = call_function[torch.amp.autocast_mode._enter_autocast](1)
        a = call_function[torch.mul](x, x) : 4
        b = call_function[torch.mul](a, x) : 4
        l = call_function[torch.amp.autocast_mode._exit_autocast](e)
        c = call_function[torch.mul](b, x) : 4
        out = output(c))");
}

/// Returns an exported program. Buffers of 4 numbers with separate memory are inputs and have the names of their placeholders.
Program exportedProgram(const std::string& text, const std::vector<std::string>& buffers, const std::vector<OutputSpec>& outputs)
{
    Program program = test::programFromText(text);
    program.signature = ExportSignature();
    for (const NodeId id : program.rootGraph().nodes()) {
        const Node& node = program.rootGraph()[id];
        if (node.op != Op::placeholder)
            continue;
        if (std::ranges::find(buffers, node.name.str()) == buffers.end()) {
            program.signature->inputs.push_back({.kind = InputKind::user, .value = Argument::node(id)});
            continue;
        }
        const std::string storage = "s." + node.name.str();
        TensorEntry entry{.fqn = node.name, .role = TensorRole::buffer, .persistent = true};
        entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(4)}, .storage = intern(storage)};
        entry.storage = program.tensors.addStorage({.id = intern(storage), .byteCount = 16});
        program.tensors.add(std::move(entry));
        program.signature->inputs.push_back({.kind = InputKind::buffer, .target = node.name, .name = node.name});
    }
    program.signature->outputs = outputs;
    return program;
}

/// Random tags, raised where an edge requires it.
TagAssignment randomTags(const Program& program, unsigned seed)
{
    std::mt19937 random(seed);
    TagAssignment tags{.order = {intern("p"), intern("q"), intern("r")},
                       .tagOf = std::vector<std::int32_t>(program.rootGraph().idBound(), TagAssignment::kUntagged)};
    std::vector<NodeId> calls;
    for (const NodeId id : program.rootGraph().nodes())
        if (program.rootGraph()[id].isCall())
            calls.push_back(id);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        std::int32_t tag = static_cast<std::int32_t>(i * 3 / calls.size());
        if (random() % 16 == 0)
            tag = static_cast<std::int32_t>(random() % 3);
        for (const NodeId input : program.rootGraph().inputs(calls[i]))
            tag = std::max(tag, tags[input]);
        tags.tagOf[calls[i].index()] = tag;
    }
    return tags;
}

bool isOfSeparateParts(const Problem& problem)
{
    return problem.kind == Problem::Kind::splitState || problem.kind == Problem::Kind::boundValue
        || (problem.kind == Problem::Kind::cutRegion && problem.severity == Severity::error);
}

} // namespace

class SeparateCutTest final : public QObject {
    Q_OBJECT
private slots:
    void partsEnterAndLeaveTheRegionThatIsCut()
    {
        const Program program = autocastGraph();
        const SplitResult split = splitOf(program, {{"e", "p"}, {"a", "p"}, {"b", "q"}, {"l", "q"}, {"c", "q"}});
        const Result<SeparateCut> cut = separateCut(program, split);
        QVERIFY(cut.has_value() && cut->changed);
        QVERIFY(lint(cut->changed->split.program).empty());
        QCOMPARE(textOfPart(*cut, 0),
                 QString("e_1 = call_function[torch.amp.autocast_mode._enter_autocast]()\n"
                         "x = placeholder[x]()\n"
                         "a = call_function[torch.mul](x, x)\n"
                         "l_2 = call_function[torch.amp.autocast_mode._exit_autocast](e_1)\n"
                         "output = output[output](a)\n"));
        QCOMPARE(textOfPart(*cut, 1),
                 QString("e_2 = call_function[torch.amp.autocast_mode._enter_autocast]()\n"
                         "a = placeholder[a]()\nx = placeholder[x]()\n"
                         "b = call_function[torch.mul](a, x)\n"
                         "l_1 = call_function[torch.amp.autocast_mode._exit_autocast](e_2)\n"
                         "c = call_function[torch.mul](b, x)\n"
                         "output = output[output](c)\n"));
        QCOMPARE(verifyResult(program, cut->changed->split.program)->verdict, Verdict::same);
    }

    void leavesACutAsItIsThatCutsNoRegion()
    {
        const Program program = autocastGraph();
        const SplitResult split = splitOf(program, {{"e", "p"}, {"a", "p"}, {"b", "p"}, {"l", "p"}, {"c", "q"}});
        const Result<SeparateCut> cut = separateCut(program, split);
        QVERIFY(cut.has_value() && !cut->changed);
    }

    void refusesStateThatNoOtherPartCanSet()
    {
        const Program program = test::programFromText(R"(
            x = placeholder() : 4
            s = call_function[torch.set_float32_matmul_precision](1)
            a = call_function[torch.mul](x, x) : 4
            out = output(a))");
        const SplitResult split = splitOf(program, {{"s", "p"}, {"a", "q"}});
        const Result<SeparateCut> refused = separateCut(program, split);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().message,
                 std::string("s (tag p) sets global state for a (tag q) as well; a separate part cannot repeat it"));
        const Result<SeparateCut> anyhow = separateCut(program, split, {.unproven = true});
        QVERIFY(anyhow.has_value() && !anyhow->changed);
        QCOMPARE(anyhow->notes.size(), std::size_t{1});
    }

    void refusesABufferThatAnotherPartWrites_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("message");
        QTest::newRow("in place")
            << "in place"
            << "b is written by w (tag q) and read by a (tag p); separate parts have their own copies, and the copy of p "
               "does not change";
        QTest::newRow("by the signature")
            << "by the signature"
            << "b is written by w (tag q) and read by a (tag p); separate parts have their own copies, and "
               "the copy of p does not change";
    }
    void refusesABufferThatAnotherPartWrites()
    {
        QFETCH(QString, form);
        QFETCH(QString, message);
        const bool isInPlace = form == "in place";
        Program program = exportedProgram(
            std::string("b = placeholder() : 4\nx = placeholder() : 4\n"
                        "a = call_function[torch.ops.aten.add.Tensor](x, b) : 4\n")
                + (isInPlace ? "w = call_function[torch.ops.aten.add_.Tensor](b, a) : 4\n"
                             : "w = call_function[torch.ops.aten.add.Tensor](b, a) : 4\n")
                + "out = output(a)",
            {"b"},
            isInPlace ? std::vector<OutputSpec>{{.kind = OutputKind::user}}
                      : std::vector<OutputSpec>{{.kind = OutputKind::bufferMutation, .target = intern("b"), .name = intern("w")},
                                                {.kind = OutputKind::user}});
        giveResults(program, isInPlace ? std::vector<std::string>{"a"} : std::vector<std::string>{"w", "a"});
        const Result<SeparateCut> refused = separateCut(program, splitOf(program, {{"a", "p"}, {"w", "q"}}));
        QVERIFY(!refused.has_value());
        QCOMPARE(QString::fromStdString(refused.error().message), message);
        QCOMPARE(refused.error().where.node, std::string("w"));
        QVERIFY(separateCut(program, splitOf(program, {{"a", "q"}, {"w", "q"}})).has_value());
        QCOMPARE(separateCut(program, splitOf(program, {{"a", "p"}, {"w", "q"}}), {.unproven = true})->notes.front().first,
                 intern("p"));
    }

    /// A number is recomputed from its source, unless that memory has been written to in between.
    void refusesANumberThatWouldBeComputedFromWhatIsWrittenSince()
    {
        const std::string text = R"(
            x = placeholder() : 4
            y = call_function[torch.ops.aten.relu.default](x) : 4
            n = call_function[torch.ops.aten.item.default](y)
            w = call_function[%](y, y) : 4
            z = call_function[torch.ops.aten.mul.Tensor](x, n) : 4
            out = output(z))";
        const auto cutOf = [&](const std::string& op) {
            std::string made = text;
            made.replace(made.find('%'), 1, op);
            Program program = exportedProgram(made, {}, {{.kind = OutputKind::user}});
            const NodeId n = program.rootGraph().find(intern("n"));
            program.rootGraph().meta(n).val = Argument::symbolic({.expression = intern("zuf0"), .kind = SymbolKind::floating});
            return separateCut(program, splitOf(program, {{"y", "p"}, {"n", "p"}, {"w", "p"}, {"z", "q"}}));
        };
        QVERIFY(cutOf("torch.ops.aten.add.Tensor").has_value());
        const Result<SeparateCut> refused = cutOf("torch.ops.aten.add_.Tensor");
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().message.starts_with("z (tag q) uses n (tag p), which is "), refused.error().message.c_str());
    }

    /// split_module passes attributes to its parts as inputs, which a separate part would not receive. A graph may also return an
    /// attribute.
    void partsOfPlainGraphsReadTheirAttributes()
    {
        Program program = test::programFromText("x = placeholder() : 4\nw = get_attr[w]() : 4\n"
                                                "a = call_function[torch.mul](x, w) : 4\nb = call_function[torch.mul](a, w) : 4\n"
                                                "out = output(b)");
        giveResults(program, {"b", "w"});
        TensorEntry entry{.fqn = intern("w"), .persistent = true};
        entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(4)}};
        program.tensors.add(std::move(entry));
        PartitionAssignment partitions{.ids = {{intern("0"), 0}, {intern("1"), 1}}, .partitionOf = {}};
        for (const NodeId id : program.rootGraph().nodes())
            partitions.partitionOf.push_back(!program.rootGraph()[id].isCall()                ? PartitionAssignment::kNone
                                                 : program.rootGraph()[id].name.view() == "a" ? 0U
                                                                                              : 1U);
        const Result<SplitResult> split = splitModule(program, partitions, {});
        QVERIFY2(split.has_value(), split ? "" : split.error().message.c_str());
        const Result<SeparateCut> cut = separateCut(program, *split);
        QVERIFY(cut.has_value() && cut->changed);
        QCOMPARE(textOfPart(*cut, 1),
                 QString("a = placeholder[a]()\nw = get_attr[w]()\nb = call_function[torch.mul](a, w)\n"
                         "w_1 = get_attr[w]()\noutput = output[output](b, w_1)\n"));
    }

    /// The check of tags predicts which exports of parts are refused, for plain graphs and exported programs.
    void checkForeseesWhatIsRefused_data()
    {
        QTest::addColumn<bool>("exported");
        QTest::newRow("plain") << false;
        QTest::newRow("exported") << true;
    }
    void checkForeseesWhatIsRefused()
    {
        QFETCH(bool, exported);
        std::map<std::string, int> met;
        QTemporaryDir folder;
        for (unsigned seed = 0; seed < 120; ++seed) {
            Program program = test::effectfulProgram(seed, 6 + static_cast<int>(seed % 18),
                                                     {.isFunctional = seed % 3 == 0, .hasNumbers = true});
            if (exported)
                test::makeExported(program);
            const Snapshot snapshot(program);
            const TagAssignment tags = randomTags(program, seed);
            const TagCheck check = checkOf(snapshot, tags, {});
            const Result<SplitResult> split = splitByTags(program, tags);
            QVERIFY2(split.has_value(), split ? "" : split.error().message.c_str());
            const VerifyReport report = *verifyResult(program, split->program);
            const Result<ExportedParts> parts = exportParts(
                program, *split, folder.path().toStdString(),
                {.proof = report.verdict == Verdict::same ? Proof::proven : Proof::undecided, .format = PartFormat::fxJson});
            const auto told = std::ranges::find_if(check.problems, isOfSeparateParts);
            const std::string where = "seed " + std::to_string(seed) + ": "
                + (parts ? std::string("written") : parts.error().message) + " / "
                + (told != check.problems.end() ? told->text : std::string("nothing told"));
            const bool isForeseen = report.verdict == Verdict::same && told == check.problems.end();
            QVERIFY2(parts.has_value() == isForeseen, where.c_str());
            QVERIFY2(!isForeseen || !*unprovenParts(program, *split), where.c_str());
            if (!parts && report.verdict == Verdict::same) {
                const bool isSame = std::ranges::any_of(check.problems, [&](const Problem& problem) {
                    return isOfSeparateParts(problem)
                        && problem.text.find(parts.error().message.substr(0, 20)) != std::string::npos;
                });
                const bool isUndecided = parts.error().message.starts_with("the parts are not proven to be equivalent");
                QVERIFY2(isSame || isUndecided, where.c_str());
                for (const Problem& problem : check.problems)
                    met[std::string(name(problem.kind))] += isOfSeparateParts(problem) ? 1 : 0;
            }
            met["written"] += parts ? 1 : 0;
        }
        QVERIFY(met["written"] > 10 && met["split_state"] > 10);
        QVERIFY(!exported || met["bound_value"] > 0);
    }
};

const test::Registered<SeparateCutTest> separateCutTest("separate_cut_test");
#include "separate_cut_test.moc"
