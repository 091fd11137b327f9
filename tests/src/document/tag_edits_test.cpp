#include "document/tag_edits.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class TagEditsTest final : public QObject {
    Q_OBJECT
private slots:
    void aNewTagHasAFreeNameAndIsActive()
    {
        TagState state = m_state;
        state.tags.order[1] = intern("stage2");
        QCOMPARE(freeTagName(state), QString("stage3"));
        state = withTag(state, intern("stage3"), {.hue = 1});
        QCOMPARE(state.active, 2);
        QCOMPARE(state.traits.at(2).color.hue, 1U);
    }

    void aColorOfThePaletteSurvivesAFile()
    {
        for (const std::uint32_t hue : {0U, 3U, 7U}) {
            const TagColor chosen{.hue = hue, .isChosen = true};
            QCOMPARE(colorFromFile(colorForFile(chosen), 5), chosen);
        }
        const TagColor own{.hue = 2, .own = QColor("#123456")};
        QCOMPARE(colorFromFile(colorForFile(own), 2), own);
        // By position, even where palette colors repeat.
        for (const std::uint32_t hue : {2U, 9U})
            QCOMPARE(colorFromFile(colorForFile({.hue = hue}), hue), TagColor{.hue = hue});
    }

    void whatIsTakenOutLeavesItsNodesUntagged()
    {
        const TagState state = withoutTag(m_state, 0);
        QCOMPARE(state.tags.order, std::vector{intern("q")});
        QCOMPARE(state.tags.tagOf, (std::vector<std::int32_t>{-1, 0, -1}));
        QCOMPARE(state.traits, std::vector{m_state.traits[1]});
        QCOMPARE(state.active, 0);
        QCOMPARE(withoutTag(state, 0).active, -1);
    }

    void colorsNodesAndWhatIsActiveFollowTheirTags()
    {
        const TagState state = reordered(m_state, orderWithMoved(2, 0, 1));
        QCOMPARE(state.tags.order, (std::vector{intern("q"), intern("p")}));
        QCOMPARE(state.tags.tagOf, (std::vector<std::int32_t>{1, 0, -1}));
        QCOMPARE(state.traits[1], m_state.traits[0]);
        QCOMPARE(state.active, 0);
    }

    void aNewColorIsTheFirstThatIsFree()
    {
        QCOMPARE(freeColor(m_state).hue, 1U);
        QCOMPARE(freeColor(TagState()).hue, 0U);
        QCOMPARE(withName(m_state, 1, intern("back")).tags.order[1], intern("back"));
        QCOMPARE(withColor(m_state, 1, Qt::red).traits[1].color.own, QColor(Qt::red));
        QVERIFY(!withColor(withColor(m_state, 1, Qt::red), 1, {}).traits[1].color.own.isValid());
    }

    void onlyCallsWithAnotherTagChange()
    {
        const Snapshot snapshot(test::programFromText("x = placeholder()\na = relu(x)\nb = relu(a)\noutput(b)\n"));
        const std::vector<NodeId> order = snapshot.graph().order();
        TagState state{.tags = {.order = {intern("p")}, .tagOf = {-1, 0, -1, -1}}, .traits = {{}}, .active = 0};
        const std::array asked{order[2], order[0], order[2], order[1], NodeId()};
        QCOMPARE(retagging(state, snapshot, wantedOf(asked, 0)).changes, (std::vector{std::pair(order[2], std::int32_t{0})}));
        QCOMPARE(retagging(state, snapshot, wantedOf(asked, -1)).changes, (std::vector{std::pair(order[1], std::int32_t{-1})}));
    }

    void theNextUntaggedComesBehindAndThenFromTheFront()
    {
        const Snapshot snapshot(test::programFromText("x = placeholder()\na = relu(x)\nb = relu(a)\nc = relu(b)\noutput(c)\n"));
        const std::vector<NodeId> order = snapshot.graph().order();
        TagState state{.tags = {.order = {intern("p")}, .tagOf = {-1, -1, 0, -1, -1}}, .traits = {{}}, .active = 0};
        const std::vector<NodeId> reported{order[1], order[2], order[3]}; // b has been painted since
        QCOMPARE(nextUntagged(state, snapshot, reported, 1), order[3]);
        QCOMPARE(nextUntagged(state, snapshot, reported, 3), order[1]);
        QVERIFY(!nextUntagged(state, snapshot, {}, 0));
    }

    void aTagMovesToAnyPlace()
    {
        QCOMPARE(orderWithMoved(4, 0, 2), (std::vector{1, 2, 0, 3}));
        QCOMPARE(orderWithMoved(4, 3, 0), (std::vector{3, 0, 1, 2}));
        QCOMPARE(orderWithMoved(2, 1, 1), (std::vector{0, 1}));
    }

    void refusesNamesThatCannotNameAPart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("nothing") << "" << true;
        QTest::newRow("a dot") << "a.b" << true;
        QTest::newRow("a method of modules") << "forward" << true;
        QTest::newRow("two lines") << "a\nb" << true;
        QTest::newRow("another tag's") << "q" << true;
        QTest::newRow("its own") << "p" << false;
        QTest::newRow("a new one") << "front" << false;
    }
    void refusesNamesThatCannotNameAPart()
    {
        QFETCH(QString, name);
        QFETCH(bool, isRefused);
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "a = relu(x)\n"
                                                      "output(a)\n");
        QCOMPARE(!whyNotCalled(program.rootGraph(), m_state, 0, name).isEmpty(), isRefused);
    }

private:
    const TagState m_state{.tags = {.order = {intern("p"), intern("q")}, .tagOf = {0, 1, -1}},
                           .traits = {{.color = {.hue = 0}}, {.color = {.hue = 2}}},
                           .active = 1};
};

const test::Registered<TagEditsTest> tagEditsTest("tag_edits_test");
#include "tag_edits_test.moc"
