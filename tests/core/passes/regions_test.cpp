#include "passes/regions/find_regions.h"
#include "test_case.h"
#include "test_support.h"

#include <QTest>

using namespace sunder;

namespace {

/// Annotates nodes as a file would: "a: key 3; b: key 3 writes 0".
void annotate(Program& program, const QString& text)
{
    for (const QString& part : text.split(';', Qt::SkipEmptyParts)) {
        const NodeId id = program.rootGraph().find(intern(part.section(':', 0, 0).trimmed().toStdString()));
        const QStringList words = part.section(':', 1).split(' ', Qt::SkipEmptyParts);
        for (qsizetype i = 0; i + 1 < words.size(); i += 2) {
            if (words[i] == "key")
                program.rootGraph().meta(id).regionKey = intern(words[i + 1].toStdString());
            if (words[i] == "writes")
                program.rootGraph().meta(id).mutated = std::vector<std::int32_t>{words[i + 1].toInt()};
        }
    }
}

QStringList textOf(const Graph& graph, const RegionResult& result)
{
    QStringList lines;
    for (const RegionGroup& group : result.groups) {
        QStringList regions;
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            QStringList names;
            for (const NodeId id : group.region(i))
                names << QString::fromStdString(graph.node(id).name.str());
            regions << names.join(' ');
        }
        lines << regions.join(" | ");
    }
    return lines;
}

QStringList regionsOf(const char* text, const QString& notes, const RegionOptions& options = {}, QStringList* why = nullptr)
{
    Program program = test::programFromText(text);
    annotate(program, notes);
    const Result<RegionResult> result = findRegions(program, options);
    if (!result)
        return {QString::fromStdString(result.error().message)};
    if (why != nullptr)
        for (const RejectedRegion& region : result->rejected)
            *why << QString::fromStdString(region.why);
    return textOf(program.rootGraph(), *result);
}

const char* const kTwice = R"(
    x = placeholder()
    y = placeholder()
    a1 = sin(x)
    b1 = cos(a1)
    a2 = sin(y)
    b2 = cos(a2)
    s = add(b1, b2)
    out = output(s))";

} // namespace

class RegionsTest final : public QObject {
    Q_OBJECT
private slots:
    void findsCopiesByWhatNodesSay() { QCOMPARE(regionsOf(kTwice, {}), QStringList("a1 b1 | a2 b2")); }

    void takesTrackedKeysWhereThereAreSome()
    {
        QCOMPARE(regionsOf(kTwice, "a1: key p; b1: key q; a2: key p; b2: key r"), QStringList());
        QCOMPARE(regionsOf(kTwice, "a1: key p; b1: key q; a2: key p; b2: key q"), QStringList("a1 b1 | a2 b2"));
        QCOMPARE(regionsOf(kTwice, "a1: key p; b1: key q; a2: key p; b2: key r", {.key = RegionKey::structural}),
                 QStringList("a1 b1 | a2 b2"));
    }

    void keepsConstantsOfOtherTypesApart()
    {
        const char* const text = R"(
            x = placeholder()
            a1 = sin(x, 1)
            b1 = cos(a1)
            a2 = sin(b1, 1)
            b2 = cos(a2)
            out = output(b2))";
        QCOMPARE(regionsOf(text, {}), QStringList("a1 b1 | a2 b2"));
        Program program = test::programFromText(text);
        Graph& graph = program.rootGraph();
        const NodeId a2 = graph.find(intern("a2"));
        graph.rewriteConstants(a2, {graph.node(a2).args[0], Argument::boolean(true)}, {});
        QVERIFY(findRegions(program)->groups.empty());
    }

    void saysWhyARegionIsRejected_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("notes");
        QTest::addColumn<QString>("why");
        QTest::newRow("another target") << QString(kTwice).replace("cos(a2)", "tan(a2)")
                                        << "a1: key p; b1: key q; a2: key p; b2: key q"
                                        << "b2 and b1 of the first region have different targets";
        QTest::newRow("another wiring") << R"(
            x = placeholder()
            y = placeholder()
            a1 = sin(x)
            b1 = add(a1, a1)
            a2 = sin(y)
            b2 = add(a2, x)
            out = output(b1, b2))" << "a1: key p; b1: key q; a2: key p; b2: key q"
                                        << "b2 and b1 of the first region are connected differently";
        QTest::newRow("a write between its nodes")
            << R"(
            x = placeholder()
            a1 = sin(x)
            b1 = add(x, a1)
            a2 = sin(x)
            w = mul_(x)
            b2 = add(x, a2)
            out = output(b1, b2))"
            << "a1: key p; b1: key q; a2: key p; b2: key q; w: writes 0"
            << "b2 depends on w, which is outside the region and depends on another node of it, so the "
               "region cannot run as a unit";
    }
    void saysWhyARegionIsRejected()
    {
        QFETCH(QString, text);
        QFETCH(QString, notes);
        QFETCH(QString, why);
        QStringList reasons;
        QCOMPARE(regionsOf(text.toUtf8().constData(), notes, {}, &reasons), QStringList());
        QCOMPARE(reasons.value(0), why);
        QCOMPARE(reasons.value(1), QString("no other copy is left of the region that ends in b1"));
        QVERIFY(!regionsOf(text.toUtf8().constData(), notes, {.asUpstream = true}).isEmpty());
    }

    void refusesUseBeforeComputation()
    {
        Program program = test::programFromText(kTwice);
        Graph& graph = program.rootGraph();
        graph.moveBefore(graph.find(intern("b1")), graph.find(intern("a1")));
        const Result<RegionResult> result = findRegions(program);
        QVERIFY(!result);
        QCOMPARE(result.error().message, std::string("b1 uses a1 before it is computed"));
    }

    void findsBlocksOfALongChain()
    {
        QString text = "x = placeholder()\n";
        QString last = "x";
        for (int i = 0; i < 500; ++i) {
            text += QString("a%1 = sin(%2)\n b%1 = mul(a%1, %2)\n c%1 = add(b%1, %2)\n").arg(i).arg(last);
            last = QString("c%1").arg(i);
        }
        const Program program = test::programFromText((text + "out = output(" + last + ")").toStdString());
        const Result<RegionResult> result = findRegions(program);
        QCOMPARE(result->groups.size(), std::size_t{1});
        QCOMPARE(result->groups[0].regionCount(), std::size_t{500});
        QCOMPARE(result->groups[0].length, 3U);
    }

    void stopsWhenAsked()
    {
        struct Cancelled final : ProgressMonitor {
            void report(double, std::string_view) override {}
            [[nodiscard]] bool isCancelled() const override { return true; }
        } monitor;
        const Result<RegionResult> result = findRegions(test::programFromText(kTwice), {}, monitor);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::cancelled);
    }
};

const test::Registered<RegionsTest> regionsTest("regions_test");
#include "regions_test.moc"
