// Clicks on an op whose weights are folded into its box.
#include "models/inspector_model.h"
#include "panels/inspector_panel.h"
#include "test_case.h"
#include "window_fixture.h"

using namespace sunder;

class WindowWeightsTest final : public test::WindowFixture {
    Q_OBJECT

private slots:
    void init()
    {
        prepare();
        showWindow();
    }
    void cleanup() { closeWindow(); }

    void aClickOnAnOpWithWeightsShowsTheOp()
    {
        openSample();
        settle();
        sourcePane().view().openAll();
        settle();
        const NodeId op = opWithFoldedWeights();
        QVERIFY(op.isValid());
        clickIn(sourcePane().canvas(), op);
        QVERIFY(document().marks().selection().source.size() > 1);
        const QString name = QString::fromStdString(document().graph()[op].name.str());
        QCOMPARE(valueOf("node"), name);
        for (const char* key : {"target", "output", "module", "args", "from"})
            QVERIFY2(!valueOf(key).isEmpty(), key);
        const QModelIndex weight = lineCalled("parameter");
        QVERIFY(weight.isValid());
        view().expand(weight);
        QVERIFY(test::comes([this] { return !valueOf("mean").isEmpty(); }));
        QVERIFY(!valueOf("dtype").isEmpty());
        QVERIFY(!valueOf("values").isEmpty());
    }

private:
    QTreeView& view() const { return widget<InspectorPanel>().view(); }

    /// An op with its own box that also shows weights.
    NodeId opWithFoldedWeights() const
    {
        const auto& picture = sourcePane().canvas().picture();
        for (const Item& item : picture->items)
            if (item.kind == ItemKind::node && item.opCount == 1 && item.bytes > 0 && item.nodes.size() == 3)
                return item.node;
        return {};
    }

    QModelIndex lineCalled(const QString& key) const
    {
        const QModelIndexList lines = view().model()->match(view().model()->index(0, 0), Qt::DisplayRole, key, 1,
                                                            Qt::MatchExactly | Qt::MatchCaseSensitive | Qt::MatchRecursive);
        return lines.isEmpty() ? QModelIndex() : lines.front();
    }
    QString valueOf(const QString& key) const { return lineCalled(key).siblingAtColumn(1).data().toString(); }
};

const test::Registered<WindowWeightsTest> windowWeightsTest("window_weights_test");
#include "window_weights_test.moc"
