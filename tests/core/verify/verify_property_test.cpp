#include "verify/verify.h"

#include "test_case.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

using namespace sunder;

namespace {

/// A random program of ATen operators, some of them in-place, views, or random: a list of nodes with their operands.
struct Drawn {
    struct Line {
        std::string target;
        std::vector<int> operands; ///< line numbers; negative: input -1 - i
        double constant = 0.0;
    };
    int inputs = 3;
    std::vector<Line> lines;
    std::vector<int> outputs;
};

constexpr std::array kPure{"torch.ops.aten.sin.default", "torch.ops.aten.relu.default", "torch.ops.aten.add.Tensor",
                           "torch.ops.aten.sub.Tensor", "torch.ops.aten.mul.Tensor"};
constexpr std::array kImpure{"torch.ops.aten.add_.Tensor", "torch.ops.aten.mul_.Tensor", "torch.ops.aten.t.default",
                             "torch.ops.aten.rand_like.default"};

Drawn drawn(unsigned seed, bool pure)
{
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Drawn program;
    const int count = 5 + below(25);
    for (int i = 0; i < count; ++i) {
        Drawn::Line line;
        line.target = !pure && below(3) == 0 ? kImpure[static_cast<std::size_t>(below(4))]
                                             : kPure[static_cast<std::size_t>(below(5))];
        const auto operand = [&] { return below(i + program.inputs) - program.inputs; };
        line.operands.push_back(operand());
        if (line.target.ends_with(".Tensor") && below(4) != 0)
            line.operands.push_back(operand());
        else if (line.target.ends_with(".Tensor"))
            line.constant = 1.0 + below(3);
        program.lines.push_back(line);
    }
    for (int i = 0; i < count; ++i)
        if (below(3) == 0 || i + 1 == count)
            program.outputs.push_back(i);
    return program;
}

/// `order` is the sequence of the lines; `prefix` starts all names.
Program built(const Drawn& drawn, const std::vector<int>& order, const std::string& prefix)
{
    Program program;
    program.root = program.addGraph(ModuleTree::root());
    Graph& graph = program.rootGraph();
    std::vector<NodeId> inputs;
    std::vector<NodeId> nodes(drawn.lines.size());
    for (int i = 0; i < drawn.inputs; ++i) {
        const InternedString name = intern(prefix + "x" + std::to_string(i));
        inputs.push_back(graph.append({.op = Op::placeholder, .name = name, .target = name}));
    }
    const auto value = [&](int line) {
        return Argument::node(line < 0 ? inputs[static_cast<std::size_t>(-1 - line)] : nodes[static_cast<std::size_t>(line)]);
    };
    for (const int index : order) {
        const Drawn::Line& line = drawn.lines[static_cast<std::size_t>(index)];
        Arguments args;
        for (const int operand : line.operands)
            args.push_back(value(operand));
        if (line.constant != 0.0)
            args.push_back(Argument::floating(line.constant));
        nodes[static_cast<std::size_t>(index)] = graph.append({.op = Op::callFunction,
                                                               .name = intern(prefix + std::to_string(index)),
                                                               .target = intern(line.target),
                                                               .args = std::move(args)});
    }
    Arguments outputs;
    for (const int line : drawn.outputs)
        outputs.push_back(value(line));
    graph.append({.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {Argument::tuple(outputs)}});
    return program;
}

std::vector<int> inOrder(const Drawn& program)
{
    std::vector<int> order(program.lines.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// Returns another order in which every line comes after its operands.
std::vector<int> shuffled(const Drawn& program, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<int> left = inOrder(program);
    std::vector<bool> done(program.lines.size());
    std::vector<int> order;
    while (!left.empty()) {
        const std::size_t at = random() % left.size();
        const std::vector<int>& operands = program.lines[static_cast<std::size_t>(left[at])].operands;
        if (!std::ranges::all_of(operands, [&](int o) { return o < 0 || done[static_cast<std::size_t>(o)]; }))
            continue;
        done[static_cast<std::size_t>(left[at])] = true;
        order.push_back(left[at]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return order;
}

/// The numerical results of such a program: memory is a list of cells, and a view is another name of a cell.
struct Run {
    std::vector<double> outputs;
    std::vector<double> inputs;
};

Run run(const Drawn& program, const std::vector<int>& order)
{
    std::vector<double> cells{0.37, 1.91, -2.3};
    std::vector<std::size_t> cellOf(program.lines.size());
    double random = 0.1;
    const auto cell = [&](int line) {
        return line < 0 ? static_cast<std::size_t>(-1 - line) : cellOf[static_cast<std::size_t>(line)];
    };
    for (const int index : order) {
        const Drawn::Line& line = program.lines[static_cast<std::size_t>(index)];
        const double first = cells[cell(line.operands[0])];
        const double second = line.operands.size() > 1 ? cells[cell(line.operands[1])] : line.constant;
        const auto is = [&](std::string_view name) { return line.target.find(name) != std::string::npos; };
        std::size_t& mine = cellOf[static_cast<std::size_t>(index)];
        if (is("aten.t.")) {
            mine = cell(line.operands[0]);
            continue;
        }
        if (is("add_") || is("mul_")) {
            mine = cell(line.operands[0]);
            cells[mine] = is("add_") ? first + second : std::fmod(first * second, 97.0);
            continue;
        }
        double result = first - second;
        if (is("sin"))
            result = std::sin(first);
        else if (is("relu"))
            result = std::max(first, 0.0);
        else if (is(".add."))
            result = first + second;
        else if (is(".mul."))
            result = std::fmod(first * second, 97.0);
        else if (is("rand"))
            result = random = std::fmod(random * 7.31 + 0.13, 1.0);
        mine = cells.size();
        cells.push_back(result);
    }
    Run result{{}, {cells[0], cells[1], cells[2]}};
    for (const int line : program.outputs)
        result.outputs.push_back(cells[cell(line)]);
    return result;
}

} // namespace

class VerifyPropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void aProgramIsTheSameAsItself()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Drawn program = drawn(seed, seed % 2 == 0);
            const VerifyReport report = *verify(built(program, inOrder(program), "a"), built(program, inOrder(program), "b"));
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    void aPureProgramIsTheSameInAnotherOrder()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Drawn program = drawn(seed, true);
            const VerifyReport report = *verify(built(program, inOrder(program), "a"),
                                                built(program, shuffled(program, seed), "b"));
            QVERIFY2(report.verdict == Verdict::same, report.why.c_str());
        }
    }

    void whatIsCalledTheSameGivesTheSameNumbers()
    {
        int same = 0;
        for (unsigned seed = 0; seed < 3000; ++seed) {
            const Drawn first = drawn(seed, false);
            Drawn second = first;
            std::mt19937 random(seed);
            if (seed % 3 == 0) { // replaces one operand
                Drawn::Line& line = second.lines[random() % second.lines.size()];
                line.operands[random() % line.operands.size()] = -1 - static_cast<int>(random() % 3);
            }
            const std::vector<int> order = shuffled(second, seed);
            // Nodes of both often have the same names, so that names cannot distinguish them.
            const VerifyReport report = *verify(built(first, inOrder(first), "a"),
                                                built(second, order, seed % 2 == 0 ? "a" : "b"));
            if (report.verdict != Verdict::same) {
                QVERIFY2(!report.why.empty() && (report.valueA.empty() || report.valueA != report.valueB), report.why.c_str());
                continue;
            }
            ++same;
            const Run wanted = run(first, inOrder(first));
            const Run found = run(second, order);
            QCOMPARE(found.outputs, wanted.outputs);
            QCOMPARE(found.inputs, wanted.inputs);
        }
        QVERIFY(same > 100);
    }

    void aChangedProgramIsNotTheSame()
    {
        for (unsigned seed = 0; seed < 300; ++seed) {
            const Drawn program = drawn(seed, true);
            Drawn changed = program;
            changed.lines[static_cast<std::size_t>(changed.outputs.back())].target = "torch.ops.aten.erf.default";
            QVERIFY(verify(built(program, inOrder(program), ""), built(changed, inOrder(changed), ""))->verdict != Verdict::same);
        }
    }
};

const test::Registered<VerifyPropertyTest> verifyPropertyTest("verify_property_test");
#include "verify_property_test.moc"
