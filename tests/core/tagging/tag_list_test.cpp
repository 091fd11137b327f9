#include "tagging/tag_list.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

#include <array>

using namespace sunder;

class TagListTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_program = std::make_unique<const Program>(test::programFromText("x = placeholder()\n"
                                                                          "a = relu(x)\n"
                                                                          "b = relu(a)\n"
                                                                          "c = add(a, b)\n"
                                                                          "output(c)\n"));
    }

    void reorderedTagsStayWithTheirNodes()
    {
        const TagAssignment after = reordered(tags({{"a", "q"}, {"b", "p"}}), std::array{1, 0, 2});
        QCOMPARE(after.order, (std::vector{intern("q"), intern("p"), intern("r")}));
        QCOMPARE(after[node("a")], 0);
        QCOMPARE(after[node("b")], 1);
        QCOMPARE(after[node("c")], -1);
    }

    void nodesOfATagThatIsTakenOutHaveNone()
    {
        const TagAssignment after = withoutTag(tags({{"a", "q"}, {"b", "p"}}), 0);
        QCOMPARE(after.order, (std::vector{intern("q"), intern("r")}));
        QCOMPARE(after[node("a")], 0);
        QCOMPARE(after[node("b")], -1);
    }

    void nodesOfAMergedTagGoOver()
    {
        const TagAssignment all = tags({{"a", "p"}, {"b", "q"}, {"c", "r"}});
        const TagAssignment back = mergedTags(all, 2, 0);
        QCOMPARE(back.order, (std::vector{intern("p"), intern("q")}));
        QCOMPARE(back[node("a")], 0);
        QCOMPARE(back[node("b")], 1);
        QCOMPARE(back[node("c")], 0);
        const TagAssignment on = mergedTags(all, 0, 2); // into a tag that moves up
        QCOMPARE(on.order, (std::vector{intern("q"), intern("r")}));
        QCOMPARE(on[node("a")], 1);
        QCOMPARE(on[node("b")], 0);
        QCOMPARE(on[node("c")], 1);
        QCOMPARE(on[node("x")], -1);
    }

    void aNameIsRefusedForAReason_data()
    {
        QTest::addColumn<int>("tag");
        QTest::addColumn<QString>("name");
        QTest::addColumn<TagNameFault>("fault");
        QTest::newRow("free") << 0 << "s" << TagNameFault::none;
        QTest::newRow("its own") << 0 << "p" << TagNameFault::none;
        QTest::newRow("of another") << 0 << "q" << TagNameFault::taken;
        QTest::newRow("taken, for a new one") << -1 << "q" << TagNameFault::taken;
        QTest::newRow("empty") << 0 << "" << TagNameFault::empty;
        QTest::newRow("with a dot") << 0 << "p.q" << TagNameFault::dot;
        QTest::newRow("an attribute of every module") << 0 << "forward" << TagNameFault::reserved;
        QTest::newRow("a method of every module") << -1 << "cuda" << TagNameFault::reserved;
        QTest::newRow("of two lines") << 0 << "p\nq" << TagNameFault::dot;
    }
    void aNameIsRefusedForAReason()
    {
        QFETCH(int, tag);
        QFETCH(QString, name);
        QFETCH(TagNameFault, fault);
        QCOMPARE(faultOfTagName(m_program->rootGraph(), tags({}), tag, name.toStdString()), fault);
    }

    void anOrderByNamesNamesEachOnce()
    {
        const auto ordered = [this](std::vector<std::string_view> names) { return tagOrderOf(tags({}), names); };
        QCOMPARE(*ordered({"r", "p", "q"}), (std::vector{2, 0, 1}));
        QCOMPARE(ordered({"r", "p"}).error().message, std::string("the order is missing the tag \"q\""));
        QCOMPARE(ordered({"r", "p", "r"}).error().message, std::string("duplicate tag \"r\" in the order"));
        QCOMPARE(ordered({"r", "p", "s"}).error().message, std::string("unknown tag \"s\" in the order"));
    }

    void aTopologicalOrderIsLegalAndMovesLittle()
    {
        QCOMPARE(*topologicalTagOrder(m_program->rootGraph(), tags({{"a", "r"}, {"b", "q"}, {"c", "q"}})),
                 (std::vector{0, 2, 1}));
        QCOMPARE(*topologicalTagOrder(m_program->rootGraph(), tags({{"a", "p"}, {"b", "q"}, {"c", "r"}})),
                 (std::vector{0, 1, 2}));
    }

    void aCircleOfTagsHasNoOrderAndIsNamed()
    {
        const auto order = topologicalTagOrder(m_program->rootGraph(), tags({{"a", "p"}, {"b", "r"}, {"c", "p"}}));
        QVERIFY(!order);
        QCOMPARE(order.error().message,
                 std::string("no order of the tags is legal, because they form a cycle: p feeds r feeds p"));
    }

private:
    NodeId node(const char* name) const { return m_program->rootGraph().find(intern(name)); }
    TagAssignment tags(const std::vector<std::pair<std::string, std::string>>& pairs) const
    {
        std::vector<TagPair> interned;
        for (const auto& [name, tag] : pairs)
            interned.emplace_back(intern(name), intern(tag));
        return assignTags(m_program->rootGraph(), {intern("p"), intern("q"), intern("r")}, interned);
    }

    std::unique_ptr<const Program> m_program;
};

const test::Registered<TagListTest> tagListTest("tag_list_test");
#include "tag_list_test.moc"
