#include "panels/search_field.h"
#include "panes/regions/region_cards_panel.h"
#include "regions_fixture.h"
#include "test_case.h"

#include <QSignalSpy>
#include <QTabBar>

#include <algorithm>

using namespace sunder;

/// Links between the Regions pane and the source: a selection, hover, match, or tag in one shows in the other.
class WindowRegionsLinksTest final : public test::RegionsFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepareLayers(); }
    void init() { showWindow(); }
    void cleanup() { closeWindow(); }

    void goesToAnOccurrenceByMouseAndKeys()
    {
        find(false);
        clickRow(pane().rail(), 2);
        QCOMPARE(selected(), (std::vector{node("bent_2"), node("mixed_2"), node("done_2")}));
        QTest::keyClick(&pane().rail(), Qt::Key_Down);
        QCOMPARE(selected(), (std::vector{node("bent_3"), node("mixed_3"), node("done_3")}));
        QTest::keyClick(&pane().rail(), Qt::Key_Home);
        QCOMPARE(selected(), (std::vector{node("bent_0"), node("mixed_0"), node("done_0")}));
        QVERIFY(sourcePane().canvas().pictureStyle().selected.contains(node("mixed_0")));
    }

    void linksTheRepresentativeWithTheOccurrenceInSight()
    {
        find(false);
        clickRow(pane().rail(), 1);
        clickIn(pane().graph().canvas(), pane().graph().nodeAt(1));
        QCOMPARE(selected(), std::vector{node("mixed_1")});
        QCOMPARE(nodesInList(), (QStringList{"mixed_0", "mixed_1", "mixed_2", "mixed_3"}));
        clickRow(pane().elsewhere(), 3);
        QCOMPARE(selected(), std::vector{node("mixed_3")});
        QCOMPARE(pane().rail().currentIndex().row(), 3);
        // The other way round: a selection in the source is shown here.
        document().marks().select({node("done_2")});
        QCOMPARE(pane().rail().currentIndex().row(), 2);
        QVERIFY(pane().graph().canvas().pictureStyle().selected.contains(pane().graph().nodeAt(2)));
    }

    void anEdgeOfTheRegionIsOneOfTheOccurrenceInSight()
    {
        find(false);
        clickRow(pane().rail(), 2);
        sourcePane().view().openAll();
        GraphView& graph = pane().graph();
        graph.canvas().fitAll();
        settle();
        clickEdge(graph, pane().graph().nodeAt(0), pane().graph().nodeAt(1));
        const std::optional<SelectedEdge>& edge = document().marks().selection().edge;
        QVERIFY(edge);
        QCOMPARE(edge->run, 0);
        QCOMPARE(edge->ends(), (EdgeEnds{node("bent_2"), node("mixed_2")}));
        QVERIFY(graph.canvas().selectedEdge() >= 0);
        QVERIFY(sourcePane().canvas().selectedEdge() >= 0);
    }

    void anEdgeOfTheSourceIsShownInTheRegion()
    {
        find(false);
        clickRow(pane().rail(), 0);
        GraphView& source = sourcePane().view();
        source.openAll();
        settle();
        source.canvas().fitAll();
        settle();
        const std::int64_t before = pane().graph().canvas().selectedEdge();
        QCOMPARE(before, std::int64_t{-1});
        const std::int64_t at = edgeWith(*source.canvas().scenePicture(), {node("mixed_3"), node("done_3")});
        QVERIFY(at >= 0);
        source.pickEdge(static_cast<std::uint32_t>(at));
        QCOMPARE(pane().rail().currentIndex().row(), 3);
        QCOMPARE(pane().graph().canvas().selectedEdge(),
                 edgeWith(*pane().graph().canvas().scenePicture(), {pane().graph().nodeAt(1), pane().graph().nodeAt(2)}));
        document().marks().select({node("first")});
        QCOMPARE(pane().graph().canvas().selectedEdge(), std::int64_t{-1});
    }

    void anEdgeOutOfTheRegionIsThatOfItsOccurrence()
    {
        find(false);
        clickRow(pane().rail(), 1);
        GraphView& graph = pane().graph();
        graph.canvas().fitAll();
        settle();
        const auto edges = edgesAt(*graph.canvas().scenePicture(), graph.canvas().scene().itemOf(pane().graph().nodeAt(2)));
        graph.pickEdge(edges.back());
        QVERIFY(document().marks().selection().edge);
        QCOMPARE(document().marks().selection().edge->ends(), (EdgeEnds{node("done_1"), node("bent_2")}));
        QCOMPARE(pane().rail().currentIndex().row(), 1); // the row of the value, not of its reader
        QCOMPARE(graph.canvas().selectedEdge(), static_cast<std::int64_t>(edges.back()));
    }

    void hoveringShowsThePlaceInAllOccurrences()
    {
        find(false);
        CanvasWidget& canvas = pane().graph().canvas();
        canvas.fitAll();
        const ItemId item = canvas.picture()->itemOf[pane().graph().nodeAt(0).index()];
        QTest::mouseMove(&canvas, canvas.viewRectOf(item).center().toPoint());
        QTRY_COMPARE(document().marks().hovered(), (std::vector{node("bent_0"), node("bent_1"), node("bent_2"), node("bent_3")}));
        QCOMPARE(nodesInList(), (QStringList{"bent_0", "bent_1", "bent_2", "bent_3"}));
    }

    void announcesOnlyRowsThatChange()
    {
        find(false);
        QSignalSpy changes(pane().rail().model(), &QAbstractItemModel::dataChanged);
        QSignalSpy resets(pane().rail().model(), &QAbstractItemModel::modelReset);
        document().marks().setHovered({node("bent_1"), node("mixed_1"), node("done_1")}); // all ops of an occurrence
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0][0].toModelIndex().row(), 1);
        QCOMPARE(changes[0][1].toModelIndex().row(), 1);
        document().marks().setHovered({node("first")}); // in no occurrence
        QCOMPARE(changes.size(), 2);
        document().marks().setHovered({node("last")});
        QCOMPARE(changes.size(), 2);
        QCOMPARE(resets.size(), 0);
    }

    void hoveringOverOneOfAThousandOccurrencesAnnouncesTwoRows()
    {
        m_model = m_folder.filePath("thousand.fxj");
        QVERIFY(writeFxJson(test::programFromText(test::layers(1'000)), m_model.toStdString()).has_value());
        find(false);
        m_model = m_folder.filePath("layers.fxj");
        QCOMPARE(pane().rail().model()->rowCount(), 1'000);
        QTRY_COMPARE(namesInRail().value(999), QStringLiteral("layers.999"));
        document().marks().setHovered({node("bent_0")}); // every row shows its node at this position
        QSignalSpy changes(pane().rail().model(), &QAbstractItemModel::dataChanged);
        QSignalSpy resets(pane().rail().model(), &QAbstractItemModel::modelReset);
        for (int i = 1; i < 200; ++i) {
            document().marks().setHovered({node(("bent_" + std::to_string(i)).c_str())});
            QCOMPARE(changes.size(), i);
            QCOMPARE(rowsOf(changes.back()), 2); // the previous row and the current one
        }
        std::vector<NodeId> all;
        for (int i = 0; i < 1'000; ++i)
            all.push_back(node(("bent_" + std::to_string(i)).c_str()));
        changes.clear();
        document().marks().setHovered(std::move(all));
        QCOMPARE(changes.size(), 1); // one position of all rows, in a single change
        QCOMPARE(resets.size(), 0);
    }

    void hitsOfTheSearchAreMarkedInTheRepresentative()
    {
        find(false);
        widget<SearchField>().setText(QStringLiteral("mixed_3"));
        QVERIFY(pane().graph().canvas().pictureStyle().found.contains(pane().graph().nodeAt(1)));
        widget<SearchField>().clear();
        QVERIFY(pane().graph().canvas().pictureStyle().found.empty());
    }

    void leadsFromAReasonToTheNode()
    {
        find(false);
        QTRY_VERIFY(pane().reasons().model()->rowCount() > 0);
        clickRow(pane().reasons(), 0);
        QVERIFY(std::ranges::find(selected(), node("first")) != selected().end());
    }

    void callsInTheMainGraphWearTheTagsOfTheirOccurrence()
    {
        find(true);
        const SharedSubgraph& shared = document().runs().shown<RegionsOutcomePtr>()->dedup->subgraphs.front();
        QCOMPARE(shared.regions.size(), shared.calls.size());
        document().painting().paint(std::array{node("bent_1"), node("mixed_1")}, 0);
        document().painting().paint(std::array{node("done_1"), node("first")}, 1);
        pane().tabs().setCurrentIndex(1);
        CanvasWidget& main = pane().graphInFront()->canvas();
        QTRY_VERIFY(main.picture() != nullptr && !main.picture()->items.empty());
        const auto itemOfCall = [&](std::size_t occurrence) {
            const auto at = std::ranges::find(shared.regions, occurrence) - shared.regions.begin();
            return main.scene().itemOf(shared.calls[static_cast<std::size_t>(at)]);
        };
        const std::size_t painted = occurrenceWith("bent_1");
        QCOMPARE(main.scene().looks().strip(itemOfCall(painted)).size(), std::size_t(2));
        QVERIFY2(main.describeItem(itemOfCall(painted)).contains("stage0 67% (2 ops), stage1 33% (1 op)"),
                 qPrintable(main.describeItem(itemOfCall(painted))));
        QCOMPARE(main.scene().looks()[itemOfCall(occurrenceWith("bent_2"))].tag, PictureStyle::kUntagged);
        QCOMPARE(main.pictureStyle().tag(
                     document().runs().shown<RegionsOutcomePtr>()->dedup->program.rootGraph().find(intern("first"))),
                 1);

        widget<SearchField>().setText(QStringLiteral("mixed_2")); // one of four calls matches
        QVERIFY(main.scene().looks()[itemOfCall(occurrenceWith("mixed_2"))].found);
        QVERIFY(!main.scene().looks()[itemOfCall(painted)].found);
        widget<SearchField>().clear();
        document().marks().select({node("done_1")});
        QVERIFY(main.scene().looks()[itemOfCall(painted)].counterpart);
    }

private:
    /// Picks the edge as a click does.
    static void clickEdge(GraphView& graph, NodeId value, NodeId reader)
    {
        const std::int64_t at = edgeWith(*graph.canvas().scenePicture(), {value, reader});
        QVERIFY(at >= 0);
        const BezierPath& path = graph.canvas().picture()->edges[static_cast<std::size_t>(at)].path;
        const QPoint middle = graph.canvas().camera().toView(pointAt(path, path.size() / 3 / 2, 0.5F)).toPoint();
        QTest::mouseClick(&graph.canvas(), Qt::LeftButton, {}, middle);
    }

    /// Number of rows in a change.
    static int rowsOf(const QList<QVariant>& change)
    {
        return change[1].toModelIndex().row() - change[0].toModelIndex().row() + 1;
    }

    /// Index of the occurrence that contains this node.
    std::size_t occurrenceWith(const char* name)
    {
        const RegionGroup& group = document().runs().shown<RegionsOutcomePtr>()->regions.groups.front();
        const auto at = std::ranges::find(group.nodes, node(name)) - group.nodes.begin();
        return static_cast<std::size_t>(at) / group.length;
    }
};

const test::Registered<WindowRegionsLinksTest> windowRegionsLinksTest("window_regions_links_test");
#include "window_regions_links_test.moc"
