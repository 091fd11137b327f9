#include "passes/unflatten/module_places.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// Graphs that nodes refer to.
class CarriedGraphsTest final : public QObject {
    Q_OBJECT

private:
    [[nodiscard]] static Program withBranch()
    {
        Program program = test::twoModules();
        program.modules.ensure("true_graph_0");
        return program;
    }

private slots:
    void aGraphIsAChildOfItsReaders()
    {
        Outlining cut(withBranch());
        CarriedGraphs carried(cut.draft);
        cut.open("a");
        const ObjectId a = cut.draft.frames[1].object;
        carried.noteRead(a, intern("true_graph_0"));
        carried.noteRead(ModuleObjects::root(), intern("true_graph_0"));
        carried.add();
        ModuleObjects& objects = cut.draft.outline.objects;
        const ObjectId child = objects.table(a).find(intern("true_graph_0"));
        QVERIFY(child.isValid());
        QCOMPARE(objects[child].kind, ModuleObject::Kind::carried);
        QCOMPARE(objects[child].carried.str(), "true_graph_0");
        QCOMPARE(objects.table(ModuleObjects::root()).find(intern("true_graph_0")), child);
    }

    void otherThingsAreLeftOut()
    {
        Outlining cut(withBranch());
        CarriedGraphs carried(cut.draft);
        const std::size_t before = cut.draft.outline.objects.size();
        carried.noteRead(ModuleObjects::root(), intern("a.b.weight"));
        carried.noteRead(ModuleObjects::root(), intern("nowhere"));
        carried.add();
        QCOMPARE(cut.draft.outline.objects.size(), before);
    }
};

const test::Registered<CarriedGraphsTest> carriedGraphsTest("carried_graphs_test");
#include "carried_graphs_test.moc"
