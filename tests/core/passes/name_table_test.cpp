#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_tables.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <algorithm>

using namespace sunder;

/// Names of the same things in the source and in the cut.
class NameTableTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        Program program = test::programFromText("x = placeholder() : 4\n"
                                                "a = add(x, 1) : 4\n"
                                                "m = call_module[act](a) : 4\n"
                                                "b = relu(m) : 4\n"
                                                "output(b)\n");
        program.modules.ensure("act");
        m_source = std::move(program);
        const Graph& graph = m_source.rootGraph();
        TagAssignment tags{.order = {intern("front"), intern("back")}, .tagOf = {}};
        tags.tagOf.assign(graph.idBound(), TagAssignment::kUntagged);
        for (const auto& [name, part] : {std::pair("a", 0), std::pair("m", 1), std::pair("b", 1)})
            tags.tagOf[graph.find(intern(name)).index()] = part;
        Result<SplitResult> made = splitByTags(m_source, tags);
        QVERIFY2(made.has_value(), made ? "" : describe(made.error()).c_str());
        m_cut = std::move(*made);
        const auto table = makeNameTable(m_source, m_cut, ProgressMonitor::none());
        QVERIFY(table.has_value());
        m_rows = *table;
    }

    void pathsAreThoseThatThePartsRead()
    {
        const NameRow* module = rowOf(NameKind::module, "act");
        QVERIFY(module != nullptr);
        QCOMPARE(module->result, intern("back.act"));
        QCOMPARE(module->part, 1);
        QVERIFY(module->node.node.isValid()); // its call
        QCOMPARE(m_cut.program.node(module->node).op, Op::callModule);
    }

    void opsSayInWhichPartTheyAre()
    {
        const NameRow* op = rowOf(NameKind::op, "b");
        QVERIFY(op != nullptr);
        QCOMPARE(op->part, 1);
        QCOMPARE(rowOf(NameKind::op, "a")->part, 0);
        QCOMPARE(m_cut.program.node(op->node).name, op->result);
    }

    void inputsAndWhatTheCutMadeAreToldFromOps()
    {
        QVERIFY(rowOf(NameKind::input, "x") != nullptr);
        QVERIFY(rowOf(NameKind::op, "x") == nullptr);
        QVERIFY(std::ranges::any_of(*m_rows, [](const NameRow& row) { return row.kind == NameKind::boundary; }));
    }

    void endsWhenItIsCancelled()
    {
        class Cancelled final : public ProgressMonitor {
        public:
            void report(double, std::string_view) override {}
            [[nodiscard]] bool isCancelled() const override { return true; }
        } monitor;
        const auto table = makeNameTable(m_source, m_cut, monitor);
        QVERIFY(!table.has_value());
        QCOMPARE(table.error().code, ErrorCode::cancelled);
    }

private:
    const NameRow* rowOf(NameKind kind, const char* source) const
    {
        const auto at = std::ranges::find_if(
            *m_rows, [&](const NameRow& row) { return row.kind == kind && row.source == intern(source); });
        return at == m_rows->end() ? nullptr : &*at;
    }

    Program m_source;
    SplitResult m_cut;
    std::shared_ptr<const NameTable> m_rows;
};

const test::Registered<NameTableTest> nameTableTest("name_table_test");
#include "name_table_test.moc"
