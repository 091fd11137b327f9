#include "partition_fixture.h"
#include "test_case.h"

#include <QAccessible>
#include <QMimeData>
#include <QScrollBar>

using namespace sunder;

/// Twelve parts that all read a mask of the first one, in the real window and in low views.
class WindowDagSharedTest final : public test::PartitionFixture {
    Q_OBJECT

private:
    static constexpr int kParts = 12;
    static constexpr int kOps = 2; ///< per part

    /// A chain in which every op reads the mask, including the first op.
    QString masked()
    {
        const QString path = m_folder.filePath("masked.fxj");
        std::string lines = "x = placeholder() : 8x4\nc0 = triu(x) : 10x10\n";
        for (int i = 1; i < kParts * kOps; ++i)
            lines += "c" + std::to_string(i) + " = add(" + (i == 1 ? "x" : "c" + std::to_string(i - 1)) + ", c0) : 8x4\n";
        const std::string output = "output(c" + std::to_string(kParts * kOps - 1) + ")\n";
        if (!writeFxJson(test::programFromText(lines + output), path.toStdString()))
            qFatal("%s cannot be written", qPrintable(path));
        return path;
    }

    int sharedChipOf(int index)
    {
        const auto& chips = view().layoutOfContent().chips;
        const auto at = std::ranges::find_if(
            chips, [&](const DagChip& chip) { return chip.box == static_cast<std::size_t>(index) && chip.shared == 0; });
        return at == chips.end() ? -1 : static_cast<int>(at - chips.begin());
    }
    DagHit sharedChip(int index) { return {DagHit::Kind::chip, sharedChipOf(index)}; }
    std::vector<SharedLine> lines() { return shownLines(view().content(), view().layoutOfContent(), view().marks()); }

    /// Checks that no text covers another one.
    static void checkNothingIsCovered(const DagView& shown)
    {
        const DagLayout& layout = shown.layoutOfContent();
        std::vector<QRectF> written = layout.laneTitles;
        std::erase_if(written, [](const QRectF& title) { return title.isEmpty(); });
        written.insert(written.end(), layout.boxes.begin(), layout.boxes.end());
        for (const DagLayout::CutEdgeShape& cutEdge : layout.cutEdges)
            if (!cutEdge.label.isEmpty())
                written.push_back(cutEdge.label);
        for (const DagChip& chip : layout.chips)
            if (chip.isBeside)
                written.push_back(chip.rect);
        for (std::size_t a = 0; a < written.size(); ++a) {
            QVERIFY(QRectF(shown.viewport()->rect())
                        .contains(QRectF(written[a].topLeft() * shown.zoom(), written[a].size() * shown.zoom())));
            for (std::size_t b = a + 1; b < written.size(); ++b)
                QVERIFY2(!written[a].intersects(written[b]), qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
        }
    }

    void checkThatTheyFit(int height, bool hasDevices)
    {
        if (hasDevices)
            setDevices(kParts, 700);
        DagView shown;
        shown.setContent(view().content());
        shown.resize(560, height);
        shown.show();
        QCOMPARE(shown.verticalScrollBar()->maximum(), 0);
        QCOMPARE(shown.horizontalScrollBar()->maximum(), 0);
        QVERIFY(!shown.layoutOfContent().isFar);
        QVERIFY(shown.zoom() * logicalPixelSize(pictureFonts().detail) >= 8);
        for (const DagLane& lane : shown.content().lanes)
            QVERIFY(hasDevices ? lane.name.startsWith("dev") : lane.name.isEmpty()); // without devices, the box shows the name
        const DagLayout& layout = shown.layoutOfContent();
        QVERIFY(std::ranges::all_of(layout.cutEdges, [](const auto& cutEdge) { return !cutEdge.label.isEmpty(); }));
        checkNothingIsCovered(shown);
    }

private slots:
    void initTestCase() { prepareRow(); }
    void init()
    {
        showRow();
        m_model = masked();
        openModel();
        for (int part = 0; part < kParts; ++part) {
            if (part >= document().tagCount())
                document().tagList().add();
            document().painting().paint(std::vector{call(part * kOps), call(part * kOps + 1)}, part);
        }
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QTRY_VERIFY(measure() != nullptr);
    }
    void cleanup() { closeWindow(); }

    void whatManyReadIsAChipAtEachAndInNoCutEdge()
    {
        QCOMPARE(view().content().shared.size(), 1U);
        QCOMPARE(view().content().cutEdges.size(), static_cast<std::size_t>(kParts - 1)); // between neighboring parts
        for (const DagCutEdge& cutEdge : view().content().cutEdges)
            QCOMPARE(cutEdge.label, QString("1 tensor · 128 B"));
        const auto& chips = view().layoutOfContent().chips;
        QVERIFY(textOf(view().content(), chips[static_cast<std::size_t>(sharedChipOf(0))]).startsWith("c0"));
        QVERIFY(view().describe(sharedChip(0)).contains("used by 11 parts"));
        for (int part = 1; part < kParts; ++part)
            QCOMPARE(textOf(view().content(), chips[static_cast<std::size_t>(sharedChipOf(part))]), QString("c0 400 B"));
        QVERIFY2(totals().startsWith("cut 5.8 kB"), qPrintable(totals())); // 11 × 128 B, and 11 × 400 B
        QVERIFY(view().content().totalsTip.contains("1 value"));
    }

    void twelvePartsFitAndRead()
    {
        for (const bool hasDevices : {false, true})
            for (const int height : {300, 360, 430, 541, 600, 1400})
                checkThatTheyFit(height, hasDevices);
    }
    void labelsStandBesideCutEdgesBetweenBoxesOfOneLine()
    {
        DagView shown;
        shown.setContent(view().content());
        shown.resize(560, 541);
        shown.show();
        const DagLayout& layout = shown.layoutOfContent();
        QVERIFY(layout.isCompact && !layout.isDense);
        for (const DagLayout::CutEdgeShape& cutEdge : layout.cutEdges)
            QVERIFY(cutEdge.label.left() > cutEdge.tip.x());
    }

    void whatCoversNeighborsWaitsUntilItIsAskedFor()
    {
        DagView shown;
        shown.setContent(view().content());
        shown.resize(560, 300);
        shown.show();
        const DagLayout& layout = shown.layoutOfContent();
        QVERIFY(layout.isDense);
        const auto handles = [&] {
            return std::ranges::count_if(shownChips(layout, shown.marks()),
                                         [&](std::size_t chip) { return !layout.chips[chip].isBeside; });
        };
        QCOMPARE(handles(), 0);
        const auto handle = std::ranges::find_if(layout.chips, [](const DagChip& chip) { return chip.handle >= 0; });
        shown.setCurrent({DagHit::Kind::chip, static_cast<int>(handle - layout.chips.begin())});
        QVERIFY(handles() > 0);
    }

    void aChipShowsItsLineWhileThePersonPointsAtIt()
    {
        QVERIFY(lines().empty());
        QTest::mouseMove(view().viewport(), centerOf(sharedChip(7)));
        QTRY_COMPARE(lines(), (std::vector{SharedLine{0, 7}}));
        QCOMPARE(document().marks().hovered(), std::vector{call(0)});
        QTest::mouseMove(view().viewport(), centerOf(sharedChip(0)));
        QTRY_COMPARE(lines().size(), 11U);
        QTest::mouseMove(view().viewport(), centerOf(box(4)));
        QTRY_VERIFY(lines().empty());
    }

    void aClickSelectsTheValueAndEnterListsItsReaders()
    {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, centerOf(sharedChip(5)));
        QCOMPARE(document().marks().selection().source, std::vector{call(0)});
        QCOMPARE(lines().size(), 11U);
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_Return);
        QVERIFY(tensors().isVisible());
        QCOMPARE(tensors().model().rowCount(), 11);
    }

    void keysAndScreenReadersReachChips()
    {
        view().setFocus();
        view().setCurrent(box(5));
        for (int i = 0; i < 4 && view().current() != sharedChip(5); ++i)
            QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current(), sharedChip(5));
        QTRY_COMPARE(lines(), (std::vector{SharedLine{0, 5}})); // once it is painted with the focus
        QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(&view());
        QVERIFY(seen != nullptr);
        QVERIFY(seen->focusChild() != nullptr);
        QVERIFY(seen->focusChild()->text(QAccessible::Name).contains("c0, 400 B: produced in "));
    }

    void figuresSayWhatIsTooMuchWhereTheyHaveNoRoom()
    {
        setDevices(kParts, 700);
        const auto overflowing = std::ranges::find_if(view().content().boxes, [](const DagBox& box) { return box.overflow > 0; });
        QVERIFY(overflowing != view().content().boxes.end());
        QCOMPARE(overflowing->brief, signedBytes(-static_cast<std::int64_t>(overflowing->overflow)));
        QVERIFY(overflowing->amount.startsWith(overflowing->brief));
    }

    void theBoundaryListSaysIt()
    {
        TensorModel rows;
        rows.setRows(measure()->source(), boundaryRowsOf(*measure(), 5));
        QStringList ways;
        for (int row = 0; row < rows.rowCount(); ++row)
            ways << rows.index(row, TensorModel::WayColumn).data().toString();
        QVERIFY2(ways.join("; ").contains("used by 11 parts"), qPrintable(ways.join("; ")));
    }
};

const test::Registered<WindowDagSharedTest> windowDagSharedTest("window_dag_shared_test");
#include "window_dag_shared_test.moc"
