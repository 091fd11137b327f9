#include "analysis/outline_tree.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// Lists entries as "name class calls", children indented.
void list(const OutlineTree& tree, std::int32_t entry, int depth, QStringList& lines)
{
    const OutlineTree::Entry& at = tree.entries[static_cast<std::size_t>(entry)];
    lines << QString(depth, ' ') + QString::fromStdString(at.name.str() + " " + at.cls.str() + " ") + QString::number(at.calls);
    for (const std::int32_t child : at.children)
        list(tree, child, depth + 1, lines);
}

QStringList listed(const Program& program)
{
    QStringList lines;
    list(outlineTree(program, "model"), 0, 0, lines);
    return lines;
}

} // namespace

class OutlineTreeTest final : public QObject {
    Q_OBJECT
private slots:
    void sortsNodesIntoModules()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "a = relu(x) @ enc Encoder > enc.0 my.Layer\n"
                                                      "b = add(a, x) @ enc Encoder\n"
                                                      "c = relu(b)\n"
                                                      "output(c)\n");
        QCOMPARE(listed(program),
                 (QStringList{"model Net 3", " x placeholder 0", " enc Encoder 2", "  0 Layer 1", "   a relu 1", "  b add 1",
                              " c relu 1", " output output 0"}));
    }

    void whatStandsBetweenModulesIsGrouped()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "y = placeholder()\n"
                                                      "a = relu(x)\n"
                                                      "b = add(a, y) @ enc Encoder\n"
                                                      "c = relu(b)\n"
                                                      "d = relu(c) @ dec Decoder\n"
                                                      "e = add(d, d) @ dec Decoder\n"
                                                      "f = relu(e) @ dec Decoder\n"
                                                      "output(f)\n");
        QCOMPARE(listed(program),
                 (QStringList{"model Net 6", " x … a 3 nodes 1", "  x placeholder 0", "  y placeholder 0", "  a relu 1",
                              " enc Encoder 1", "  b add 1", " c relu 1", " dec Decoder 3", "  d relu 1", "  e add 1",
                              "  f relu 1", " output output 0"}));
        const OutlineTree tree = outlineTree(program, "model");
        for (const OutlineTree::Entry& entry : tree.entries) {
            for (std::size_t i = 0; i < entry.children.size(); ++i)
                QCOMPARE(tree.entries[static_cast<std::size_t>(entry.children[i])].row, static_cast<std::int32_t>(i));
            if (entry.kind == OutlineTree::Kind::group)
                QCOMPARE(entry.end - entry.begin, 3U);
        }
    }

    void nodesOfASubtreeStandSideBySide()
    {
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "a = relu(x) @ enc Encoder > enc.0 Layer\n"
                                                      "c = relu(a)\n"
                                                      "b = add(c, x) @ enc Encoder > enc.1 Layer\n"
                                                      "output(b)\n");
        const OutlineTree tree = outlineTree(program, "model");
        for (const OutlineTree::Entry& entry : tree.entries)
            if (entry.path.view() == "enc") {
                QCOMPARE(entry.end - entry.begin, 2U);
                QCOMPARE(tree.nodes[entry.begin], program.rootGraph().find(intern("a")));
                QCOMPARE(tree.nodes[entry.begin + 1], program.rootGraph().find(intern("b")));
            }
        for (const NodeId id : program.rootGraph().nodes())
            QCOMPARE(tree.entries[static_cast<std::size_t>(tree.entryOf[id.index()])].node, id);
    }

    void targetsAreShort()
    {
        QCOMPARE(shortTarget("torch.ops.aten.linear.default"), std::string_view("linear"));
        QCOMPARE(shortTarget("torch.nn.functional.relu"), std::string_view("relu"));
        QCOMPARE(shortTarget("torch.ops.aten"), std::string_view("aten"));
        QCOMPARE(shortTarget(""), std::string_view());
    }
};

const test::Registered<OutlineTreeTest> outlineTreeTest("outline_tree_test");
#include "outline_tree_test.moc"
