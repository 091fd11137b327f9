#include "passes/partition/tagged_devices.h"

#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class TaggedDevicesTest final : public QObject {
    Q_OBJECT
private slots:
    void tagsWithCallsBecomePartitionsInOrder()
    {
        PartitionerConfig config{.devices = {{.logicalId = 7}, {.logicalId = 8}}};
        QVERIFY(putTagsOnDevices(m_program.rootGraph(), tags({{"a", "p"}, {"b", "r"}}), config).has_value());
        QCOMPARE(config.nodeToPartition,
                 (std::vector<std::pair<InternedString, std::int64_t>>{{intern("a"), 0}, {intern("b"), 1}}));
        QCOMPARE(config.partitionToDevices.size(), 2U);
        QCOMPARE(config.partitionToDevices[1].second, std::vector<std::int64_t>{8});
    }

    void refusesWhatIsUntagged()
    {
        PartitionerConfig config{.devices = {{.logicalId = 7}}};
        const Result<void> put = putTagsOnDevices(m_program.rootGraph(), tags({{"a", "p"}}), config);
        QVERIFY(!put);
        QCOMPARE(QString::fromStdString(put.error().message),
                 QString("1 op has no tag: paint everything first, or choose another method"));
    }

    void refusesMoreTagsThanDevices()
    {
        PartitionerConfig config{.devices = {{.logicalId = 7}}};
        const Result<void> put = putTagsOnDevices(m_program.rootGraph(), tags({{"a", "p"}, {"b", "q"}}), config);
        QVERIFY(!put);
        QCOMPARE(QString::fromStdString(put.error().message), QString("2 tags but only 1 device: add devices or merge tags"));
    }

private:
    [[nodiscard]] TagAssignment tags(const std::vector<std::pair<std::string, std::string>>& pairs) const
    {
        std::vector<TagPair> interned;
        for (const auto& [name, tag] : pairs)
            interned.emplace_back(intern(name), intern(tag));
        return assignTags(m_program.rootGraph(), {intern("p"), intern("q"), intern("r")}, interned);
    }

    const Program m_program = test::programFromText("x = placeholder()\n"
                                                    "a = relu(x)\n"
                                                    "b = relu(a)\n"
                                                    "output(b)\n");
};

const test::Registered<TaggedDevicesTest> taggedDevicesTest("tagged_devices_test");
#include "tagged_devices_test.moc"
