#include "analysis/tensors_read.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// "w crc", or "w" if the file has no checksum for it.
TensorTable table(const QStringList& weights)
{
    TensorTable made;
    for (const QString& weight : weights) {
        const QStringList words = weight.split(' ');
        Storage storage{.id = intern(weight.toStdString()), .byteCount = 24};
        if (words.size() > 1)
            storage.placeExtra = intern(words[1].toStdString());
        made.add({.fqn = intern(words[0].toStdString()), .storage = made.addStorage(storage)});
    }
    return made;
}

} // namespace

class WeightChangesTest final : public QObject {
    Q_OBJECT
private slots:
    void saysWhatOnlyOneHas()
    {
        const WeightChanges changes = weightChanges(table({"a 1", "b 2"}), table({"b 2", "c 3", "d 4"}));
        QCOMPARE(changes.onlyBefore, 1U);
        QCOMPARE(changes.onlyAfter, 2U);
        QCOMPARE(changes.equal, 1U);
    }

    void namesWhatHoldsOtherValues()
    {
        const WeightChanges changes = weightChanges(table({"a 1", "b 2"}), table({"a 1", "b 3"}));
        QCOMPARE(changes.others, std::vector{intern("b")});
    }

    void knowsNothingWithoutCrcs() { QCOMPARE(weightChanges(table({"a", "b 2"}), table({"a", "b"})).unknown, 2U); }
};

const test::Registered<WeightChangesTest> weightChangesTest("weight_changes_test");
#include "weight_changes_test.moc"
