#include "layout/collapse/run_folding.h"

#include "layout/picture/item_text.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Runs among siblings given as "path" or "path structure" ("-" for a plain unit), as "first-last" positions.
QStringList runsAmong(const QStringList& texts)
{
    std::vector<std::string> paths;
    std::vector<std::uint64_t> structures;
    for (const QString& text : texts) {
        paths.push_back(text.section(' ', 0, 0).toStdString());
        structures.push_back(text.section(' ', 1).toULongLong());
    }
    std::vector<collapse::Sibling> siblings(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (paths[i] != "-")
            siblings[i] = {0, paths[i], 0, intern("C")};
    }
    QStringList found;
    for (const collapse::Run& run : collapse::findRuns(siblings, [&](collapse::Index i) { return structures[i]; }))
        found << QString("%1-%2").arg(run.front()).arg(run.back());
    return found;
}

/// Modules l.0 …, each followed by `gap`, in a chain or in parallel.
std::string modules(int count, bool isChain, const std::string& gap)
{
    std::string text = "x = placeholder() : 4\n";
    std::string last = "x";
    std::string all;
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text += "m" + n + " = op(" + (isChain ? last : "x") + ") : 4 @ l." + n + " L\n";
        if (gap.empty())
            last = "m" + n;
        else
            text += "g" + n + " = " + gap + "(" + last + ", m" + n + ") : 4\n", last = "g" + n;
        all += (i ? ", m" : "m") + n;
    }
    return text + "output(" + (gap.empty() && !isChain ? all : last) + ")\n";
}

/// A list s of lists of two modules in a chain. A non-empty argument is passed to the first module; an op that also reads x then
/// precedes each list.
std::string lists(const std::vector<std::string>& arguments)
{
    QString text = "x = placeholder() : 4\n";
    QString last = "x";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const QString argument = QString::fromStdString(arguments[i]);
        if (!argument.isEmpty())
            text += QString("c%1 = cat(%2, x) : 4\n").arg(i).arg(last);
        text += QString("r%1 = op(%2) : 4 @ s.%1.0 R\n")
                    .arg(i)
                    .arg(argument.isEmpty() ? last : QString("c%1, %2").arg(i).arg(argument));
        text += QString("a%1 = op(r%1) : 4 @ s.%1.1 A\n").arg(i);
        last = QString("a%1").arg(i);
    }
    return (text + QString("output(%1)\n").arg(last)).toStdString();
}

} // namespace

class FoldTest final : public QObject {
    Q_OBJECT
private slots:
    void findsRuns_data()
    {
        QTest::addColumn<QStringList>("siblings");
        QTest::addColumn<QStringList>("runs");
        QTest::newRow("three") << QStringList{"l.0", "l.1", "l.2"} << QStringList{"0-2"};
        QTest::newRow("two are not enough") << QStringList{"l.0", "l.1"} << QStringList{};
        QTest::newRow("from one digit to two") << QStringList{"l.8", "l.9", "l.10", "l.11"} << QStringList{"0-3"};
        QTest::newRow("numbers within words") << QStringList{"block1", "block2", "block3"} << QStringList{"0-2"};
        QTest::newRow("a number in the middle") << QStringList{"h.0.attn", "h.1.attn", "h.2.attn"} << QStringList{"0-2"};
        QTest::newRow("names are not numbers") << QStringList{"q", "k", "v"} << QStringList{};
        QTest::newRow("downwards is no run") << QStringList{"l.2", "l.1", "l.0"} << QStringList{};
        QTest::newRow("plain units between") << QStringList{"l.0", "-", "l.1", "-", "l.2"} << QStringList{"0-4"};
        QTest::newRow("another module between") << QStringList{"l.0", "l.1", "n", "l.2"} << QStringList{};
        QTest::newRow("another structure") << QStringList{"l.0 1", "l.1 1", "l.2 1", "l.3 2", "l.4 2", "l.5 2"}
                                           << QStringList{"0-2", "3-5"};
        QTest::newRow("another number counts")
            << QStringList{"b.0.0", "b.0.1", "b.0.2", "b.1.0", "b.1.1", "b.1.2"} << QStringList{"0-2", "3-5"};
        QTest::newRow("a different first") << QStringList{"l.0 7", "l.1", "l.2", "l.3"} << QStringList{"1-3"};
    }
    void findsRuns()
    {
        QFETCH(QStringList, siblings);
        QFETCH(QStringList, runs);
        QCOMPARE(runsAmong(siblings), runs);
    }

    void foldsWhatStandsSideBySide()
    {
        const Program program = programFromText(modules(5, false, ""));
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(itemTitled(picture, "l.0 … l.4")->subtitle, std::string("L ×5 parallel"));
    }

    void foldsParallelModulesWithTheSumsThatCollectThem()
    {
        const Program program = programFromText(modules(4, false, "add"));
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture), QString("input | x\nl.0 … l.3 | L ×4 parallel of one kind\noutput | output\n"));
    }

    void foldsExpertsWithWhatChoosesAndWeighsThem()
    {
        QString text = "x = placeholder() : 4\nw = softmax(x) : 4\nsum = zeros(x) : 4\n";
        QString last = "sum";
        for (int i = 0; i < 5; ++i) {
            text += QString("p%1 = pick(w, %1) : 4\nm%1 = op(x) : 4 @ l.%1 L\nt%1 = mul(m%1, p%1) : 4\ns%1 = add(%2, t%1) : 4\n")
                        .arg(i)
                        .arg(last);
            last = QString("s%1").arg(i);
        }
        const Program program = programFromText((text + QString("y = tanh(%1) : 4\noutput(y)\n").arg(last)).toStdString());
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        const Item* run = itemTitled(picture, "l.0 … l.4");
        QVERIFY(run != nullptr);
        QCOMPARE(run->subtitle, std::string("L ×5 parallel of one kind"));
        QCOMPARE(run->opCount, 20U);
        QCOMPARE(picture.items.size(), std::size_t{6}); // input, softmax, zeros, run, tanh, output
        const Picture opened = pictureOf(program, {.open = {"l.0…l.4"}});
        QCOMPARE(faultsOf(program, opened), QString());
    }

    void takesInWhatStandsBetweenTheMembersOfAChain()
    {
        const Program program = programFromText(modules(5, true, "add"));
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture), QString("input | x\nl.0 … l.4 | L ×5\noutput | output\n"));
        QCOMPARE(picture.items[1].opCount, 10U);
        const Picture opened = pictureOf(program, {.open = {"l.0…l.4", "l.2"}});
        QCOMPARE(faultsOf(program, opened), QString());
        const Picture divided = pictureOf(program, {.open = {"l.4"}});
        QCOMPARE(faultsOf(program, divided), QString());
        QVERIFY(itemTitled(divided, "l.0 … l.3"));
    }

    void tellsEqualMembersFromThoseOfOneKind()
    {
        const char* equal = "x = placeholder() : 4\na = op(x, 1) : 4 @ l.0 L\nb = op(a, 1) : 4 @ l.1 L\n"
                            "c = op(b, 1) : 4 @ l.2 L\noutput(c)\n";
        const auto run = [&](const char* third) {
            const QString text = QString(equal).replace("op(b, 1) : 4", third);
            const Picture picture = pictureOf(programFromText(text.toStdString()));
            const Item* item = itemTitled(picture, "l.0 … l.2");
            return item == nullptr ? std::string() : item->subtitle;
        };
        QCOMPARE(run("op(b, 1) : 4"), std::string("L ×3"));
        QCOMPARE(run("op(b, 2) : 4"), std::string("L ×3 of one kind"));
        QCOMPARE(run("op(b, 1) : 5"), std::string("L ×3 of one kind"));
        QCOMPARE(run("op(b, b) : 4"), std::string("L ×3 of one kind"));
        QCOMPARE(run("other(b, 1) : 4"), std::string());
    }

    void equalMembersFoldBeforeThoseOfOneKind()
    {
        std::string text = "x = placeholder() : 4\n";
        for (int i = 0; i < 7; ++i) {
            const std::string before = i == 0 ? "x" : "a" + std::to_string(i - 1);
            text += "a" + std::to_string(i) + " = op(" + before + ", " + (i < 4 ? "1" : std::to_string(i)) + ") : 4 @ l."
                + std::to_string(i) + " L\n";
        }
        const Picture picture = pictureOf(programFromText(text + "output(a6)\n"));
        QCOMPARE(outlineOf(picture), QString("input | x\nl.0 … l.3 | L ×4\nl.4 … l.6 | L ×3 of one kind\noutput | output\n"));
    }

    void whatIsLeftOfARunStaysFoldedWhereAMemberIsOpen()
    {
        const Picture picture = pictureOf(programFromText(modules(3, true, "")), {.open = {"l.0"}});
        QVERIFY(itemTitled(picture, "l.0")->kind == ItemKind::frame);
        QCOMPARE(itemTitled(picture, "l.1 … l.2")->subtitle, std::string("L ×2"));
    }

    void elementsOfAListAreItemsWithTheirModulesInside()
    {
        const Program program = programFromText(lists({"", "", ""}));
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture), QString("input | x\ns.0 … s.2 | R + A ×3\noutput | output\n"));
        const Picture opened = pictureOf(program, {.open = {"s.1", "s.1.0"}});
        QCOMPARE(faultsOf(program, opened), QString());
        QCOMPARE(itemTitled(opened, "s.1")->key, std::string("s.1"));
        QCOMPARE(itemTitled(opened, "s.1")->opCount, 2U);
        QCOMPARE(opened.items[itemTitled(opened, "s.1.0")->parent.index()].title, std::string("s.1"));
    }

    void anElementThatIsCalledItselfIsItsOwnItem()
    {
        // s.0 is called itself, and other calls run its contents as well.
        const Program program = programFromText("x = placeholder() : 4\na = op(x) : 4 @ s.0 Block > s.0.p P\n"
                                                "b = op(a) : 4 @ s.0.p P\nc = op(b) : 4 @ s.0.q Q\noutput(c)\n");
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture), QString("input | x\ns.0 | Block\ns.0.p | P\ns.0.q | Q\noutput | output\n"));
    }

    void listsOfOneKindTakeInWhatStandsBeforeEach()
    {
        const Program program = programFromText(lists({"1", "2", "3"}));
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture), QString("input | x\ns.0 … s.2 | R + A ×3 of one kind\noutput | output\n"));
        QCOMPARE(itemTitled(picture, "s.0 … s.2")->opCount, 9U);
    }

    void foldsRepeatedCallsOfOneModule()
    {
        const Program program = programFromText("x = placeholder()\na = op(x) @ s S\nb = op(a) @ s@1 S\n"
                                                "c = op(b) @ s@2 S\noutput(c)\n");
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture), QString("input | x\ns | S ×3 calls\noutput | output\n"));
        QVERIFY(itemTitled(pictureOf(program, {.open = {"s…s@2"}}), "s"));
    }

    void readsTheNamesThatALineAssigns_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("one") << "mask = torch.full((t, t), 0).triu(1)" << QStringList{"mask"};
        QTest::newRow("several") << "cos, sin = (f(x) for x in y)" << QStringList{"cos", "sin"};
        QTest::newRow("in brackets") << "(a, b) = f()" << QStringList{"a", "b"};
        QTest::newRow("with a type") << "mask: Tensor = f(a=1)" << QStringList{"mask"};
        QTest::newRow("augmented") << "total += f(x)" << QStringList{"total"};
        QTest::newRow("of an object") << "self.cache = f(x)" << QStringList{"cache"};
        QTest::newRow("keyword only") << "f(x, mask=m)" << QStringList{};
        QTest::newRow("comparison") << "assert a == b" << QStringList{};
        QTest::newRow("item") << "a[0] = f(x)" << QStringList{};
        QTest::newRow("return") << "return x" << QStringList{};
    }
    void readsTheNamesThatALineAssigns()
    {
        QFETCH(QString, line);
        QFETCH(QStringList, names);
        QStringList found;
        for (const std::string& name : assignedNames(line.toStdString()))
            found << QString::fromStdString(name);
        QCOMPARE(found, names);
    }

    void namesValuesAsTheSourceDoes()
    {
        Program program = programFromText(
            "x = placeholder()\nc = cos(x)\ns = sin(x)\nm = op(c)\nn = op(s)\nz = op(n)\noutput(z)\n");
        Graph& graph = program.rootGraph();
        const auto trace = [&](const char* node, const char* text) { graph.meta(graph.find(intern(node))).trace = intern(text); };
        trace("c", "File \"m.py\", line 1, in forward\n    cos, sin = f(x)");
        trace("s", "File \"m.py\", line 1, in forward\n    cos, sin = f(x)");
        trace("m", "File \"m.py\", line 2, in forward\n    memory = block(c)\n  File \"m.py\", line 7, in forward\n    return x");
        trace("n", "File \"m.py\", line 3, in forward\n    f(s)");
        QCOMPARE(sourceName(graph, graph.find(intern("c"))), std::string("cos"));
        QCOMPARE(sourceName(graph, graph.find(intern("s"))), std::string("sin"));
        QCOMPARE(sourceName(graph, graph.find(intern("m"))), std::string("memory"));
        QCOMPARE(sourceName(graph, graph.find(intern("n"))), std::string());
        QCOMPARE(sourceName(graph, graph.find(intern("z"))), std::string());
        QCOMPARE(nameFromAfar(graph, graph.find(intern("c"))), std::string("cos"));
        QCOMPARE(nameFromAfar(graph, graph.find(intern("n"))), std::string("n")); // the source has no name for it
        QCOMPARE(nameFromAfar(graph, graph.find(intern("x"))), std::string("x"));
    }
};

const test::Registered<FoldTest> foldTest("fold_test");
#include "fold_test.moc"
