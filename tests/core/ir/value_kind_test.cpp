#include "ir/value_kind.h"

#include "test_case.h"

#include <QTest>

#include <vector>

using namespace sunder;

namespace {

Argument tensorIn(const char* storage)
{
    TensorMeta meta{.dtype = intern("float32"), .shape = {Argument::integer(2), Argument::integer(3)}};
    meta.storage = intern(storage);
    return Argument::tensor(std::move(meta));
}

} // namespace

class ValueKindTest final : public QObject {
    Q_OBJECT
private slots:
    void visitsStoragesAtAnyDepth()
    {
        std::vector<InternedString> found;
        const auto add = [&](InternedString storage) { found.push_back(storage); };
        QVERIFY(forEachStorage(Argument::tuple({tensorIn("s0"), Argument::list({tensorIn("s1"), Argument::integer(4)})}), add));
        QCOMPARE(found, (std::vector{intern("s0"), intern("s1")}));
    }

    void saysWhenOneStorageIsNotKnownAndVisitsTheOthers()
    {
        std::vector<InternedString> found;
        const auto add = [&](InternedString storage) { found.push_back(storage); };
        QVERIFY(!forEachStorage(Argument::tuple({tensorIn(""), tensorIn("s1")}), add));
        QCOMPARE(found, std::vector{intern("s1")});
    }

    void onlyOneTensorHasAStorage()
    {
        QCOMPARE(storageOf(tensorIn("s0")), intern("s0"));
        QVERIFY(storageOf(Argument::tuple({tensorIn("s0")})).empty());
        QVERIFY(storageOf(Argument::integer(3)).empty());
        QVERIFY(storageOf(std::nullopt).empty());
    }

    void describesTensorsWithTheirType()
    {
        QCOMPARE(describeValue(tensorIn("")), std::string("f32[2, 3]"));
        QCOMPARE(describeValue(Argument::integer(7)), std::string("7"));
        QCOMPARE(describeValue(Argument::tuple({tensorIn("")})), std::string("tuple"));
    }
};

const test::Registered<ValueKindTest> valueKindTest("value_kind_test");
#include "value_kind_test.moc"
