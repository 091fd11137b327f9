#include "io/torch_save/pickle_tree.h"

#include "test_case.h"

#include <QTest>

#include <random>

using namespace sunder;
using namespace std::string_literals;

namespace {

using Kind = PickleValue::Kind;

PickleTree read(const std::string& bytes)
{
    Result<PickleTree> tree = readPickle(bytes);
    if (!tree)
        qFatal("%s", tree.error().message.c_str());
    return std::move(*tree);
}

/// {'a': torch._utils._rebuild_tensor_v2(7, -1), 'b': the same object} in protocol 2.
const std::string kShared = "\x80\x02}q\x00(X\x01\x00\x00\x00"
                            "aq\x01"
                            "ctorch._utils\n_rebuild_tensor_v2\nq\x02K\x07J\xff\xff\xff\xff\x86q\x03Rq\x04X\x01\x00\x00\x00"
                            "bq\x05h\x04u."s;

/// An instance of m.C with x = 5, in protocol 2.
const std::string kInstance = "\x80\x02"
                              "cm\nC\n)\x81}X\x01\x00\x00\x00xK\x05sb."s;

} // namespace

class PickleTreeTest final : public QObject {
    Q_OBJECT
private slots:
    void notesWhatIsCalledAndCallsNothing()
    {
        const PickleTree tree = read("cos\nsystem\n(S'rm -rf /'\ntR.");
        QVERIFY(tree.isCall(tree.root, "os system"));
        QCOMPARE(tree.argumentsOf(tree.root)->size(), std::size_t{1});
        QCOMPARE(tree[tree.argumentsOf(tree.root)->front()].text, std::string("'rm -rf /'"));
    }

    void keepsWhatIsShared()
    {
        const PickleTree tree = read(kShared);
        const std::vector<std::uint32_t>& items = tree[tree.root].items;
        QCOMPARE(items.size(), std::size_t{4});
        QCOMPARE(tree[items[0]].text, std::string("a"));
        QCOMPARE(items[1], items[3]);
        QVERIFY(tree.isCall(items[1], "torch._utils _rebuild_tensor_v2"));
        QCOMPARE(tree[(*tree.argumentsOf(items[1]))[1]].integer, std::int64_t{-1});
    }

    void keepsTheStateOfAnInstance()
    {
        const PickleTree tree = read(kInstance);
        const PickleValue& instance = tree[tree.root];
        QVERIFY(tree.isCall(tree.root, "m C"));
        QVERIFY(instance.state && instance.items.size() == 2 && instance.entries.empty());
        QCOMPARE(tree[tree[*instance.state].items[1]].integer, std::int64_t{5});
        QVERIFY(!readPickle("}b."));
        QVERIFY(!readPickle("b."));
    }

    void readsNumbers()
    {
        const PickleTree tree = read("(I01\nI-5\nK\xffM\xff\xff\x8a\x02\x00\x80G?\xf8\x00\x00\x00\x00\x00\x00\x88Nt."s);
        const std::vector<std::uint32_t>& items = tree[tree.root].items;
        QCOMPARE(items.size(), std::size_t{8});
        QVERIFY(tree[items[0]].is(Kind::boolean));
        QCOMPARE(tree[items[1]].integer, std::int64_t{-5});
        QCOMPARE(tree[items[2]].integer, std::int64_t{255});
        QCOMPARE(tree[items[3]].integer, std::int64_t{65535});
        QCOMPARE(tree[items[4]].integer, std::int64_t{-32768});
        QCOMPARE(tree[items[5]].floating, 1.5);
        QCOMPARE(tree[items[6]].integer, std::int64_t{1});
        QVERIFY(tree[items[7]].is(Kind::none));
    }

    void refusesWhatIsNotSound_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no value") << QByteArray(".");
        QTest::newRow("no stop") << QByteArray("N");
        QTest::newRow("an unknown opcode") << QByteArray("\xff.");
        QTest::newRow("a text beyond the end") << QByteArray("X\xff\xff\xff\x7f"
                                                             "a.");
        QTest::newRow("a call without arguments") << QByteArray("NR.");
        QTest::newRow("a tuple without a mark") << QByteArray("Nt.");
        QTest::newRow("a mark for a value") << QByteArray("(.");
        QTest::newRow("a value that was not stored") << QByteArray("h\x07.");
        QTest::newRow("an item for nothing") << QByteArray("Na.");
    }
    void refusesWhatIsNotSound()
    {
        QFETCH(QByteArray, bytes);
        const Result<PickleTree> tree = readPickle(bytes.toStdString());
        QVERIFY(!tree);
        QCOMPARE(tree.error().code, ErrorCode::malformed);
    }

    void survivesEveryChange()
    {
        std::mt19937 random(1);
        for (int round = 0; round < 20000; ++round) {
            std::string bytes = round % 2 == 0 ? kShared : kInstance;
            for (unsigned change = random() % 4 + 1; change > 0; --change)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            bytes.resize(random() % 3 == 0 ? random() % bytes.size() : bytes.size());
            if (const Result<PickleTree> tree = readPickle(bytes); tree)
                for (std::uint32_t i = 0; i < tree->values.size(); ++i) {
                    static_cast<void>(tree->isCall(i, "a b"));
                    static_cast<void>(tree->argumentsOf(i));
                }
        }
    }
};

const test::Registered<PickleTreeTest> pickleTreeTest("pickle_tree_test");
#include "pickle_tree_test.moc"
