#pragma once

#include "../../core/passes/module_program.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "window_fixture.h"

namespace sunder::test {

/// Two layers with one parameter each, and a module `act` in the first one, called twice.
inline Program layered()
{
    ModuleProgram made;
    const NodeId w0 = made.parameter("p_layers_0_weight", "layers.0.weight");
    const NodeId w1 = made.parameter("p_layers_1_weight", "layers.1.weight");
    const NodeId x = made.input("x");
    const NodeId a = made.call("mul_0", "mul.Tensor", {x, w0}, {"layers.0"});
    const NodeId b = made.call("relu_0", "relu.default", {a}, {"layers.0", "layers.0.act"});
    const NodeId c = made.call("relu_1", "relu.default", {b}, {"layers.0", "layers.0.act@1"});
    const NodeId d = made.call("mul_1", "mul.Tensor", {c, w1}, {"layers.1"});
    const NodeId e = made.call("sin_0", "sin.default", {d}, {});
    return made.finish({e});
}

/// The window with its Hierarchy pane.
class HierarchyFixture : public WindowFixture {
protected:
    void prepareLayered()
    {
        prepare();
        m_model = m_folder.filePath("layered.fxj");
        QVERIFY(writeFxJson(layered(), m_model.toStdString()).has_value());
    }

    HierarchyPane& pane() { return widget<HierarchyPane>(); }
    HierarchyModel& model() { return pane().modules().model(); }
    const Program& program() { return document().runs().shown<UnflattenOutcomePtr>()->result.program; }

    void unflatten()
    {
        openModel();
        actions().pass("unflatten")->trigger();
        QTRY_VERIFY(document().runs().shown<UnflattenOutcomePtr>() != nullptr);
        QVERIFY(pane().isVisible());
        waitForPicture();
    }

    void waitForPicture()
    {
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        settle();
    }

    /// The call of the module at this path in the visible graph.
    NodeId callIn(const char* path)
    {
        const Graph& graph = program().graph(pane().graph().graphId());
        for (const NodeId id : graph.nodes())
            if (graph[id].op == Op::callModule && graph[id].target == intern(path))
                return id;
        return {};
    }

    QModelIndex find(const char* path)
    {
        const ModuleId module = program().modules.find(intern(path));
        return module ? model().indexOf(model().tree()->entryOf[module.index()]) : QModelIndex();
    }

    void choose(const char* path) { choose(find(path)); }

    void choose(const QModelIndex& index)
    {
        QVERIFY(index.isValid());
        for (QModelIndex at = index.parent(); at.isValid(); at = at.parent())
            pane().modules().tree().expand(at);
        pane().modules().tree().scrollTo(index);
        QTest::mouseClick(pane().modules().tree().viewport(), Qt::LeftButton, {},
                          pane().modules().tree().visualRect(index).center());
    }

    /// Opens a case of tests/cases/unflatten instead of the small model.
    void unflattenCase(const char* name)
    {
        const QString before = std::exchange(m_model, QStringLiteral(SUNDER_CASES "/unflatten/%1/input.fxj").arg(name));
        unflatten();
        m_model = before;
    }
};

} // namespace sunder::test
