#include "layout/box_layout.h"
#include "layout/dot/dot_effort.h"

#include "layout_graphs.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;
using namespace sunder::test;

namespace {

/// Counts its calls and returns the given answer.
class AskedEngine final : public LayoutEngine {
public:
    AskedEngine(int& asked, ErrorCode code, bool isBetter) : m_asked(asked), m_code(code), m_isBetter(isBetter) {}
    [[nodiscard]] Result<BoxLayout> layout(const BoxGraph& graph, const LayoutOptions& options,
                                           ProgressMonitor& monitor) const override
    {
        ++m_asked;
        if (!m_isBetter)
            return fail(m_code, "no layout");
        Result<BoxLayout> layout = makeLayeredEngine()->layout(graph, options, monitor);
        layout->crossings = 0;
        layout->size.width = kMark;
        return layout;
    }
    [[nodiscard]] const char* name() const override { return "asked"; }
    static constexpr float kMark = 12345;

private:
    int& m_asked;
    ErrorCode m_code;
    bool m_isBetter;
};

/// Five boxes that each feed five others, so crossings are unavoidable.
BoxGraph tangled(float width = 80)
{
    BoxGraph graph;
    graph.boxes.resize(10, {{width, 30}});
    for (unsigned a = 0; a < 5; ++a) {
        for (unsigned b = 5; b < 10; ++b)
            graph.edges.push_back({a, b});
    }
    return graph;
}

} // namespace

class AutomaticTest final : public QObject {
    Q_OBJECT
private slots:
    void predictsWhatDotCanDo_data()
    {
        QTest::addColumn<quint64>("boxes");
        QTest::addColumn<quint64>("dummies");
        QTest::addColumn<quint64>("fan");
        QTest::addColumn<int>("effort");
        QTest::newRow("small") << 100ULL << 50ULL << 5ULL << int(DotEffort::full);
        QTest::newRow("at the limit") << 1000ULL << 1500ULL << 1000ULL << int(DotEffort::full);
        QTest::newRow("long edges") << 100ULL << 1501ULL << 5ULL << int(DotEffort::bounded);
        QTest::newRow("many boxes") << 2000ULL << 12000ULL << 1500ULL << int(DotEffort::bounded);
        QTest::newRow("too many boxes") << 2001ULL << 0ULL << 1ULL << int(DotEffort::none);
        QTest::newRow("too long edges") << 100ULL << 12001ULL << 1ULL << int(DotEffort::none);
    }
    void predictsWhatDotCanDo()
    {
        QFETCH(quint64, boxes);
        QFETCH(quint64, dummies);
        QFETCH(quint64, fan);
        QFETCH(int, effort);
        QCOMPARE(int(predictDot({boxes, dummies, fan})), effort);
    }

    void measuresRanks()
    {
        BoxGraph graph = graphOfKind("chain"); // 12 boxes
        graph.edges.insert(graph.edges.end(), {{0, 11}, {0, 5}, {0, 5}});
        const layered::RankFigures figures = layered::measureRanks(graph);
        QCOMPARE(figures.boxes, std::uint64_t{12});
        QCOMPARE(figures.dummies, std::uint64_t{10 + 4 + 4});
        QCOMPARE(figures.fan, std::uint64_t{3});
    }

    void asksDotOnlyWhereItCanHelp()
    {
        int asked = 0;
        const auto engine = makeAutomaticEngine(std::make_unique<AskedEngine>(asked, ErrorCode::refused, false));
        QVERIFY(engine->layout(graphOfKind("u-net"), {}, ProgressMonitor::none()).has_value());
        QCOMPARE(asked, 0); // no crossings
        QVERIFY(engine->layout(randomGraph(1, 3000, 2, 50), {}, ProgressMonitor::none()).has_value());
        QCOMPARE(asked, 0); // too large
        QVERIFY(engine->layout(tangled(), {}, ProgressMonitor::none()).has_value());
        QCOMPARE(asked, 1);
    }

    void drawsWithoutDot()
    {
        const BoxGraph graph = tangled();
        int asked = 0;
        for (const ErrorCode code : {ErrorCode::refused, ErrorCode::io, ErrorCode::malformed}) {
            const auto engine = makeAutomaticEngine(std::make_unique<AskedEngine>(asked, code, false));
            const Result<BoxLayout> layout = engine->layout(graph, {}, ProgressMonitor::none());
            QVERIFY(layout.has_value());
            QCOMPARE(faultOf(graph, *layout), QString());
        }
        QVERIFY(makeAutomaticEngine(nullptr)->layout(graph, {}, ProgressMonitor::none()).has_value());
        QVERIFY(makeAutomaticEngine(makeDotEngine("/nowhere"))->layout(graph, {}, ProgressMonitor::none()).has_value());
    }

    void takesTheDrawingWithFewerCrossings()
    {
        int asked = 0;
        const auto engine = makeAutomaticEngine(std::make_unique<AskedEngine>(asked, ErrorCode::refused, true));
        const Result<BoxLayout> layout = engine->layout(tangled(), {}, ProgressMonitor::none());
        QVERIFY(layout.has_value());
        QCOMPARE(layout->size.width, AskedEngine::kMark);
    }

    void boundsAllBodiesOfAPicture()
    {
        int asked = 0;
        const auto engine = makeAutomaticEngine(std::make_unique<AskedEngine>(asked, ErrorCode::refused, true));
        const auto forPicture = engine->forPicture();
        std::vector<float> widths;
        for (int body = 0; body < 1000; ++body) {
            const Result<BoxLayout> layout = forPicture->layout(tangled(80 + static_cast<float>(body)), {},
                                                                ProgressMonitor::none());
            QVERIFY(layout.has_value());
            widths.push_back(layout->size.width);
        }
        QVERIFY2(asked > 10 && asked <= 50, qPrintable(QString::number(asked)));
        // Repeated bodies get the same layout at no cost.
        const int before = asked;
        for (int body = 0; body < 1000; ++body)
            QCOMPARE(forPicture->layout(tangled(80 + static_cast<float>(body)), {}, ProgressMonitor::none())->size.width,
                     widths[static_cast<std::size_t>(body)]);
        QCOMPARE(asked, before);
    }

    void everyPictureHasABudgetOfItsOwn()
    {
        int asked = 0;
        const auto engine = makeAutomaticEngine(std::make_unique<AskedEngine>(asked, ErrorCode::refused, true));
        for (int picture = 0; picture < 100; ++picture)
            QVERIFY(engine->forPicture()->layout(tangled(), {}, ProgressMonitor::none()).has_value());
        QCOMPARE(asked, 100);
    }

    void spendsTheBudgetWhereThereIsMostToGain()
    {
        DotBudget budget;
        QVERIFY(budget.allows(250, 10));
        QVERIFY(!budget.allows(251, 10));
        QVERIFY(!budget.allows(1, 0));
        QVERIFY(budget.allows(490, 1'000));
        budget.spend(480, 100);
        QVERIFY(!budget.allows(11, 10));
        QVERIFY(budget.allows(19, 1'000));
        budget.spend(30, 100); // more than the remaining budget
        QVERIFY(!budget.allows(1, 1'000'000));
    }

    void theClockIsTheLastResort()
    {
        DotBudget budget;
        budget.spend(10, 500);
        QCOMPARE(budget.millisecondsLeft(), 300U);
        QVERIFY(budget.allows(10, 100));
        budget.spend(10, 4'000);
        QCOMPARE(budget.millisecondsLeft(), 0U);
        QVERIFY(!budget.allows(10, 100));
    }

    void predictsTheWorkOfDot()
    {
        QCOMPARE(predictDotWork({800, 0, 5}).value_or(0), std::uint64_t{90});
        QCOMPARE(predictDotWork({100, 6'000, 5}).value_or(0), std::uint64_t{315});
        QVERIFY(!predictDotWork({3'000, 0, 5}));
    }

    void endsWhenDotIsCancelled()
    {
        int asked = 0;
        const auto engine = makeAutomaticEngine(std::make_unique<AskedEngine>(asked, ErrorCode::cancelled, false));
        const Result<BoxLayout> layout = engine->layout(tangled(), {}, ProgressMonitor::none());
        QVERIFY(!layout.has_value());
        QCOMPARE(layout.error().code, ErrorCode::cancelled);
    }
};

const test::Registered<AutomaticTest> automaticTest("automatic_test");
#include "automatic_test.moc"
