#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/device_mapping.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

class EvenDevicesTest final : public QObject {
    Q_OBJECT

private:
    static Program chain(int length)
    {
        std::string lines = "x0 = placeholder() : 1x4\n";
        for (int i = 0; i < length; ++i)
            lines += "x" + std::to_string(i + 1) + " = f(x" + std::to_string(i) + ") : 1x4\n";
        return test::programFromText(lines + "output(x" + std::to_string(length) + ")\n");
    }

    static std::size_t partsOver(const Program& program, int count, std::uint64_t bytes)
    {
        PartitionerConfig config;
        for (int i = 0; i < count; ++i)
            config.devices.push_back({.name = {}, .availableBytes = static_cast<double>(bytes), .logicalId = i});
        const Result<PartitionResult> made = acceleratorPartition(program, config);
        return made ? made->split.parts.size() : 0;
    }

private slots:
    void holdsAModelOnAsManyDevicesAsWereAskedFor()
    {
        for (const int count : {2, 3, 5}) {
            const Program program = chain(60);
            const Result<std::uint64_t> bytes = evenDeviceBytes(program, static_cast<std::uint32_t>(count));
            QVERIFY(bytes.has_value());
            QCOMPARE(partsOver(program, count, *bytes), static_cast<std::size_t>(count));
        }
    }

    void roundsToThreeDigits()
    {
        const Result<std::uint64_t> bytes = evenDeviceBytes(chain(1000), 3);
        QVERIFY(bytes.has_value());
        QVERIFY2(*bytes >= 1000 && *bytes % 10 == 0, qPrintable(QString::number(*bytes)));
    }

    void refusesWhatCannotBeSpread()
    {
        QVERIFY(!evenDeviceBytes(chain(60), 1));
        QVERIFY(!evenDeviceBytes(chain(0), 2));
        const Result<std::uint64_t> one = evenDeviceBytes(chain(1), 2);
        QVERIFY(!one);
        QVERIFY2(one.error().message.find("cannot be distributed") != std::string::npos, one.error().message.c_str());
    }

    void namesTheNodeWhoseSizeIsNotKnown()
    {
        const Result<std::uint64_t> bytes = evenDeviceBytes(test::programFromText("x = placeholder() : 1x4\n"
                                                                                  "odd = f(x)\n"
                                                                                  "output(odd)\n"),
                                                            2);
        QVERIFY(!bytes);
        QVERIFY2(bytes.error().message.find("odd") != std::string::npos, bytes.error().message.c_str());
    }
};

const test::Registered<EvenDevicesTest> evenDevicesTest("even_devices_test");
#include "even_devices_test.moc"
