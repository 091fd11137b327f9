#include "layout/box_layout.h"
#include "layout/dot/dot_child_process.h"
#include "layout/dot/dot_protocol.h"

#include "layout_graphs.h"
#include "test_case.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cstring>
#include <thread>

#include <sys/wait.h>

using namespace sunder;
using namespace sunder::test;

namespace {

std::string ownPath()
{
    return QCoreApplication::applicationFilePath().toStdString();
}

/// Instrumented builds on a busy machine take seconds to start.
const LayoutOptions kPatient{.timeLimitMs = 60'000};

class Cancelled final : public ProgressMonitor {
public:
    void report(double, std::string_view) override {}
    [[nodiscard]] bool isCancelled() const override { return true; }
};

bool hasNoChildren()
{
    return ::waitpid(-1, nullptr, WNOHANG) < 0;
}

} // namespace

class DotTest final : public QObject {
    Q_OBJECT
private slots:
    void drawsSoundly_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"empty", "one box", "chain", "residual", "u-net", "experts", "mask", "loose boxes",
                                 "parallel edges", "zero-sized boxes", "tall next to small"})
            QTest::newRow(kind) << kind;
    }
    void drawsSoundly()
    {
        QFETCH(QString, kind);
        const BoxGraph graph = graphOfKind(kind);
        const Result<BoxLayout> layout = makeDotEngine(ownPath())->layout(graph, kPatient, ProgressMonitor::none());
        QVERIFY2(layout.has_value(), layout ? "" : layout.error().message.c_str());
        QCOMPARE(faultOf(graph, *layout), QString());
        QVERIFY(hasNoChildren());
    }

    void survivesCycles()
    {
        BoxGraph graph = graphOfKind("chain");
        graph.edges.insert(graph.edges.end(), {{5, 2}, {11, 0}, {3, 3}});
        const Result<BoxLayout> layout = makeDotEngine(ownPath())->layout(graph, kPatient, ProgressMonitor::none());
        QVERIFY(layout.has_value());
        QCOMPARE(overlapOf(graph, *layout), QString());
    }

    void worksFromSeveralThreads()
    {
        const BoxGraph graph = graphOfKind("experts");
        std::vector<std::thread> threads;
        std::atomic<int> sound = 0;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                const Result<BoxLayout> layout = makeDotEngine(ownPath())->layout(graph, kPatient, ProgressMonitor::none());
                sound += layout && faultOf(graph, *layout).isEmpty() ? 1 : 0;
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(sound.load(), 4);
    }

    void reportsWhatIsWrongWithTheChild_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("ends at once") << QByteArray("exit 0");
        QTest::newRow("fails") << QByteArray("cat > /dev/null; exit 3");
        QTest::newRow("writes garbage") << QByteArray("cat > /dev/null; echo garbage");
        QTest::newRow("writes without end") << QByteArray("yes");
        QTest::newRow("writes without reading") << QByteArray("exec 0<&-; echo hello");
        QTest::newRow("is killed") << QByteArray("kill -9 $$");
    }
    void reportsWhatIsWrongWithTheChild()
    {
        QFETCH(QByteArray, script);
        const BoxGraph graph = randomGraph(1, 20'000, 2, 5); // more than a socket buffer holds
        const Result<BoxLayout> layout = makeDotEngine(scripted(script))->layout(graph, kPatient, ProgressMonitor::none());
        QVERIFY(!layout.has_value());
        QVERIFY(layout.error().code != ErrorCode::cancelled);
        QVERIFY(!layout.error().message.empty());
        QVERIFY(hasNoChildren());
    }

    /// The child never ends unless it is killed.
    void killsTheChildAtTheLimit_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("says nothing") << QByteArray("exec sleep infinity");
        QTest::newRow("closes its output and stays") << QByteArray("exec 0<&- 1>&-; exec sleep infinity");
        QTest::newRow("will not be ended") << QByteArray("trap '' TERM INT HUP; while :; do :; done");
    }
    void killsTheChildAtTheLimit()
    {
        QFETCH(QByteArray, script);
        const Result<BoxLayout> layout =
            makeDotEngine(scripted(script))->layout(graphOfKind("chain"), {.timeLimitMs = 150}, ProgressMonitor::none());
        QVERIFY(!layout.has_value());
        QCOMPARE(layout.error().code, ErrorCode::refused);
        QVERIFY(hasNoChildren());
    }

    void endsTheChildWhenCancelled()
    {
        Cancelled monitor;
        const Result<BoxLayout> layout =
            makeDotEngine(scripted("exec sleep infinity"))->layout(graphOfKind("chain"), {}, monitor);
        QVERIFY(!layout.has_value());
        QCOMPARE(layout.error().code, ErrorCode::cancelled);
        QVERIFY(hasNoChildren());
    }

    void namesAProgramThatIsNotThere()
    {
        const Result<BoxLayout> layout =
            makeDotEngine("/nowhere/sunder-cli")->layout(graphOfKind("chain"), {}, ProgressMonitor::none());
        QVERIFY(!layout.has_value());
        QVERIFY(layout.error().message.find("/nowhere/sunder-cli") != std::string::npos);
    }

    void refusesDamagedRequests()
    {
        const std::string whole = dot::encodeRequest({.graph = graphOfKind("experts")});
        QVERIFY(dot::decodeRequest(whole).has_value());
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY(!dot::decodeRequest(std::string_view(whole).substr(0, length)).has_value());
        QVERIFY(!dot::decodeRequest(whole + "x").has_value());
        std::mt19937 random(1);
        for (int i = 0; i < 2000; ++i) {
            std::string damaged = whole;
            damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
            const auto request = dot::decodeRequest(damaged);
            for (std::size_t e = 0; request && e < request->graph.edges.size(); ++e)
                QVERIFY(request->graph.edges[e].to < request->graph.boxes.size());
        }
    }

    void refusesDamagedAnswers()
    {
        const std::string whole = dot::encodeAnswer({{1, 2}, {3, 4}});
        QVERIFY(dot::decodeAnswer(whole, 2).has_value());
        QVERIFY(!dot::decodeAnswer(whole, 3).has_value());
        QVERIFY(!dot::decodeAnswer(whole.substr(1), 2).has_value());
        QVERIFY(!dot::decodeAnswer(dot::encodeAnswer({{NAN, 2}, {3, 4}}), 2).has_value());
    }

private:
    std::string scripted(const QByteArray& script)
    {
        const QString path = m_folder.filePath(QString("child%1").arg(m_scripts++));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\n" + script + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path.toStdString();
    }

    QTemporaryDir m_folder;
    int m_scripts = 0;
};

const test::Registered<DotTest> dotTest("dot_test");
#include "dot_test.moc"
