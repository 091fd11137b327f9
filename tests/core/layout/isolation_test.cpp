#include "layout/picture/picture_index.h"
#include "picture_checks.h"
#include "test_case.h"

#include <QTest>

#include <algorithm>

using namespace sunder;
using namespace sunder::test;

namespace {

QStringList titlesOf(const Picture& picture)
{
    QStringList titles;
    for (const Item& item : picture.items)
        titles += QString::fromStdString(item.kind == ItemKind::node ? item.subtitle : item.title);
    return titles;
}

ItemId shownBy(const Picture& picture, NodeId node)
{
    return picture.itemOf.at(node.index());
}

std::vector<NodeId> nodesCalled(const Program& program, std::initializer_list<const char*> names)
{
    std::vector<NodeId> nodes;
    for (const char* name : names)
        nodes.push_back(program.rootGraph().find(intern(name)));
    return nodes;
}

} // namespace

/// Pictures of selected items and their neighbors only.
class IsolationTest final : public QObject {
    Q_OBJECT
private slots:
    void leavesTheSelectionAndItsNeighbors()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "a = relu(x) : 4\n"
                                                "b = relu(a) : 4\n"
                                                "c = relu(b) : 4\n"
                                                "d = relu(c) : 4\n"
                                                "e = add(d, x) : 4\n"
                                                "output(e)\n");
        const Picture picture = pictureOf(program, {.only = nodesCalled(program, {"b"})});
        QCOMPARE(titlesOf(picture), (QStringList{"a", "b", "c"}));
        QCOMPARE(picture.edges.size(), 2U);
        for (const PictureEdge& edge : picture.edges) {
            QVERIFY(edge.from.index() < 3 && edge.to.index() < 3);
            QVERIFY(edge.path.size() >= 4);
        }
        for (const Item& item : picture.items)
            QVERIFY(item.rect.right() <= picture.size.width && item.rect.bottom() <= picture.size.height);
        QVERIFY(picture.size.height < pictureOf(program).size.height);
        QVERIFY(!shownBy(picture, nodesCalled(program, {"d"}).front()).isValid());
        QCOMPARE(shownBy(picture, nodesCalled(program, {"c"}).front()), ItemId(2U));
        QCOMPARE(titlesOf(pictureOf(program, {.only = nodesCalled(program, {"a", "e"})})),
                 (QStringList{"x", "a", "b", "d", "e", "output"}));
    }

    void keepsTheFramesAround()
    {
        const Program program = programFromText("x = placeholder() : 4\n"
                                                "a = relu(x) : 4 @ enc Encoder\n"
                                                "b = gelu(a) : 4 @ enc Encoder\n"
                                                "c = tanh(b) : 4 @ enc Encoder\n"
                                                "d = relu(c) : 4 @ dec Decoder\n"
                                                "output(d)\n");
        const Picture picture = pictureOf(program, {.open = {"enc"}, .only = nodesCalled(program, {"c"})});
        QCOMPARE(titlesOf(picture), (QStringList{"enc", "b", "c", "dec"}));
        const Item& frame = picture.items.front();
        QCOMPARE(frame.kind, ItemKind::frame);
        QCOMPARE(frame.nodes, nodesCalled(program, {"b", "c"})); // painting the frame paints only the visible ops
        QCOMPARE(picture.items[1].parent, ItemId(0U));
        for (const std::size_t inner : {1U, 2U})
            QVERIFY(frame.rect.contains(picture.items[inner].rect.center()));
    }

    void whatComesByAChipIsANeighbor()
    {
        std::string text = "x = placeholder() : 4\nm = relu(x) : 4\na0 = add(x, m) : 4\n";
        for (int i = 1; i < 20; ++i)
            text += "a" + std::to_string(i) + " = add(a" + std::to_string(i - 1) + ", m) : 4\n";
        const Program program = programFromText(text + "output(a19)\n");
        const Picture whole = pictureOf(program);
        const ItemId reader = shownBy(whole, nodesCalled(program, {"a12"}).front());
        QCOMPARE(whole.items[reader.index()].chips.size(), 1U);
        QCOMPARE(titlesOf(pictureOf(program, {.only = nodesCalled(program, {"a12"})})), (QStringList{"m", "a11", "a12", "a13"}));
    }

    void whatIsNotThereLeavesNothing()
    {
        const Program program = programFromText("x = placeholder() : 4\na = relu(x) : 4\noutput(a)\n");
        const Picture picture = pictureOf(program, {.only = {NodeId(900U)}});
        QVERIFY(picture.items.empty());
        QVERIFY(picture.edges.empty());
    }
};

const test::Registered<IsolationTest> isolationTest("isolation_test");
#include "isolation_test.moc"
