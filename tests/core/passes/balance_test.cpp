// Small random problems are compared with all assignments of their nodes.
#include "passes/balance/balance_program.h"
#include "passes/balance/cut_figures.h"

#include "analysis/tag_legality.h"
#include "counting_monitor.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace sunder;

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Random numbers that are the same on every platform.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : m_random(seed) {}
    /// Returns a number from `least` to `most`.
    std::uint32_t operator()(std::uint32_t least, std::uint32_t most)
    {
        return least + static_cast<std::uint32_t>(m_random() % (most - least + 1));
    }
    bool oneIn(std::uint32_t count) { return (*this)(1, count) == 1; }

private:
    std::mt19937 m_random;
};

void addNodes(BalanceProblem& problem, Dice& dice)
{
    problem.nodes = dice(1, 12);
    const std::uint32_t devices = dice(1, problem.nodes > 10 ? 2 : problem.nodes > 7 ? 3 : 4);
    problem.seconds.resize(dice(1, 2));
    for (std::vector<double>& seconds : problem.seconds) {
        const std::uint32_t speed = dice(1, 3);
        for (std::uint32_t node = 0; node < problem.nodes; ++node)
            seconds.push_back(dice.oneIn(4) ? 0 : speed * dice(0, 20) * (dice.oneIn(5) ? 1.5 : 1));
    }
    for (std::uint32_t device = 0; device < devices; ++device)
        problem.devices.push_back({.kind = dice(0, static_cast<std::uint32_t>(problem.seconds.size() - 1))});
}

void addValues(BalanceProblem& problem, Dice& dice)
{
    const std::uint32_t density = dice(1, 5);
    for (std::uint32_t node = 0; node < problem.nodes; ++node) {
        BalanceProblem::Value value{.producer = node};
        for (std::uint32_t reader = node + 1; reader < problem.nodes; ++reader)
            if (dice(0, 19) < density * (reader - node < 4 ? 2 : 1)) {
                value.readers.push_back(reader);
                problem.order.emplace_back(node, reader);
            }
        if (dice.oneIn(4))
            value.bytes = dice(0, 10);
        else
            value.seconds = dice(0, 12);
        if (!value.readers.empty())
            problem.values.push_back(value);
    }
    for (std::uint32_t gradients = dice.oneIn(6) && problem.nodes > 1 ? dice(1, 3) : 0; gradients > 0; --gradients) {
        const std::uint32_t producer = dice(1, problem.nodes - 1);
        problem.values.push_back({.producer = producer, .readers = {dice(0, producer - 1)}, .seconds = double(dice(0, 6))});
    }
    const auto count = static_cast<std::uint32_t>(problem.devices.size());
    const bool isMatrix = dice.oneIn(6);
    for (std::uint32_t i = 0; i < (isMatrix ? count * count : 1); ++i)
        problem.links.push_back({.secondsPerByte = dice(0, 3) / 2.0, .latency = double(dice(0, 2))});
}

void addLimits(BalanceProblem& problem, Dice& dice)
{
    const auto node = [&] { return dice(0, problem.nodes - 1); };
    for (std::uint32_t groups = dice.oneIn(4) ? dice(1, 2) : 0; groups > 0; --groups)
        problem.groups.push_back({node(), node(), node()});
    problem.overlap = dice.oneIn(5);
    problem.anyOrder = dice.oneIn(5);
    if (dice.oneIn(3))
        return;
    double all = 0;
    for (std::uint32_t i = 0; i < problem.nodes; ++i)
        all += problem.bytes.emplace_back(dice.oneIn(3) ? 0 : dice(0, 10));
    if (dice.oneIn(4))
        problem.memories.push_back({.bytes = double(dice(1, 8)), .readers = {node(), node(), node()}});
    for (BalanceProblem::Device& device : problem.devices)
        device.memory = std::ceil(all / double(problem.devices.size()) * (1 + dice(0, 8) / 8.0)) + dice(0, 3);
    if (dice.oneIn(4))
        problem.mostExtraBytes.assign(problem.nodes, dice.oneIn(2) ? 1 : 2);
    if (!problem.mostExtraBytes.empty())
        problem.bytesOf = [bytes = problem.bytes, memories = problem.memories](std::span<const std::uint32_t> nodes) {
            double sum = nodes.size() > 2 ? double(nodes.size() % 3) : 0;
            for (const std::uint32_t at : nodes)
                sum += bytes[at];
            for (const BalanceProblem::Memory& memory : memories)
                sum += std::ranges::any_of(memory.readers, [&](auto at) { return std::ranges::binary_search(nodes, at); })
                    ? memory.bytes
                    : 0;
            return sum;
        };
}

BalanceProblem randomProblem(std::uint32_t seed)
{
    Dice dice(seed);
    BalanceProblem problem;
    addNodes(problem, dice);
    addValues(problem, dice);
    addLimits(problem, dice);
    return problem;
}

/// Tries all assignments.
class AllCuts {
public:
    explicit AllCuts(const BalanceProblem& problem) : m_problem(problem), m_stageOf(problem.nodes, 0)
    {
        m_deviceOf.resize(problem.devices.size());
        for (std::uint32_t i = 0; i < m_deviceOf.size(); ++i)
            m_deviceOf[i] = i;
        countUnits();
    }

    /// Returns the smallest largest load of a legal cut; infinite if there is none.
    double best()
    {
        assign(0);
        return m_best;
    }

private:
    void countUnits()
    {
        const std::uint32_t nodes = m_problem.nodes;
        std::vector<std::vector<char>> reaches(nodes, std::vector<char>(nodes, 0));
        for (const auto& [before, after] : m_problem.order)
            reaches[before][after] = 1;
        for (const auto& group : m_problem.groups)
            for (const std::uint32_t a : group)
                for (const std::uint32_t b : group)
                    reaches[a][b] = 1;
        for (std::uint32_t via = 0; via < nodes; ++via)
            for (std::uint32_t a = 0; a < nodes; ++a)
                for (std::uint32_t b = 0; b < nodes; ++b)
                    reaches[a][b] = char(reaches[a][b] | (reaches[a][via] & reaches[via][b]));
        std::size_t units = 0;
        for (std::uint32_t a = 0; a < nodes; ++a) {
            bool isFirst = true;
            for (std::uint32_t b = 0; b < a; ++b)
                isFirst = isFirst && (reaches[a][b] == 0 || reaches[b][a] == 0);
            units += isFirst ? 1 : 0;
        }
        m_allowsEmpty = units < m_problem.devices.size();
    }

    void assign(std::uint32_t node)
    {
        if (node == m_problem.nodes) {
            evaluate();
            return;
        }
        for (std::uint32_t stage = 0; stage < m_problem.devices.size(); ++stage) {
            m_stageOf[node] = stage;
            const bool isLegal = std::ranges::all_of(m_problem.order, [&](const auto& pair) {
                return pair.second > node || m_stageOf[pair.first] <= m_stageOf[pair.second];
            });
            const bool isTogether = std::ranges::all_of(m_problem.groups, [&](const auto& group) {
                return std::ranges::all_of(group, [&](std::uint32_t at) {
                    return std::ranges::max(group) > node || m_stageOf[at] == m_stageOf[group.front()];
                });
            });
            if (isLegal && isTogether)
                assign(node + 1);
        }
    }

    void evaluate()
    {
        if (!m_allowsEmpty && std::set<std::uint32_t>(m_stageOf.begin(), m_stageOf.end()).size() < m_problem.devices.size())
            return;
        std::vector<std::uint32_t> order = m_deviceOf;
        do {
            evaluate(order);
        } while (m_problem.anyOrder && std::ranges::next_permutation(order).found);
    }

    void evaluate(const std::vector<std::uint32_t>& deviceOf)
    {
        const auto count = static_cast<std::uint32_t>(deviceOf.size());
        double largest = 0;
        for (std::uint32_t stage = 0; stage < count; ++stage) {
            const BalanceProblem::Device& device = m_problem.devices[deviceOf[stage]];
            double seconds = 0;
            double transfer = 0;
            double bytes = 0;
            std::vector<std::uint32_t> nodes;
            for (std::uint32_t node = 0; node < m_problem.nodes; ++node)
                if (m_stageOf[node] == stage) {
                    seconds += m_problem.seconds[device.kind][node];
                    bytes += m_problem.bytes.empty() ? 0 : m_problem.bytes[node];
                    nodes.push_back(node);
                }
            if (seconds >= m_best)
                return;
            for (const BalanceProblem::Value& value : m_problem.values)
                transfer += transferOf(value, stage, deviceOf);
            for (const BalanceProblem::Memory& memory : m_problem.memories)
                bytes += std::ranges::any_of(memory.readers, [&](auto at) { return m_stageOf[at] == stage; }) ? memory.bytes : 0;
            if (m_problem.bytesOf)
                bytes = m_problem.bytesOf(nodes);
            if (bytes > device.memory)
                return;
            largest = std::max(largest, m_problem.overlap ? std::max(seconds, transfer) : seconds + transfer);
        }
        m_best = std::min(m_best, largest);
    }

    [[nodiscard]] double transferOf(const BalanceProblem::Value& value, std::uint32_t stage,
                                    const std::vector<std::uint32_t>& deviceOf) const
    {
        const std::uint32_t home = m_stageOf[value.producer];
        const auto seconds = [&](std::uint32_t to) {
            const std::size_t pair = deviceOf[home] * deviceOf.size() + deviceOf[to];
            const BalanceProblem::Link& link = m_problem.links[m_problem.links.size() == 1 ? 0 : pair];
            return value.seconds >= 0 ? value.seconds : link.latency + link.secondsPerByte * value.bytes;
        };
        double sent = 0;
        bool isRead = false;
        for (const std::uint32_t reader : value.readers) {
            isRead = isRead || m_stageOf[reader] == stage;
            if (m_stageOf[reader] != home)
                sent = std::max(sent, seconds(m_stageOf[reader]));
        }
        return home == stage ? sent : isRead ? seconds(stage) : 0;
    }

    const BalanceProblem& m_problem;
    std::vector<std::uint32_t> m_stageOf;
    std::vector<std::uint32_t> m_deviceOf;
    bool m_allowsEmpty = false;
    double m_best = kNone;
};

/// Layers of nodes, with values to the next ones.
BalanceProblem layers(std::uint32_t nodes, std::uint32_t devices, std::uint32_t width)
{
    Dice dice(7);
    BalanceProblem problem{.nodes = nodes, .seconds = {{}}, .devices = std::vector<BalanceProblem::Device>(devices)};
    problem.values.resize(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        problem.seconds[0].push_back(dice(1, 100));
        problem.values[node] = {.producer = node, .seconds = double(dice(1, 50))};
        for (std::uint32_t i = 0; node > 0 && i < 2; ++i) {
            const std::uint32_t from = node - 1 - dice(0, std::min(node - 1, width));
            problem.values[from].readers.push_back(node);
            problem.order.emplace_back(from, node);
        }
    }
    return problem;
}

QString messageOf(const Result<BalanceResult>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

} // namespace

class BalanceTest final : public QObject {
    Q_OBJECT
private slots:
    void equalsAllCutsOfSmallProblems()
    {
        int found = 0;
        int unfit = 0;
        for (std::uint32_t seed = 0; seed < 5000; ++seed) {
            const BalanceProblem problem = randomProblem(seed);
            const double best = AllCuts(problem).best();
            const Result<BalanceResult> result = balance(problem);
            const QByteArray label = QByteArray("seed ") + QByteArray::number(seed);
            QVERIFY2(result.has_value() == (best < kNone), label.constData());
            if (!result) {
                QVERIFY2(messageOf(result).startsWith("the model does not fit"), label.constData());
                ++unfit;
                continue;
            }
            ++found;
            QVERIFY2(result->bound <= best * (1 + 1e-9), label.constData());
            QVERIFY2(result->load >= best * (1 - 1e-9), label.constData());
            // Unequal links between pairs are only bounded.
            QVERIFY2(result->isProven || problem.links.size() > 1, label.constData());
            QVERIFY2(!result->isProven || result->load <= best * (1 + 1e-9), label.constData());
        }
        QVERIFY(found > 3000);
        QVERIFY(unfit > 100);
    }

    void provesThatNothingFits()
    {
        BalanceProblem problem{.nodes = 5, .seconds = {{1, 1, 1, 1, 1}}, .bytes = {6, 6, 6, 6, 6}};
        problem.order = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
        problem.devices.assign(4, {.memory = 10});
        QCOMPARE(messageOf(balance(problem)), QString("the model does not fit: at least 5 devices are needed (4 given)"));
        problem.devices.assign(5, {.memory = 10});
        QCOMPARE(balance(problem).value().load, 1.0);
    }

    void leavesNoDeviceEmptyUnlessThereAreTooFewOps()
    {
        // A transfer costs more than the second op saves.
        BalanceProblem problem{.nodes = 2, .seconds = {{1, 1}}, .values = {{.producer = 0, .readers = {1}, .seconds = 9}}};
        problem.order = {{0, 1}};
        problem.devices.resize(2);
        QCOMPARE(balance(problem).value().load, 10.0);
        problem.devices.resize(3);
        const BalanceResult result = balance(problem).value();
        QCOMPARE(result.load, 2.0);
        QVERIFY(result.isProven);
    }

    void boundsLargeProblems()
    {
        const BalanceProblem problem = layers(10'000, 64, 1000);
        const BalanceLimits limits{.steps = 2e7};
        const BalanceResult result = balance(problem, limits).value();
        QVERIFY(result.bound > 0);
        QVERIFY(result.load >= result.bound);
        QVERIFY(std::isfinite(result.gap()));
        for (const auto& [before, after] : problem.order)
            QVERIFY(result.stageOf[before] <= result.stageOf[after]);
        QCOMPARE(balance(problem, limits).value().stageOf, result.stageOf);
    }

    void returnsTheBestCutWhenCanceled()
    {
        const BalanceProblem problem = layers(2000, 16, 200);
        test::CountingMonitor asked;
        const BalanceResult whole = balance(problem, {.steps = 3e8}, asked).value();
        QVERIFY(asked.reports() > 20);
        QVERIFY(asked.questions() > 20);
        test::CountingMonitor stopped(10);
        const BalanceResult result = balance(problem, {.steps = 3e8}, stopped).value();
        QVERIFY(!result.isComplete);
        QVERIFY(whole.isComplete);
        QVERIFY(stopped.questions() <= 11);
    }

    void tagsAProgram()
    {
        const BalancePlan plan = balanceProgram(m_program, options({3, 1, 1, 2})).value();
        QCOMPARE(plan.result.load, 4.0);
        QVERIFY(plan.result.isProven);
        QCOMPARE(stages(plan), QByteArray("0011"));
        QVERIFY(checkTags(m_program, plan.tags).isLegal());
    }

    void keepsNamedOpsTogether()
    {
        BalanceOptions wanted = options({3, 1, 1, 2});
        wanted.together = {{node("b"), node("c")}};
        const BalancePlan plan = balanceProgram(m_program, wanted).value();
        QCOMPARE(stages(plan), QByteArray("0111"));
        wanted.together = {{node("a"), node("b"), node("c")}, {node("c"), node("d")}};
        const Result<BalancePlan> refused = balanceProgram(m_program, wanted);
        QVERIFY(!refused);
        QCOMPARE(QString::fromStdString(refused.error().message),
                 QString("ops that stay together leave only 1 unit for 2 stages: \"c\" and \"d\" are in the last list"));
    }

    void refusesMoreStagesThanOps()
    {
        BalanceOptions wanted = options({1, 1, 1, 1});
        wanted.stages = 5;
        const Result<BalancePlan> refused = balanceProgram(m_program, wanted);
        QVERIFY(!refused);
        QCOMPARE(QString::fromStdString(refused.error().message), QString("5 stages are more than the model's 4 ops"));
    }

    void explainsAStage()
    {
        const BalancePlan plan = balanceProgram(m_program, options({3, 1, 1, 2})).value();
        QCOMPARE(whyInStage(m_program, plan, node("b")).size(), 1U);
        const BalanceMove move = moveInBalance(m_program, plan, node("b"), 1).value();
        QCOMPARE(move.largest, 4.0);
        QVERIFY(move.obstacle.empty());
        QCOMPARE(QString::fromStdString(moveInBalance(m_program, plan, node("a"), 1).value().obstacle),
                 QString("'b' in stage0 must run after 'a' in stage1"));
    }

    void measuresAnyTags()
    {
        BalanceOptions wanted = options({3, 1, 1, 2});
        wanted.stages = 3;
        const BalancePlan unsolved = unsolvedPlan(m_program, wanted).value();
        TagAssignment tags{.order = {intern("one"), intern("none"), intern("two")}};
        tags.tagOf.assign(m_program.rootGraph().idBound(), TagAssignment::kUntagged);
        tags.tagOf[node("a").index()] = 0;
        QCOMPARE(QString::fromStdString(cutLoads(unsolved, tags).error().message),
                 QString("loads need a tag on every op: 3 ops have none"));
        for (const char* name : {"b", "c", "d"})
            tags.tagOf[node(name).index()] = 2;
        const CutLoads cut = cutLoads(unsolved, tags).value();
        QCOMPARE(cut.tags, (std::vector<std::int32_t>{0, 2})); // an empty tag is no stage
        QCOMPARE(cut.result.loads[1].load, 4.0);
        QCOMPARE(cut.result.load, 4.0);
        const BalancePlan plan = planOfTags(m_program, unsolved, tags).value();
        QCOMPARE(whyInStage(m_program, plan, node("b")).size(), 1U);
        const std::string why = whyInStage(m_program, plan, node("b")).front();
        QVERIFY2(why.starts_with("In one: two 4 s → 3 s"), why.c_str());
        QVERIFY2(stageOfCall(m_program, plan, node("b")).starts_with("b is in two on device "), why.c_str());
        const std::vector<std::string> ofStage = whyStage(m_program, plan, 1);
        QCOMPARE(ofStage.size(), 2U);
        QVERIFY2(ofStage[0].ends_with(", limited by compute."), ofStage[0].c_str());
        QVERIFY2(ofStage[1].starts_with("With 'b' in one: two 4 s → 3 s"), ofStage[1].c_str());
        tags.order.push_back(intern("three"));
        tags.tagOf[node("d").index()] = 3;
        BalanceOptions two = options({3, 1, 1, 2});
        two.stages = 2;
        QVERIFY(!cutLoads(unsolvedPlan(m_program, two).value(), tags)); // three stages
    }

    void figuresOfACutHaveABoundAndAStep()
    {
        CutFiguresOptions wanted{.measured = options({3, 1, 1, 2}).measured, .step = BalanceStep{PipelineSchedule::gpipe, 2}};
        TagAssignment tags{.order = {intern("one"), intern("none"), intern("two")}};
        tags.tagOf.assign(m_program.rootGraph().idBound(), TagAssignment::kUntagged);
        tags.tagOf[node("a").index()] = tags.tagOf[node("b").index()] = tags.tagOf[node("c").index()] = 0;
        tags.tagOf[node("d").index()] = 2;
        const CutFigures figures = cutFigures(m_program, tags, wanted).value();
        QCOMPARE(figures.stages, (std::vector<std::string>{"one", "two"}));
        QCOMPARE(figures.loads->result.load, 5.0);
        QCOMPARE(figures.step->times.step, 36.0); // forward 5 + 5 + 2, backward 4 of the last micro-batch and 10 + 10
        const LoadBound bound = loadBound(m_program, 2, wanted).value();
        QCOMPARE(bound.bound, 4.0);
        QCOMPARE(describeQuality(5, bound), std::string("at most 25 % above optimal"));
        QCOMPARE(describeQuality(4, bound), std::string("optimal, proven"));
        QCOMPARE(describeQuality(3, bound), std::string("below the bound of legal cuts"));
        tags.tagOf[node("d").index()] = TagAssignment::kUntagged;
        const CutFigures untagged = cutFigures(m_program, tags, wanted).value();
        QVERIFY(!untagged.loads && !untagged.step);
        QVERIFY2(untagged.whyNoLoads.ends_with("1 op have none"), untagged.whyNoLoads.c_str());
    }

private:
    [[nodiscard]] NodeId node(const char* name) const
    {
        for (const NodeId id : m_program.rootGraph().nodes())
            if (m_program.rootGraph()[id].name.view() == name)
                return id;
        return {};
    }

    /// Two stages with these measured seconds and free transfers.
    [[nodiscard]] BalanceOptions options(const std::vector<double>& seconds) const
    {
        BalanceOptions made{.stages = 2};
        made.measured.sources = {"test"};
        made.measured.nodes.resize(m_program.rootGraph().idBound());
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            MeasuredNode& measured = made.measured.nodes[node(std::string(1, char('a' + i)).c_str()).index()];
            measured.seconds = seconds[i];
            measured.transferSeconds = 0;
        }
        return made;
    }

    [[nodiscard]] QByteArray stages(const BalancePlan& plan) const
    {
        QByteArray text;
        for (const char* name : {"a", "b", "c", "d"})
            text += char('0' + plan.tags[node(name)]);
        return text;
    }

    Program m_program = test::programFromText("x = placeholder()\n"
                                              "a = relu(x)\n"
                                              "b = relu(a)\n"
                                              "c = relu(b)\n"
                                              "d = relu(c)\n"
                                              "output(d)\n");
};

const test::Registered<BalanceTest> balanceTest("balance_test");
#include "balance_test.moc"
