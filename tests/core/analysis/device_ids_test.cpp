#include "analysis/device.h"

#include "test_case.h"

#include <QTest>

using namespace sunder;

class DeviceIdsTest final : public QObject {
    Q_OBJECT
private slots:
    void idsThatStandTwiceOrAreNegativeBecomeFreeOnes()
    {
        std::vector<Device> devices{{.logicalId = 2}, {.logicalId = 2}, {.logicalId = -1}, {.logicalId = 0}};
        makeIdsUnique(devices);
        std::vector<std::int64_t> ids;
        for (const Device& device : devices)
            ids.push_back(device.logicalId);
        QCOMPARE(ids, (std::vector<std::int64_t>{2, 1, 3, 0}));
    }
};

const test::Registered<DeviceIdsTest> deviceIdsTest("device_ids_test");
#include "device_ids_test.moc"
