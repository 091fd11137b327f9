#include "passes/partition/device_mapping.h"

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

    void bothPassesOfAStageGoToOneDevice()
    {
        PartitionerConfig config{.devices = {{.logicalId = 7}, {.logicalId = 8}}};
        const Program program = test::programFromText("x = placeholder()\n"
                                                      "a = relu(x)\n"
                                                      "b = relu(a)\n"
                                                      "c = relu(b)\n"
                                                      "d = relu(c)\n"
                                                      "output(d)\n");
        const auto tagged = [&](const std::vector<const char*>& order) {
            std::vector<InternedString> names;
            std::vector<TagPair> pairs;
            for (std::size_t i = 0; i < order.size(); ++i) {
                names.push_back(intern(order[i]));
                pairs.emplace_back(intern(std::string(1, static_cast<char>('a' + i))), names.back());
            }
            return assignTags(program.rootGraph(), names, pairs);
        };
        QVERIFY(putTagsOnDevices(program.rootGraph(), tagged({"p", "q", "q_backward", "p_backward"}), config).has_value());
        std::vector<std::int64_t> devices;
        for (const auto& [partition, on] : config.partitionToDevices)
            devices.push_back(on.front());
        QCOMPARE(devices, (std::vector<std::int64_t>{7, 8, 8, 7}));
        const Result<void> put = putTagsOnDevices(program.rootGraph(), tagged({"p", "q", "r", "p_backward"}), config);
        QVERIFY(!put);
        QCOMPARE(QString::fromStdString(put.error().message), QString("3 stages but only 2 devices; add devices or merge tags"));
    }

    void refusesWhatIsUntagged()
    {
        PartitionerConfig config{.devices = {{.logicalId = 7}}};
        const Result<void> put = putTagsOnDevices(m_program.rootGraph(), tags({{"a", "p"}}), config);
        QVERIFY(!put);
        QCOMPARE(QString::fromStdString(put.error().message),
                 QString("1 op has no tag; tag all ops first or choose another method"));
    }

    void refusesMoreTagsThanDevices()
    {
        PartitionerConfig config{.devices = {{.logicalId = 7}}};
        const Result<void> put = putTagsOnDevices(m_program.rootGraph(), tags({{"a", "p"}, {"b", "q"}}), config);
        QVERIFY(!put);
        QCOMPARE(QString::fromStdString(put.error().message), QString("2 tags but only 1 device; add devices or merge tags"));
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
