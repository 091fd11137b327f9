#include "answer.h"
#include "test_case.h"

#include <QJsonArray>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <memory>

using sunder::test::Answer;
using sunder::test::read;
using sunder::test::run;
using sunder::test::write;

/// sunder-cli costs with devices, measured costs, and node data.
class CostsCommandTest final : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        write(path("devices.json"),
              R"([{"name":"slow","available_mem_bytes":1,"memory_bandwidth_bytes_per_s":1e9,)"
              R"("rates":{"float32":1e9},"compute_efficiency":0.5,"launch_seconds":0},)"
              R"({"name":"fast","available_mem_bytes":1,"memory_bandwidth_bytes_per_s":1e12,)"
              R"("rates":{"float32":1e12},"speed":2}])");
    }

    void secondsFollowFromTheDevice()
    {
        const QJsonObject slow = costs({"--devices", path("devices.json")});
        const QJsonObject model = slow["model"].toObject();
        QCOMPARE(model["device"].toString(), QString("slow"));
        QCOMPARE(model["compute_efficiency"].toDouble(), 0.5);
        QCOMPARE(model["memory_efficiency"].toDouble(), 0.8);
        QCOMPARE(model["launch_seconds"].toDouble(), 0.0);
        const QJsonObject linear = slow["nodes"].toObject()["linear"].toObject();
        const double bytes = linear["bytes_read"].toDouble() + linear["bytes_written"].toDouble();
        QCOMPARE(linear["seconds"].toDouble(), std::max(linear["flops"].toDouble() / 0.5e9, bytes / 0.8e9));
        QCOMPARE(linear["source"].toString(), QString("model"));
        double sum = 0;
        const QJsonObject nodes = slow["nodes"].toObject();
        for (const QJsonValue node : nodes)
            sum += node.toObject()["seconds"].toDouble();
        QVERIFY(std::abs(slow["totals"].toObject()["seconds"].toDouble() - sum) < 1e-12);
        QCOMPARE(costs({"--devices", path("devices.json"), "--device", "fast"})["model"].toObject()["launch_seconds"].toDouble(),
                 5e-6);
        QVERIFY(!costs({})["totals"].toObject().contains("seconds"));
    }

    void measuredCostsWinAndAreWritten()
    {
        write(path("first.json"), R"({"nodes":{"linear":{"seconds":4,"extra_bytes":16}},"device":"npu"})");
        write(path("second.csv"), "node,seconds\nadd,6\n");
        const QStringList measured{"--costs", path("first.json"), "--costs", path("second.csv")};
        const QJsonObject answer = costs(
            measured + QStringList{"--devices", path("devices.json"), "--device", "fast", "-o", path("out.json")});
        const QJsonObject linear = answer["nodes"].toObject()["linear"].toObject();
        QCOMPARE(linear["seconds"].toDouble(), 2.0); // at twice the speed
        QCOMPARE(linear["extra_bytes"].toInt(), 16);
        QCOMPARE(linear["source"].toString(), path("first.json"));
        QCOMPARE(answer["totals"].toObject()["measured"].toInt(), 2);
        const QJsonObject again = costs({"--costs", path("out.json")});
        QCOMPARE(again["nodes"].toObject()["add"].toObject()["seconds"].toDouble(), 3.0);
        QCOMPARE(again["totals"].toObject()["without_seconds"].toInt(), 0);
        const Answer text = run(QStringList{"costs", kModel} + measured);
        QVERIFY2(text.out.contains("measured seconds: 2 ops, on npu"), qPrintable(text.out));
    }

    void badEntriesAreRefusedAndNothingIsWritten()
    {
        write(path("bad.json"), R"({"nodes":{"lineal":{"seconds":4}}})");
        write(path("links.json"),
              R"({"devices":[{"name":"a","available_mem_bytes":1},{"name":"b","available_mem_bytes":1}],)"
              R"("links":[{"from":"a","to":"c","bandwidth_bytes_per_s":1}]})");
        write(path("empty.json"), R"([{"name":"npu","available_mem_bytes":1}])");
        const auto refused = [this](const QStringList& options, int status, const char* said) {
            const Answer answer = run(QStringList{"costs", kModel, "-o", path("out.json")} + options);
            QCOMPARE(answer.status, status);
            QVERIFY2(answer.err.contains(said), qPrintable(answer.err));
            QVERIFY(!QFile::exists(path("out.json")));
        };
        refused({"--costs", path("bad.json")}, 1, "nodes.lineal");
        refused({"--devices", path("links.json")}, 3, "links[0].to");
        refused({"--devices", path("empty.json")}, 1, "device \"npu\" has no");
        refused({"--devices", path("devices.json"), "--device", "other"}, 2, "no device \"other\"");
        refused({}, 2, "--devices");
    }

    void nodeDataIsReadBackAsSeconds()
    {
        const Answer written = run({"costs", kModel, "--devices", path("devices.json"), "--node-data", path("data.json")});
        QCOMPARE(written.status, 0);
        const QJsonObject data = QJsonDocument::fromJson(read(path("data.json"))).object()["main"].toObject();
        QCOMPARE(data["name"].toString(), QString("seconds"));
        const QJsonObject again = costs({"--costs", path("data.json")});
        QCOMPARE(again["nodes"].toObject()["linear"].toObject()["seconds"].toDouble(),
                 data["results"].toObject()["linear"].toObject()["value"].toDouble());
        QCOMPARE(run({"costs", kModel, "--node-data", path("flops.json")}).status, 0);
        QCOMPARE(QJsonDocument::fromJson(read(path("flops.json"))).object()["main"].toObject()["name"].toString(),
                 QString("flops"));
        QCOMPARE(run({"costs", kModel, "--node-data", path("none.json"), "--figure", "seconds"}).status, 2);
        QVERIFY(!QFile::exists(path("none.json")));
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(name); }

    [[nodiscard]] static QJsonObject costs(const QStringList& options)
    {
        const Answer answer = run(QStringList{"costs", kModel, "--json"} + options);
        if (answer.status != 0)
            qFatal("%s", qPrintable(answer.err));
        return answer.json();
    }

    static constexpr const char* kModel = SUNDER_SOURCE "/resources/samples/transformer.pt2";
    std::unique_ptr<QTemporaryDir> m_folder;
};

const sunder::test::Registered<CostsCommandTest> costsCommandTest("costs_command_test");
#include "costs_command_test.moc"
