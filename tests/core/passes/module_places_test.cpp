#include "passes/unflatten/module_places.h"

#include "outlining.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using test::Outlining;

/// Positions of called modules.
class ModulePlacesTest final : public QObject {
    Q_OBJECT

private:
    [[nodiscard]] static ObjectId at(Outlining& cut, std::string_view path)
    {
        return cut.draft.outline.objects.find(ModuleObjects::root(), path);
    }

private slots:
    void modulesOnTheWayAreMade()
    {
        Outlining cut(test::twoModules());
        const ObjectId placed = cut.places.place(intern("a.b.c"), intern("a.b.c"));
        QCOMPARE(at(cut, "a.b.c"), placed);
        QVERIFY(at(cut, "a.b").isValid());
        QVERIFY(at(cut, "a.b") != placed);
    }

    void aModuleOnTheWayIsTheOneThatIsCalledLater()
    {
        Outlining cut(test::twoModules());
        cut.places.place(intern("a.b"), intern("a.b"));
        const ObjectId between = at(cut, "a");
        QCOMPARE(cut.places.place(intern("a"), intern("a")), between);
        QVERIFY(at(cut, "a.b").isValid());
    }

    void callsOfOneModuleShareItsChildren()
    {
        Outlining cut(test::twoModules());
        cut.open("a");
        cut.open("a.b");
        cut.calls.close();
        cut.calls.close();
        cut.open("a", 1);
        QCOMPARE(cut.draft.outline.calls.back().first, 0U);
        QVERIFY(cut.draft.outline.hasRepeats);
        QCOMPARE(at(cut, "a@1.b"), at(cut, "a.b"));
        QVERIFY(at(cut, "a@1") != at(cut, "a"));
    }

    void anEarlierCallMovesAsideForALaterOne()
    {
        Outlining cut(test::twoModules());
        cut.open("a");
        const ObjectId earlier = cut.draft.outline.calls[0].object;
        cut.calls.close();
        cut.open("a");
        QCOMPARE(at(cut, "a"), cut.draft.outline.calls[1].object);
        QCOMPARE(at(cut, "a@1"), earlier);
        QCOMPARE(cut.draft.outline.calls[0].name.str(), "a@1");
        QCOMPARE(cut.draft.outline.calls[0].displacedFrom.str(), "a");
        QCOMPARE(cut.in(0, cut.draft.outline.calls[0].node).target.str(), "a@1");
    }

    void asUpstreamTheLaterCallTakesThePlace()
    {
        Outlining cut(test::twoModules(), {.asUpstream = true});
        cut.open("a");
        cut.calls.close();
        cut.open("a");
        QCOMPARE(at(cut, "a"), cut.draft.outline.calls[1].object);
        QVERIFY(!at(cut, "a@1").isValid());
    }
};

const test::Registered<ModulePlacesTest> modulePlacesTest("module_places_test");
#include "module_places_test.moc"
