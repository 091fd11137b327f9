#include "ir/module_tree.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

std::string paths(const ModuleTree& tree)
{
    std::string text;
    for (const ModuleId id : tree.depthFirst())
        text += (text.empty() ? "" : " ") + (tree[id].path.empty() ? std::string("/") : tree[id].path.str());
    return text;
}

} // namespace

class ModuleTreeTest final : public QObject {
    Q_OBJECT
private slots:
    void keepsChildrenInTheOrderOfRegistration()
    {
        ModuleTree tree;
        for (const char* path : {"b", "a.x", "b.y", "a.w"})
            tree.ensure(path);
        QCOMPARE(paths(tree), std::string("/ b b.y a a.x a.w"));
        QCOMPARE(tree.ensure("a.x"), tree.find(intern("a.x")));
        QVERIFY(!tree.find(intern("a.z")));
    }

    void marksHoldersThatNobodyNamed()
    {
        ModuleTree tree;
        tree.ensure("a.b.c");
        QVERIFY(tree[tree.find(intern("a"))].implied);
        QVERIFY(tree[tree.find(intern("a.b"))].implied);
        QVERIFY(!tree[tree.find(intern("a.b.c"))].implied);
    }

    void followsAliasesOnTheWayAndAtTheEnd()
    {
        ModuleTree tree;
        const ModuleId weight = tree.ensure("a.w");
        const ModuleId alias = tree.ensure("b");
        tree[alias].same = tree.find(intern("a"));
        const ModuleId deep = tree.ensure("c.d");
        tree[deep].same = alias;
        QCOMPARE(tree.resolve("b.w"), weight);
        QCOMPARE(tree.resolve("c.d.w"), weight);
        QCOMPARE(tree.object(deep), tree.find(intern("a")));
        QVERIFY(!tree.resolve("b.z"));
        QCOMPARE(tree.resolve(""), ModuleTree::root());
    }

    void comesBackFromARingOfAliases()
    {
        ModuleTree tree;
        const ModuleId a = tree.ensure("a");
        const ModuleId b = tree.ensure("b");
        tree[a].same = b;
        tree[b].same = a;
        QVERIFY(tree.object(a));
        QVERIFY(!tree.resolve("a.x"));
    }

    void joinsPaths()
    {
        QCOMPARE(joinPath("a", "b"), std::string("a.b"));
        QCOMPARE(joinPath("", "b"), std::string("b"));
        QCOMPARE(joinPath("a", ""), std::string("a"));
    }
};

const test::Registered<ModuleTreeTest> moduleTreeTest("module_tree_test");
#include "module_tree_test.moc"
