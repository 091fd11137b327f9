#include "analysis/device.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

class DeviceTest final : public QObject {
    Q_OBJECT
private slots:
    void namesAndColorsDoNotCount()
    {
        std::vector<Device> other = m_devices;
        other[0].name = "fast";
        other[1].color = "#88ccee";
        QVERIFY(giveTheSame(m_devices, other));
        other[1].availableBytes = 300;
        QVERIFY(!giveTheSame(m_devices, other));
        QVERIFY(!giveTheSame(m_devices, {m_devices[0]}));
        QVERIFY(!giveTheSame(m_devices, {m_devices[1], m_devices[0]}));
    }

    void areCalledAsTheyAreNow()
    {
        const std::vector<Device> now{{.name = "renamed", .availableBytes = 200, .logicalId = 1, .color = "#ddaa33"}};
        const std::vector<Device> called = asCalledNow(m_devices, now);
        QCOMPARE(called[0].name, std::string("one"));
        QCOMPARE(called[1].name, std::string("renamed"));
        QCOMPARE(called[1].color, std::string("#ddaa33"));
    }

    void idsThatStandTwiceOrAreNegativeBecomeFreeOnes()
    {
        std::vector<Device> devices{{.logicalId = 2}, {.logicalId = 2}, {.logicalId = -1}, {.logicalId = 0}};
        makeIdsUnique(devices);
        std::vector<std::int64_t> ids;
        for (const Device& device : devices)
            ids.push_back(device.logicalId);
        QCOMPARE(ids, (std::vector<std::int64_t>{2, 1, 3, 0}));
    }

private:
    const std::vector<Device> m_devices{{.name = "one", .availableBytes = 100, .logicalId = 0},
                                        {.name = "two", .availableBytes = 200, .logicalId = 1}};
};

const test::Registered<DeviceTest> deviceTest("device_test");
#include "device_test.moc"
