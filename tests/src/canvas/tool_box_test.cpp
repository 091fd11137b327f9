#include "canvas/tools/tool_box.h"

#include "scene_sketch.h"
#include "test_case.h"

#include <QTest>

using namespace sunder;

namespace {

/// A host that records the requests of tools.
class NotingHost final : public ToolHost {
public:
    [[nodiscard]] const CanvasScene& scene() const override { return m_sketch.scene; }
    [[nodiscard]] const Camera& camera() const override { return m_sketch.camera; }
    [[nodiscard]] ItemId itemAt(QPointF view) const override { return m_sketch.sight().itemAt(view); }
    [[nodiscard]] ItemId currentItem() const override { return m_sketch.closed; }
    [[nodiscard]] QSizeF viewSize() const override { return {2000, 2000}; }
    void pointFill(ItemId item, QPointF) override { asked << QStringLiteral("point %1").arg(item ? item.index() : 99); }
    void takeFill(ItemId) override { asked << QStringLiteral("fill"); }
    bool cancelFill() override { return false; }
    void requestTagOf(ItemId) override { asked << QStringLiteral("tag"); }
    [[nodiscard]] double brushRadius() const override { return 6; }
    [[nodiscard]] QColor strokeColor(StrokeKind) const override { return {}; }
    void panFrom(const Camera&, QPointF) override { asked << QStringLiteral("pan"); }
    void requestSelection(const std::vector<NodeId>& nodes, SelectionMode) override
    {
        asked << QStringLiteral("select %1").arg(nodes.size());
    }
    void makeCurrent(ItemId) override {}
    bool requestEdge(QPointF) override { return false; }
    void startStroke(StrokeKind kind) override
    {
        asked << (kind == StrokeKind::erase ? QStringLiteral("erase") : QStringLiteral("paint"));
    }
    void extendStroke(const std::vector<NodeId>& nodes) override { asked << QStringLiteral("take %1").arg(nodes.size()); }
    void finishStroke() override { asked << QStringLiteral("finish"); }
    void cancelStroke() override { asked << QStringLiteral("cancel"); }
    void requestOverlay() override {}

    [[nodiscard]] ToolEvent on(ItemId item, Qt::KeyboardModifiers modifiers = {}) const
    {
        return {m_sketch.middleOf(item), modifiers, item};
    }
    [[nodiscard]] const test::SketchedScene& sketch() const { return m_sketch; }

    QStringList asked;

private:
    test::SketchedScene m_sketch;
};

} // namespace

/// The tool that has the mouse.
class ToolBoxTest final : public QObject {
    Q_OBJECT

private slots:
    void beginsWithSelecting()
    {
        NotingHost host;
        ToolBox tools(host);
        QCOMPARE(tools.chosen(), ToolKind::select);
        QVERIFY(!tools.choose(ToolKind::select));
        QVERIFY(tools.press(Qt::LeftButton, host.on(host.sketch().closed)));
        QVERIFY(tools.isPressed());
        tools.release(host.on(host.sketch().closed));
        QVERIFY(!tools.isPressed());
        QCOMPARE(host.asked, QStringList("select 4"));
    }

    void onlyTheLeftButtonIsForTools()
    {
        NotingHost host;
        ToolBox tools(host);
        QVERIFY(!tools.press(Qt::RightButton, host.on(host.sketch().closed)));
        QVERIFY(!tools.isPressed());
        tools.release(host.on(host.sketch().closed));
        QVERIFY(host.asked.isEmpty());
    }

    void theBrushPaintsAndTheEraserErases()
    {
        NotingHost host;
        ToolBox tools(host);
        for (const auto& [kind, word] : {std::pair(ToolKind::brush, "paint"), std::pair(ToolKind::eraser, "erase")}) {
            host.asked.clear();
            QVERIFY(tools.choose(kind));
            tools.press(Qt::LeftButton, host.on(host.sketch().inside));
            tools.release(host.on(host.sketch().inside));
            QCOMPARE(host.asked, (QStringList{word, "take 1", "finish"}));
        }
    }

    void shiftSelectsWhateverIsChosen()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.choose(ToolKind::brush);
        tools.press(Qt::LeftButton, host.on(host.sketch().closed, Qt::ShiftModifier));
        tools.release(host.on(host.sketch().closed, Qt::ShiftModifier));
        QCOMPARE(host.asked, QStringList("select 4"));
    }

    void aStrokeIsCancelledOnce()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.choose(ToolKind::brush);
        QVERIFY(!tools.cancel());
        tools.press(Qt::LeftButton, host.on(host.sketch().inside));
        QVERIFY(tools.cancel());
        QVERIFY(!tools.isPressed());
        QVERIFY(!tools.cancel());
        QCOMPARE(host.asked.count(QStringLiteral("cancel")), 1);
    }

    void anotherToolGivesUpWhatIsUnderWay()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.choose(ToolKind::brush);
        tools.press(Qt::LeftButton, host.on(host.sketch().inside));
        QVERIFY(tools.choose(ToolKind::pan));
        QVERIFY(host.asked.contains(QStringLiteral("cancel")));
        QVERIFY(!tools.isPressed());
    }

    void aPressIsAbandonedWithItsPicture()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.abandonPress();
        QVERIFY(host.asked.isEmpty());
        tools.choose(ToolKind::brush);
        tools.press(Qt::LeftButton, host.on(host.sketch().inside));
        tools.abandonPress();
        QVERIFY(!tools.isPressed());
        QVERIFY(host.asked.contains(QStringLiteral("cancel")));
    }

    void fillPointsAtTheCurrentItemAndTakesWhatIsClicked()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.choose(ToolKind::fill);
        const QString point = QStringLiteral("point %1");
        QCOMPARE(host.asked, QStringList(point.arg(host.sketch().closed.index())));
        host.asked.clear();
        tools.move(host.on(host.sketch().inside));
        tools.press(Qt::LeftButton, host.on(host.sketch().inside));
        tools.release(host.on(host.sketch().inside));
        QCOMPARE(host.asked.count(QStringLiteral("fill")), 1);
        host.asked.clear();
        tools.press(Qt::LeftButton, host.on(host.sketch().inside));
        tools.release(host.on(host.sketch().closed)); // released elsewhere, which cancels it
        QVERIFY(!host.asked.contains(QStringLiteral("fill")));
    }

    void everyToolThatPaintsIsUsedByAKey_data()
    {
        QTest::addColumn<ToolKind>("kind");
        QTest::addColumn<QString>("asks");
        QTest::newRow("brush") << ToolKind::brush << "paint";
        QTest::newRow("eraser") << ToolKind::eraser << "erase";
        QTest::newRow("rectangle") << ToolKind::rectangle << "paint";
        QTest::newRow("lasso") << ToolKind::lasso << "paint";
        QTest::newRow("fill") << ToolKind::fill << "fill";
        QTest::newRow("wand") << ToolKind::wand << "fill";
        QTest::newRow("eyedropper") << ToolKind::eyedropper << "tag";
    }
    void everyToolThatPaintsIsUsedByAKey()
    {
        QFETCH(ToolKind, kind);
        QFETCH(QString, asks);
        NotingHost host;
        ToolBox tools(host);
        tools.choose(kind);
        host.asked.clear();
        QVERIFY(tools.use(host.sketch().closed));
        QCOMPARE(host.asked.count(asks), 1);
        host.asked.clear();
        tools.use({}); // no item
        QVERIFY(host.asked.isEmpty());
    }

    void lookingToolsAreNotUsedByAKey()
    {
        NotingHost host;
        ToolBox tools(host);
        QVERIFY(!tools.use(host.sketch().closed));
        tools.choose(ToolKind::pan);
        QVERIFY(!tools.use(host.sketch().closed));
    }

    void altTakesTheTagUnderTheBrush()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.choose(ToolKind::brush);
        tools.press(Qt::LeftButton, host.on(host.sketch().closed, Qt::AltModifier));
        tools.release(host.on(host.sketch().closed, Qt::AltModifier));
        QCOMPARE(host.asked, QStringList("tag"));
    }

    void theHandHasItsCursors()
    {
        NotingHost host;
        ToolBox tools(host);
        tools.choose(ToolKind::pan);
        QCOMPARE(tools.chosenCursor().shape(), Qt::OpenHandCursor);
        QVERIFY(!tools.pressedCursor());
        tools.press(Qt::LeftButton, host.on(host.sketch().inside));
        QCOMPARE(tools.pressedCursor()->shape(), Qt::ClosedHandCursor);
    }
};

const test::Registered<ToolBoxTest> toolBoxTest("tool_box_test");
#include "tool_box_test.moc"
