#include "layout/collapse/list_place.h"
#include "layout/picture/first_sight.h"
#include "layout/picture/item_text.h"
#include "layout/picture/picture_request.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;
using namespace sunder::test;

namespace {

using KeySet = std::set<std::string>;

/// A chain of elements of a list d with these classes, each of `ops` ops; "+" inserts a sum with x between two elements.
std::string listOf(const QStringList& classes, int ops = 1)
{
    QString text = "x = placeholder() : 4\n";
    QString last = "x";
    QString sums; // read outside as well, so that they stay outside the modules
    int element = 0;
    int op = 0;
    const auto add = [&](const QString& call, const QString& module) {
        text += QString("n%1 = %2 : 4%3\n").arg(op).arg(call, module);
        last = QString("n%1").arg(op++);
    };
    for (const QString& cls : classes) {
        if (cls == "+") {
            add(QString("add(%1, x)").arg(last), "");
            sums += ", " + last;
            continue;
        }
        for (int i = 0; i < ops; ++i) // all ops differ
            add(QString("%1_op(%2, %3)").arg(cls.toLower(), last).arg(op), QString(" @ d.%1 %2").arg(element).arg(cls));
        ++element;
    }
    return (text + QString("y = tanh(%1%2) : 4 @ head Head\noutput(y)\n").arg(last, sums)).toStdString();
}

FirstSight firstSightOf(const Program& program, Size room)
{
    Result<FirstSight> sight = firstSight(program, program.root, {.columns = {ColumnOptions::Setting::fit, room}},
                                          *makeLayeredEngine());
    if (!sight)
        throw std::runtime_error(sight.error().message);
    return std::move(*sight);
}

/// Two consecutive modules, "back" with eight members and "classifier" with six; each member has 20 ops.
std::string backboneAndClassifier()
{
    QString text = "x = placeholder() : 4\n";
    QString last = "x";
    int op = 0;
    const auto add = [&](const QString& outer, const QString& inner, const QString& cls) {
        for (int i = 0; i < 20; ++i) {
            text +=
                QString("n%1 = op(%2, %1) : 4 @ %3 > %4.%5 %6\n").arg(op).arg(last, outer, outer.section(' ', 0, 0), inner, cls);
            last = QString("n%1").arg(op++);
        }
    };
    for (const char* name : {"conv", "norm", "act", "pool", "first", "second", "third", "fourth"})
        add("back Back", name, "C");
    for (const char* name : {"in", "left", "right", "middle", "mean", "out"})
        add("classifier Classifier", name, "D");
    return (text + QString("output(%1)\n").arg(last)).toStdString();
}

const QStringList kThreeStages{"A", "A", "B", "A", "A", "B", "A", "A", "B", "A", "A"};

} // namespace

class GroupsTest final : public QObject {
    Q_OBJECT
private slots:
    void tellsWhereAModuleStandsInAList()
    {
        struct Row {
            const char *what, *path, *outer, *place;
        };
        for (const Row& row : {Row{"element", "down.3", "", "down.|3"}, Row{"in an element", "down.3.0", "", "down.|3"},
                               Row{"below a module", "net.2.down.3", "net.2", "net.2.down.|3"},
                               Row{"of a sequence itself", "net.2.3", "net.2", "net.2.|3"},
                               Row{"counted names", "trunk.block12", "trunk", "trunk.block|12"},
                               Row{"the element before the name", "h.3.conv1", "", "h.|3"}, Row{"a name", "head", "", ""},
                               Row{"not the module around", "layer3.head", "layer3", ""}, Row{"nothing", "", "", ""}}) {
            const auto found = collapse::listPlaceOf(row.path, row.outer);
            QString place;
            if (found)
                place = QString::fromStdString(std::string(found->list)) + "|"
                    + QString::fromStdString(std::string(found->number));
            QVERIFY2(place == row.place, row.what);
        }
    }

    void elementsThatDifferAreOneItemWhereThatIsWanted()
    {
        const Program program = programFromText(listOf({"A", "B", "C", "A"}));
        const Picture plain = pictureOf(program);
        QCOMPARE(plain.items.size(), std::size_t{7});
        const Picture picture = pictureOf(program, {.closed = {"d.0⋯d.2"}});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture),
                 QString("input | x\nd.0 … d.2 | 3 elements of A, B, C\nd.3 | A\nhead | Head\noutput | output\n"));
        const Item* group = itemTitled(picture, "d.0 … d.2");
        QCOMPARE(group->kind, ItemKind::run);
        QCOMPARE(group->key, std::string("d.0⋯d.2"));
        QCOMPARE(group->members, (std::vector<std::string>{"d.0", "d.1", "d.2"}));
        QCOMPARE(group->opCount, 3U);
        QCOMPARE(group->nodes.size(), std::size_t{3});
        QVERIFY(group->isGroup && group->canOpen);
    }

    void classesOfAGroupLeaveFromTheEndWhereThereIsNoRoom()
    {
        const auto width = [](std::string_view text, TextRole) { return static_cast<float>(text.size()); };
        const std::string text = "3 elements of Block, Conv";
        QCOMPARE(elideEnd(text, 25, TextRole::mono, width), text);
        QCOMPARE(elideEnd(text, 24, TextRole::mono, width), std::string("3 elements of Block…"));
        QCOMPARE(elideEnd(text, 21, TextRole::mono, width), std::string("3 elements of Bloc…"));
        QCOMPARE(elideEnd("é", 1, TextRole::mono, width), std::string("…"));
    }

    void aGroupOpensIntoItsMembersWithRunsFolded()
    {
        const Program program = programFromText(listOf({"A", "+", "A", "+", "A", "+", "B", "A"}));
        const KeySet key{"d.0⋯d.4"};
        const Picture folded = pictureOf(program, {.closed = key});
        QCOMPARE(faultsOf(program, folded), QString());
        QCOMPARE(outlineOf(folded), QString("input | x\nd.0 … d.4 | 5 elements of A, B\nhead | Head\noutput | output\n"));
        QCOMPARE(folded.items[1].opCount, 8U);
        for (const PictureOptions& options : {PictureOptions{.open = key}, PictureOptions{.open = key, .closed = key}}) {
            const Picture opened = pictureOf(program, options);
            QCOMPARE(faultsOf(program, opened), QString());
            QCOMPARE(outlineOf(opened),
                     QString("input | x\n- d.0 … d.4 | 5 elements of A, B\n  d.0 … d.2 | A ×3 of one kind\n"
                             "  d.3 | B\n  d.4 | A\nhead | Head\noutput | output\n"));
        }
        const Picture deep = pictureOf(program, {.openDeep = key});
        QCOMPARE(faultsOf(program, deep), QString());
        QVERIFY(itemTitled(deep, "d.3")->kind == ItemKind::frame);
        QVERIFY(itemTitled(deep, "test::b_op") != nullptr);
    }

    void opsBeforeALaterStageGoWithIt()
    {
        const Program program = programFromText(listOf({"A", "B", "+", "A", "B"}));
        const Picture picture = pictureOf(program, {.closed = {"d.0⋯d.1", "d.2⋯d.3"}});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture),
                 QString("input | x\nd.0 … d.1 | 2 elements of A, B\nd.2 … d.3 | 2 elements of A, B\n"
                         "head | Head\noutput | output\n"));
        QCOMPARE(picture.items[2].opCount, 3U);
    }

    void anyNeighborsMayBeAGroupWhateverReadsPastThem()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 6; ++round) {
            std::string text = "x = placeholder() : 4\n";
            for (int i = 0; i < 10; ++i) {
                const std::string n = std::to_string(i);
                const std::string one = i == 0 ? "x" : "n" + std::to_string(random() % static_cast<unsigned>(i));
                const std::string other = i == 0 ? "x" : "n" + std::to_string(i - 1);
                const bool isBetween = random() % 4 == 0;
                text += QString("n%1 = op(%2, %3) : 4%4\n")
                            .arg(n.c_str(), one.c_str(), other.c_str(),
                                 isBetween ? "" : QString(" @ d.%1 C%2").arg(i).arg(random() % 3))
                            .toStdString();
            }
            const Program program = programFromText(text + "output(n9)\n");
            for (int first = 0; first < 10; ++first) {
                for (int last = first + 1; last < 10; ++last) {
                    const KeySet key{"d." + std::to_string(first) + "⋯d." + std::to_string(last)};
                    QCOMPARE(faultsOf(program, pictureOf(program, {.closed = key})), QString());
                    QCOMPARE(faultsOf(program, pictureOf(program, {.open = key})), QString());
                }
            }
        }
    }

    void withinAModuleItsNameIsNoPartOfTheTitle()
    {
        std::string text = "x = placeholder() : 4\n";
        for (int i = 0; i < 4; ++i)
            text += QString("n%1 = op(%2) : 4 @ net.1 Net > net.1.d.%1 C%1\n")
                        .arg(i)
                        .arg(i == 0 ? "x" : QString("n%1").arg(i - 1))
                        .toStdString();
        const Program program = programFromText(text + "output(n3)\n");
        const Picture picture = pictureOf(program, {.closed = {"net.1.d.0⋯net.1.d.2"}, .within = "net.1"});
        QCOMPARE(faultsOf(program, picture), QString());
        QVERIFY2(itemTitled(picture, "d.0 … d.2") != nullptr, qPrintable(outlineOf(picture)));
    }

    void keysOfNoGroupDoNoHarm()
    {
        const Program program = programFromText(listOf({"A", "B", "C"}));
        const QString plain = outlineOf(pictureOf(program));
        for (const char* key : {"d.2⋯d.0", "d.0⋯d.0", "⋯", "d.0⋯", "⋯d.2", "d.0⋯other", "d.0⋯d.1⋯d.2"})
            QCOMPARE(outlineOf(pictureOf(program, {.closed = {key}})), plain);
        const Picture overlapping = pictureOf(program, {.closed = {"d.0⋯d.1", "d.1⋯d.2"}});
        QCOMPARE(faultsOf(program, overlapping), QString());
        QVERIFY(itemTitled(overlapping, "d.0 … d.1") && itemTitled(overlapping, "d.2"));
    }

    void whatIsInAGroupIsShownByOpeningIt()
    {
        const Program program = programFromText(listOf({"A", "B", "C", "A"}, 2));
        const NodeId node = program.rootGraph().find(intern("n3"));
        const KeySet keys = keysThatShow(program, program.root, node, {.closed = {"d.0⋯d.3"}});
        QCOMPARE(keys, (KeySet{"d.0⋯d.3", "d.1"}));
        OpenModules open{.closed = {"d.0⋯d.3"}};
        for (const std::string& key : keys)
            open.openOne(key);
        QCOMPARE(open.closed, KeySet{});
        open.close("d.0⋯d.3");
        QCOMPARE(open.closed, KeySet{"d.0⋯d.3"});
        open.closeAll();
        QCOMPARE(open, (OpenModules{.closed = {"d.0⋯d.3"}}));
    }

    void aListThatDoesNotFitIsFoldedByStages()
    {
        const Program program = programFromText(listOf(kThreeStages, 30));
        QCOMPARE(firstSightOf(program, {1108, 900}).closed, KeySet{});
        const FirstSight sight = firstSightOf(program, {220, 390});
        QCOMPARE(sight.closed, (KeySet{"d.0⋯d.2", "d.3⋯d.5", "d.6⋯d.8", "d.9⋯d.10"}));
        QCOMPARE(faultsOf(program, sight.picture), QString());
        QVERIFY(itemTitled(sight.picture, "d.0 … d.2") && itemTitled(sight.picture, "d.9 … d.10"));
    }

    void whereStagesDoNotFitTheListIsFoldedAsAWhole()
    {
        const Program program = programFromText(listOf(kThreeStages, 30));
        const FirstSight sight = firstSightOf(program, {220, 260});
        QCOMPARE(sight.closed, KeySet{"d.0⋯d.10"});
        QVERIFY(sight.picture.size.height * kReadableZoom <= 260);
    }

    void aStageMayBeginWithWhatPartsTheList()
    {
        const Program program = programFromText(listOf({"B", "A", "A", "B", "A", "A", "B", "A", "A"}, 30));
        QCOMPARE(firstSightOf(program, {320, 400}).closed, (KeySet{"d.0⋯d.2", "d.3⋯d.5", "d.6⋯d.8"}));
    }

    void aListThatIsPartedOnlyOnceHasNoStages()
    {
        const Program program = programFromText(listOf({"A", "B", "A"}, 30));
        for (const float height : {200.F, 240.F, 280.F, 320.F, 360.F}) {
            const FirstSight sight = firstSightOf(program, {220, height});
            QVERIFY(sight.closed.empty() || sight.closed == KeySet{"d.0⋯d.2"});
        }
    }

    void stagesOpenAgainWhereThereIsRoomForThose()
    {
        std::string text = listOf(kThreeStages, 30);
        text = text.substr(0, text.find("y = tanh"));
        text += "t = op(n329) : 4 @ u.0 T\nu = op(t) : 4 @ u.1 U\nv = op(u) : 4 @ u.2 T\nw = op(v) : 4 @ u.3 U\noutput(w)\n";
        const Program program = programFromText(text);
        std::size_t most = 0;
        for (const float height : {360.F, 480.F, 600.F, 720.F, 840.F}) {
            const FirstSight sight = firstSightOf(program, {340, height});
            QCOMPARE(faultsOf(program, sight.picture), QString());
            QVERIFY(sight.closed.empty() || sight.picture.size.height * kReadableZoom <= height);
            for (const std::string& key : sight.open)
                QVERIFY(!sight.closed.contains(key));
            most = std::max(most, sight.open.size());
        }
        QVERIFY(most > 0);
    }

    void ofSeveralModulesTheSmallerStayClosedWhereAllDoNotFit()
    {
        const Program program = programFromText(backboneAndClassifier());
        QCOMPARE(firstSightOf(program, {900, 900}).open, (KeySet{"back", "classifier"}));
        QCOMPARE(firstSightOf(program, {260, 720}).open, KeySet{"back"});
    }

    void theListThatIsAllOfAnOpenModuleIsNoGroup()
    {
        std::string text = "x = placeholder() : 4\n";
        for (int i = 0; i < 24; ++i) {
            const std::string before = i == 0 ? "x" : "n" + std::to_string(i - 1);
            text += QString("n%1 = op(%2, %1) : 4 @ m M > m.%1 C%1\n").arg(i).arg(before.c_str()).toStdString();
        }
        const Program program = programFromText(text + "output(n23)\n");
        for (const Size room : {Size{300, 300}, Size{600, 400}, Size{900, 900}})
            QCOMPARE(firstSightOf(program, room).closed, KeySet{});
    }
};

const test::Registered<GroupsTest> groupsTest("groups_test");
#include "groups_test.moc"
