#include "counting_monitor.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

class PictureTest final : public QObject {
    Q_OBJECT
private slots:
    void showsModulesClosedAndRunsFolded()
    {
        const Program program = programFromText(decoder(9));
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture),
                 QString("input | x\ninput | mask\nembed | Embedding\nlayers.0 … layers.8 | Layer ×9\n"
                         "head | Linear\noutput | output\n"));
        QCOMPARE(picture.items[3].copies, 9U);
        QCOMPARE(picture.items[3].opCount, 36U);
        QCOMPARE(picture.items[3].members.size(), std::size_t{9});
    }

    void dividesARunWhereAMemberIsOpen()
    {
        const Program program = programFromText(decoder(9));
        const Picture picture = pictureOf(program, {.open = {"layers.4"}});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture),
                 QString("input | x\ninput | mask\nembed | Embedding\nlayers.0 … layers.3 | Layer ×4\n"
                         "- layers.4 | Layer\n  norm | Norm\n  attn | Attention\n  test::add | s4\n"
                         "layers.5 … layers.8 | Layer ×4\nhead | Linear\noutput | output\n"));
    }

    void leavesTwoSiblingsUnfolded()
    {
        QVERIFY(itemTitled(pictureOf(programFromText(decoder(2))), "layers.1"));
        const Program program = programFromText(decoder(9)); // a rest of two stays a run, a single one is an item of its own
        const Picture picture = pictureOf(program, {.open = {"layers.2", "layers.7"}});
        QVERIFY(itemTitled(picture, "layers.0 … layers.1"));
        QVERIFY(itemTitled(picture, "layers.3 … layers.6"));
        QVERIFY(itemTitled(picture, "layers.8"));
        QCOMPARE(faultsOf(program, picture), QString());
    }

    void opensARunIntoAFrameOfItsMembers()
    {
        const Program program = programFromText(decoder(6));
        PictureOptions options;
        options.open = {"layers.0…layers.5"};
        const Picture unfolded = pictureOf(program, options);
        QCOMPARE(faultsOf(program, unfolded), QString());
        QCOMPARE(unfolded.items[3].kind, ItemKind::frame);
        for (int i = 0; i < 6; ++i)
            QCOMPARE(unfolded.items[std::size_t(4 + i)].title, "layers." + std::to_string(i));
        options.open.insert("layers.2");
        const Picture deeper = pictureOf(program, options);
        QCOMPARE(faultsOf(program, deeper), QString());
        QCOMPARE(itemTitled(deeper, "attn")->depth, 2U);
        QCOMPARE(itemTitled(deeper, "layers.0 … layers.5")->kind, ItemKind::frame);
    }

    void opensAPartOfARun()
    {
        const Program program = programFromText(decoder(9));
        const Picture picture = pictureOf(program, {.open = {"layers.4", "layers.0…layers.3"}});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(itemTitled(picture, "layers.0 … layers.3")->kind, ItemKind::frame);
        QCOMPARE(itemTitled(picture, "layers.5 … layers.8")->kind, ItemKind::run);
    }

    void opensWithAllInside()
    {
        const Program program = programFromText(decoder(4));
        for (const char* key : {"layers.1", "layers.0…layers.3"}) {
            const Picture picture = pictureOf(program, {.openDeep = {key}});
            QCOMPARE(faultsOf(program, picture), QString());
            QCOMPARE(itemTitled(picture, "test::attend")->depth, key[7] == '1' ? 2U : 3U);
        }
        const Picture all = pictureOf(program, {.openAll = true});
        QCOMPARE(faultsOf(program, all), QString());
        for (const Item& item : all.items)
            QVERIFY(item.kind == ItemKind::frame || item.kind == ItemKind::node);
    }

    void showsOpsOnlyWhenModulesAreIgnored()
    {
        const Program program = programFromText(decoder(4));
        const Picture picture = pictureOf(program, {.collapse = false});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(picture.items.size(), program.rootGraph().size());
    }

    void hasChipsOnlyForValuesThatGoEverywhere()
    {
        const Program program = programFromText(decoder(9));
        const Picture closed = pictureOf(program, {.open = {"layers.4"}});
        QCOMPARE(itemTitled(closed, "attn")->chips.size(), std::size_t{1});
        QCOMPARE(itemTitled(closed, "attn")->chips.front().text, std::string("mask"));
        QCOMPARE(closed.items[1].note, std::string("↗ 9 users"));
        QVERIFY(itemTitled(closed, "layers.0 … layers.3")->chips.empty()); // the first reader has the edge instead of a chip
        const Picture many = pictureOf(program, {.open = {"layers.4"}, .chipReaders = 9});
        for (const Item& item : many.items)
            QVERIFY(item.chips.empty() && item.note.empty());
    }

    void drawsTheNearestOfManyInputsAndTheRestAsChips()
    {
        std::string text = "x = placeholder()\nv0 = op(x)\n";
        for (int i = 1; i < 8; ++i) {
            text += "v" + std::to_string(i) + " = op(x";
            for (int k = 0; k < i; ++k)
                text += ", v" + std::to_string(k);
            text += ")\n";
        }
        const Program program = programFromText(text + "output(v7)\n");
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        const Item& last = picture.items[picture.itemOf[8].index()];
        std::size_t chips = last.chips.size() - 1 + last.chips.back().more.size();
        QCOMPARE(chips, std::size_t{7});
        QVERIFY(last.chips.back().text.starts_with("+"));
    }

    void givesEveryCallOfAModuleAnItem()
    {
        const Program program = programFromText("a = placeholder()\nb = placeholder()\n"
                                                "p = emb(a) @ embed Embedding\nq = emb(b) @ embed@1 Embedding\n"
                                                "output(p, q)\n");
        const Picture picture = pictureOf(program, {.open = {"embed@1"}});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture),
                 QString("input | a\ninput | b\nembed | Embedding\n- embed | Embedding · call 2\n  test::emb | q\n"
                         "output | output\n"));
    }

    void dividesAModuleThatSurroundsAnother()
    {
        const Program program = programFromText("x = placeholder()\na = op(x) @ outer Outer\nb = op(a) @ other Other\n"
                                                "c = op(b) @ outer Outer\nd = op(a) @ free Free\ne = op(d) @ free Free\n"
                                                "output(c, e)\n");
        const Picture picture = pictureOf(program, {.open = {"outer#2"}});
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(outlineOf(picture),
                 QString("input | x\nouter | Outer\nother | Other\n- outer | Outer · part 2\n  test::op | c\n"
                         "free | Free\noutput | output\n"));
    }

    void keepsAModuleWholeWhenOthersOnlyStandBetween()
    {
        const Program program = programFromText("x = placeholder()\na = op(x) @ m M\nb = op(x) @ n N\nc = op(a) @ m M\n"
                                                "d = op(b) @ n N\noutput(c, d)\n");
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(picture.items.size(), std::size_t{4});
    }

    void keepsGetitemsAndWeightsWithTheOp()
    {
        Program program = programFromText("x = placeholder()\nw = get_attr[lin.weight]()\nt = split(x, w)\n"
                                          "g = call_function[_operator.getitem](t, 0)\n"
                                          "h = call_function[_operator.getitem](t, 1)\ny = add(g, h, w)\noutput(y)\n");
        StorageId storage = program.tensors.addStorage({intern("s"), 64});
        program.tensors.add({.fqn = intern("lin.weight"), .storage = storage});
        const Picture picture = pictureOf(program);
        QCOMPARE(faultsOf(program, picture), QString());
        QCOMPARE(picture.items.size(), std::size_t{4});
        QCOMPARE(picture.items[1].nodes.size(), std::size_t{4});
        QCOMPARE(picture.items[1].bytes, std::uint64_t{64});
        QCOMPARE(picture.items[2].bytes, std::uint64_t{64});
    }

    void countsAStorageOnce()
    {
        Program program = programFromText("x = placeholder()\na = get_attr[a]()\nb = get_attr[b]()\n"
                                          "y = op(x, a) @ m M\nz = op(y, b) @ m M\noutput(z)\n");
        StorageId storage = program.tensors.addStorage({intern("s"), 100});
        program.tensors.add({.fqn = intern("a"), .storage = storage});
        program.tensors.add({.fqn = intern("b"), .storage = storage});
        QCOMPARE(itemTitled(pictureOf(program), "m")->bytes, std::uint64_t{100});
        QCOMPARE(itemTitled(pictureOf(program), "m")->detail, std::string("2 ops · 100 B"));
    }

    void ignoresThePathThatIsNoModule()
    {
        const char* hook = "_empty_nn_module_stack_from_metadata_hook";
        Program program = programFromText("x = placeholder()\ny = op(x) @ m M\noutput(y)\n");
        program.stacks[0] = {{intern(hook), intern(hook), intern(hook)}};
        const Picture picture = pictureOf(program);
        QCOMPARE(picture.items[1].kind, ItemKind::node);
        QCOMPARE(faultsOf(program, picture), QString());
    }

    void showsCallModulesByTheirClass()
    {
        Program program = programFromText("x = placeholder()\ny = call_module[net.lin](x)\noutput(y)\n");
        program.modules[program.modules.ensure("net.lin")].cls = intern("torch.nn.modules.linear.Linear");
        QCOMPARE(outlineOf(pictureOf(program)), QString("input | x\nLinear | net.lin\noutput | output\n"));
    }

    void leavesTheModuleAroundAllOutOfTitles()
    {
        const Program program = programFromText(decoder(2));
        const Picture picture = pictureOf(program, {.open = {"layers.0"}, .within = "layers"});
        QCOMPARE(outlineOf(picture),
                 QString("input | x\ninput | mask\nembed | Embedding\n- 0 | Layer\n  norm | Norm\n  attn | Attention\n"
                         "  test::add | s0\n1 | Layer\nhead | Linear\noutput | output\n"));
        QCOMPARE(picture.items[3].key, std::string("layers.0"));
        const Picture layer = pictureOf(programFromText(decoder(1)), {.within = "layers.0"});
        QCOMPARE(outlineOf(layer),
                 QString("input | x\ninput | mask\nembed | Embedding\nnorm | Norm\nattn | Attention\ntest::add | s0\n"
                         "head | Linear\noutput | output\n"));
    }

    void setsInputsAsideAsChipsAtTheirReaders()
    {
        const Program program = programFromText(decoder(2));
        const NodeId mask = program.rootGraph().find(intern("mask"));
        const Picture picture = pictureOf(program, {.asides = {mask}});
        QCOMPARE(outlineOf(picture),
                 QString("input | x\nembed | Embedding\nlayers.0 | Layer\nlayers.1 | Layer\nhead | Linear\noutput | output\n"));
        for (const Item& item : picture.items)
            QCOMPARE(item.chips.size(), std::size_t(item.key.starts_with("layers.") ? 1 : 0));
        QCOMPARE(picture.items[2].chips[0].text, std::string("mask"));
        QCOMPARE(picture.items[2].chips[0].value, mask);
    }

    void saysWhatToOpenForANode()
    {
        const Program program = programFromText(decoder(9));
        const NodeId node = program.rootGraph().find(intern("q5"));
        const std::set<std::string> keys = keysThatShow(program, program.root, node, {});
        QCOMPARE(keys, (std::set<std::string>{"layers.5", "layers.5.attn", "layers.5.attn.q"}));
        const Picture picture = pictureOf(program, {.open = keys});
        QCOMPARE(picture.items[picture.itemOf[node.index()].index()].node, node);
    }

    void isCheckedByTestsThatFindFaults()
    {
        const Program program = programFromText(decoder(9));
        const Picture good = pictureOf(program, {.open = {"layers.4"}});
        Picture moved = good;
        moved.items[3].rect = moved.items[2].rect;
        QVERIFY(faultsOf(program, moved).contains("overlaps"));
        Picture cut = good;
        cut.edges.erase(cut.edges.begin());
        QVERIFY(faultsOf(program, cut).contains("unseen"));
        Picture lost = good;
        lost.itemOf[2] = lost.itemOf[3];
        QVERIFY(!faultsOf(program, lost).isEmpty());
    }

    void elidesWhatIsTooLong()
    {
        const std::string longName(300, 'n');
        const Program program = programFromText("x = placeholder()\n" + longName + " = op(x)\noutput(" + longName + ")\n");
        const Picture picture = pictureOf(program);
        QVERIFY(picture.items[1].rect.width <= 264);
        QVERIFY(picture.items[1].subtitle.find("…") != std::string::npos);
    }

    void stopsWheneverItIsCancelled()
    {
        const Program program = programFromText(decoder(9));
        const PictureOptions options{.openAll = true};
        CountingMonitor whole;
        QVERIFY(buildPicture(program, program.root, options, *makeLayeredEngine(), whole).has_value());
        for (std::size_t question = 0; question < whole.questions(); ++question) {
            CountingMonitor stopped(question);
            const Result<Picture> picture = buildPicture(program, program.root, options, *makeLayeredEngine(), stopped);
            QVERIFY2(!picture && picture.error().code == ErrorCode::cancelled, qPrintable(QString::number(question)));
        }
    }
};

const test::Registered<PictureTest> pictureTest("picture_test");
#include "picture_test.moc"
