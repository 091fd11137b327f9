#include "ir/tree_spec.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// "(**[k:*])": a tuple of two leaves and so on; "?" is an unknown kind.
QString shapeOf(const TreeSpec& spec)
{
    if (spec.kind == TreeSpec::Kind::leaf)
        return "*";
    QString text;
    for (std::size_t i = 0; i < spec.children.size(); ++i)
        text += (i < spec.keys.size() ? QString::fromStdString(spec.keys[i]) + ':' : QString()) + shapeOf(spec.children[i]);
    switch (spec.kind) {
    case TreeSpec::Kind::tuple: return '(' + text + ')';
    case TreeSpec::Kind::list: return '[' + text + ']';
    case TreeSpec::Kind::dict: return '{' + text + '}';
    case TreeSpec::Kind::namedTuple: return QString::fromStdString(spec.type) + '(' + text + ')';
    default: return "?(" + text + ')';
    }
}

QByteArray node(const char* type, const QByteArray& context, const QByteArray& children)
{
    return QByteArray("{\"type\": ") + type + ", \"context\": " + context + ", \"children_spec\": [" + children + "]}";
}

/// Encodes a JSON text as a string in another JSON text.
QByteArray quoted(QByteArray json)
{
    return '"' + json.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
}

const QByteArray kLeaf = node("null", "null", "");

} // namespace

/// Pytree specs as written by `treespec_dumps` of PyTorch 2.13, and texts that are not specs.
class TreeSpecTest final : public QObject {
    Q_OBJECT
private slots:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("shape");
        QTest::addColumn<std::size_t>("leaves");
        QTest::addColumn<bool>("isKnown");
        const QByteArray pair = kLeaf + ", " + kLeaf;
        const auto row = [](const char* name, const QByteArray& spec, const char* shape, std::size_t leaves, bool isKnown) {
            QTest::newRow(name) << QByteArray("[1, " + spec + "]") << QString(shape) << leaves << isKnown;
        };
        row("leaf", kLeaf, "*", 1, true);
        row("tuple", node("\"builtins.tuple\"", "\"null\"", pair), "(**)", 2, true);
        row("list in a tuple", node("\"builtins.tuple\"", "\"null\"", node("\"builtins.list\"", "\"null\"", kLeaf)), "([*])", 1,
            true);
        row("dict", node("\"builtins.dict\"", quoted("[\"a\", \"b\"]"), pair), "{a:*b:*}", 2, true);
        row("ordered dict", node("\"collections.OrderedDict\"", quoted("[\"a\"]"), kLeaf), "{a:*}", 1, true);
        row("named tuple", node("\"collections.namedtuple\"", "\"m.Pair\"", pair), "m.Pair(**)", 2, true);
        row("escaped keys", node("\"builtins.dict\"", quoted("[\"\\u00e9\\n\", \"\\ud83d\\ude00\"]"), pair), "{é\n:*😀:*}", 2,
            true);
        row("a custom class", node("\"m.Own\"", "{\"any\": [\"thing\", 1]}", pair), "?(**)", 2, false);
        row("which holds more", node("\"m.Own\"", "\"null\"", node("\"builtins.list\"", "\"null\"", pair)), "?([**])", 2, false);
        row("a dict without the keys of all", node("\"builtins.dict\"", quoted("[\"a\"]"), pair), "?(**)", 2, false);
        row("keys that are no strings", node("\"builtins.dict\"", "\"[1]\"", kLeaf), "?(*)", 1, false);
        row("a class called null", node("\"null\"", "\"null\"", pair), "?(**)", 2, false);
        row("an unknown member", "{\"more\": [{}, 1], " + kLeaf.mid(1), "*", 1, true);
    }

    void reads()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isKnown);
        const std::optional<TreeSpec> spec = TreeSpec::parse(text.toStdString());
        QVERIFY(spec);
        QTEST(shapeOf(*spec), "shape");
        QTEST(spec->leafCount(), "leaves");
        QCOMPARE(spec->isKnown(), isKnown);
    }

    void keepsWhatAClassCallsItsChildren()
    {
        const QByteArray pair = kLeaf + ", " + kLeaf;
        const std::vector<std::string> names = {"keys", "values"};
        const auto keysOf = [&](const QByteArray& context) {
            const std::optional<TreeSpec> spec = TreeSpec::parse("[1, " + node("\"m.Own\"", context, pair).toStdString() + "]");
            return spec ? spec->keys : std::vector<std::string>{"no spec"};
        };
        QCOMPARE(keysOf(quoted("[\"keys\", \"values\"]")), names);
        QCOMPARE(keysOf(quoted("[[\"keys\", \"values\"], [\"mask\"]]")), names); // a data class whose mask is None
        QCOMPARE(keysOf(quoted("[[\"keys\", \"values\"], [null, {}]]")), names);
        for (const char* other :
             {"[\"keys\"]", "[[\"keys\"], [\"values\"]]", "[1, 2]", "{}", "[[]]", "", "[[\"keys\", \"values\"]"})
            QVERIFY2(keysOf(quoted(other)).empty(), other);
        QVERIFY(keysOf("{\"any\": 1}").empty());
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no version") << QByteArray("[" + kLeaf + "]");
        QTest::newRow("two specs") << QByteArray("[1, " + kLeaf + ", " + kLeaf + "]");
        QTest::newRow("more behind it") << QByteArray("[1, " + kLeaf + "] 2");
        QTest::newRow("cut off") << QByteArray("[1, " + kLeaf.chopped(1));
        QTest::newRow("no type") << QByteArray("[1, {\"context\": null, \"children_spec\": []}]");
        QTest::newRow("a leaf with children") << QByteArray("[1, " + node("null", "null", kLeaf) + "]");
        QTest::newRow("a type that is a number") << QByteArray("[1, " + node("3", "null", "") + "]");
        QByteArray deep = kLeaf;
        for (int i = 0; i < 202; ++i)
            deep = node("\"builtins.list\"", "\"null\"", deep);
        QTest::newRow("too deep") << QByteArray("[1, " + deep + "]");
    }

    void refuses()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!TreeSpec::parse(text.toStdString()));
        const StoredTreeSpec stored(text.toStdString());
        QVERIFY(stored.tree() == nullptr);
        QCOMPARE(stored.text(), text.toStdString()); // written back unchanged
    }

    void readsWhatItWrites()
    {
        for (const std::size_t leaves : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
            const StoredTreeSpec arguments(TreeSpec::argumentsOf(leaves));
            QVERIFY(arguments.tree() != nullptr);
            QCOMPARE(shapeOf(*arguments.tree()), "((" + QString(static_cast<int>(leaves), '*') + "){})");
            QCOMPARE(TreeSpec::parse(TreeSpec::tupleOf(leaves).text())->leafCount(), leaves);
        }
    }
};

const test::Registered<TreeSpecTest> treeSpecTest("tree_spec_test");
#include "tree_spec_test.moc"
