#include "compare_programs.h"
#include "ir/lint.h"
#include "module_program.h"
#include "passes/unflatten/unflatten.h"
#include "test_case.h"
#include "verify/verify.h"

#include <QTest>

#include <map>
#include <random>

using namespace sunder;
using test::ModuleProgram;

namespace {

/// A random program over a small tree of modules. Modules call their children several times; any node may use any earlier value,
/// parameter, or buffer; a buffer may be mutated.
class RandomModules {
public:
    explicit RandomModules(unsigned seed) : m_random(seed) {}

    Program make(int calls)
    {
        for (const char* path : {"a", "a.b", "a.b.c", "d", "d.e"}) {
            const std::string name(path);
            std::string flat = name;
            std::replace(flat.begin(), flat.end(), '.', '_');
            m_values.push_back(m_made.parameter("p_" + flat + "_w", name + ".w"));
            m_buffers.emplace_back(name + ".k", m_made.buffer("b_" + flat + "_k", name + ".k"));
            m_values.push_back(m_buffers.back().second);
        }
        m_values.push_back(m_made.input("x"));
        m_values.push_back(m_made.input("y"));
        for (int i = 0; i < calls; ++i)
            enter({}, "");
        std::vector<std::pair<std::string, NodeId>> mutations;
        for (const auto& [fqn, node] : m_buffers)
            if (m_random() % 4 == 0)
                mutations.emplace_back(fqn, lastOp());
        return m_made.finish({lastOp(), m_values[m_values.size() - 2]}, mutations);
    }

private:
    NodeId lastOp()
    {
        m_values.push_back(m_made.call(nextName(), "relu.default", {m_values.back()}, {}));
        return m_values.back();
    }

    std::string nextName() { return "n" + std::to_string(m_names++); }

    void enter(std::vector<std::string> stack, const std::string& path)
    {
        const std::map<std::string, std::vector<std::string>> below = {
            {"", {"a", "d", "a.b"}}, {"a", {"a.b", "a.b.c"}}, {"a.b", {"a.b.c"}}, {"d", {"d.e"}}};
        for (unsigned i = 0; i < 1 + m_random() % 2; ++i)
            op(stack);
        const auto children = below.find(path);
        if (children == below.end() || stack.size() > 3)
            return;
        for (unsigned i = 0; i < m_random() % 3; ++i) {
            const std::string& child = children->second[m_random() % children->second.size()];
            const int call = m_calls[child]++;
            std::vector<std::string> inner = stack;
            inner.push_back(call == 0 ? child : child + "@" + std::to_string(call));
            enter(inner, child);
            op(stack);
        }
    }

    void op(const std::vector<std::string>& stack)
    {
        const auto pick = [&] {
            const std::size_t recent = std::min<std::size_t>(4, m_values.size());
            return m_random() % 3 == 0 ? m_values[m_random() % m_values.size()]
                                       : m_values[m_values.size() - 1 - m_random() % recent];
        };
        const char* const binary[] = {"add.Tensor", "mul.Tensor", "sub.Tensor"};
        m_values.push_back(m_random() % 3 == 0 ? m_made.call(nextName(), "relu.default", {pick()}, stack)
                                               : m_made.call(nextName(), binary[m_random() % 3], {pick(), pick()}, stack));
    }

    std::mt19937 m_random;
    ModuleProgram m_made;
    std::vector<NodeId> m_values;
    std::vector<std::pair<std::string, NodeId>> m_buffers;
    std::map<std::string, int> m_calls;
    int m_names = 0;
};

} // namespace

class UnflattenPropertyTest final : public QObject {
    Q_OBJECT
private slots:
    void unflattensRandomProgramsIntoTheSameThing()
    {
        for (unsigned seed = 0; seed < 150; ++seed) {
            const Program source = RandomModules(seed).make(2 + static_cast<int>(seed % 12));
            const Result<UnflattenResult> result = unflatten(source);
            QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
            const Diagnostics faults = lint(result->program);
            QVERIFY2(faults.empty(), faults.empty() ? "" : faults.front().message.c_str());
            const VerifyReport report = *verifyResult(source, result->program);
            QVERIFY2(report.verdict == Verdict::same, ("seed " + std::to_string(seed) + ": " + report.why).c_str());
        }
    }

    void givesTheSameProgramEveryTime()
    {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const Program source = RandomModules(seed).make(8);
            QVERIFY(test::differences(unflatten(source)->program, unflatten(source)->program).empty());
        }
    }

    void mapsEveryNodeThatIsNotDead()
    {
        for (unsigned seed = 0; seed < 40; ++seed) {
            const Program source = RandomModules(seed).make(6);
            const UnflattenResult result = *unflatten(source);
            const Graph& graph = source.rootGraph();
            std::vector<char> live(graph.idBound());
            for (NodeId id = graph.last(); id; id = graph.previous(id)) {
                if (graph.node(id).op != Op::output && live[id.index()] == 0)
                    continue;
                for (const NodeId input : graph.inputs(id))
                    live[input.index()] = 1;
                if (graph.node(id).isCall())
                    QVERIFY(!result.map.resultsOf({source.root, id}).empty());
            }
        }
    }
};

const test::Registered<UnflattenPropertyTest> unflattenPropertyTest("unflatten_property_test");
#include "unflatten_property_test.moc"
