#pragma once

#include "app/workspace.h"
#include "models/elided_label.h"
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/node_drag.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/shown_cut.h"
#include "panes/partition_dag/tensor_list.h"
#include "window_fixture.h"

#include <QDropEvent>
#include <QLabel>
#include <QMimeData>

#include <algorithm>

namespace sunder::test {

/// The real window with a chain of ops that is cut over devices or by tags.
class PartitionFixture : public WindowFixture {
protected:
    void prepareRow()
    {
        prepare();
        m_row = rowOf(12);
    }

    /// Writes a file with a chain of ops c0, c1 … Returns its path.
    QString rowOf(int ops)
    {
        const QString path = m_folder.filePath(QStringLiteral("row%1.fxj").arg(ops));
        std::string lines = "x = placeholder() : 8x4\n";
        for (int i = 0; i < ops; ++i)
            lines += "c" + std::to_string(i) + " = relu(" + (i == 0 ? "x" : "c" + std::to_string(i - 1)) + ") : 8x4\n";
        const std::string output = "output(c" + std::to_string(ops - 1) + ")\n";
        if (!writeFxJson(programFromText(lines + output), path.toStdString()))
            qFatal("%s cannot be written", qPrintable(path));
        return path;
    }

    void showRow()
    {
        QSettings().clear();
        m_model = m_row;
        showWindow();
    }

    PartitionDagPane& dag() { return workspace().partitionDag(); }
    DagView& view() { return childOf<DagView>(dag()); }
    PartGraphs& graphs() { return childOf<PartGraphs>(dag()); }
    PartMover& mover() { return childOf<PartMover>(dag()); }
    TensorList& tensors() { return childOf<TensorList>(dag()); }
    PartitionPreview& preview() { return childOf<PartitionPreview>(dag()); }
    const CutMeasurePtr& measure() { return childOf<ShownCut>(dag()).measure(); }
    QString totals() { return view().content().totals; }
    QString torchCount() { return childOf<ElidedLabel>(dag(), QStringLiteral("torchCount")).line(); }
    QPushButton& dagButton() { return childOf<QPushButton>(dag(), QStringLiteral("noticeButton")); }
    QString dagNotice() { return shownText(QStringLiteral("notice"), QStringLiteral("noticeText")); }
    QString dagReason() { return shownText(QStringLiteral("reason"), QStringLiteral("reason")); }

    void setDevices(int count, double bytes)
    {
        std::vector<Device> devices;
        for (int i = 0; i < count; ++i)
            devices.push_back({.name = "dev" + std::to_string(i), .availableBytes = bytes, .logicalId = i});
        document().devices().set(std::move(devices), "devices");
    }

    /// A chain of twelve ops of 128 B over three devices.
    void partition()
    {
        openModel();
        setDevices(3, 700);
        workflow().partition({.config = {.devices = document().devices().list()}});
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QTRY_VERIFY(measure() != nullptr);
        QCOMPARE(view().content().boxes.size(), 3U);
    }

    void splitChain() { splitInTo(2, 6); }

    /// Splits a chain into equal consecutive parts.
    void splitInTo(int parts, int opsEach)
    {
        m_model = rowOf(parts * opsEach);
        openModel();
        for (int part = 0; part < parts; ++part) {
            if (part >= document().tagCount())
                document().tagList().add();
            std::vector<NodeId> ops;
            for (int i = 0; i < opsEach; ++i)
                ops.push_back(call(part * opsEach + i));
            document().painting().paint(ops, part);
        }
        actions().pass("split")->trigger();
        QTRY_VERIFY(document().runs().shownSplit() != nullptr);
        QTRY_VERIFY(measure() != nullptr);
        QCOMPARE(view().content().boxes.size(), static_cast<std::size_t>(parts));
    }

    NodeId call(int i) const { return node(("c" + std::to_string(i)).c_str()); }
    QPoint centerOf(DagHit place) { return view().viewRectOf(place).center().toPoint(); }
    static DagHit box(int index) { return {DagHit::Kind::box, index}; }
    static DagHit cutEdge(int index) { return {DagHit::Kind::cutEdge, index}; }

    void dragOver(const std::vector<NodeId>& nodes, DagHit place, bool drop)
    {
        const std::unique_ptr<QMimeData> data(mimeOf(nodes));
        const QPoint at = centerOf(place);
        QDragEnterEvent enter(at, Qt::MoveAction, data.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, Qt::MoveAction, data.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &move);
        if (!drop)
            return;
        QDropEvent dropped(at, Qt::MoveAction, data.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(view().viewport(), &dropped);
    }

    int chipOf(int index, bool leaves)
    {
        const auto& chips = view().layoutOfContent().chips;
        const auto at = std::ranges::find_if(
            chips, [&](const DagChip& chip) { return chip.box == static_cast<std::size_t>(index) && chip.leaves == leaves; });
        return at == chips.end() ? -1 : static_cast<int>(at - chips.begin());
    }
    DagHit chip(int index, bool leaves) { return {DagHit::Kind::chip, chipOf(index, leaves)}; }

    RunGraphView* graphIn(int index) { return graphs().graphOf(view().content().boxes[static_cast<std::size_t>(index)].part); }

    /// Returns the text of a label of the DAG; empty while `holder` is hidden.
    QString shownText(const QString& holder, const QString& label)
    {
        return childOf<QWidget>(dag(), holder).isHidden() ? QString() : childOf<QLabel>(dag(), label).text();
    }

    QString m_row; ///< a chain of twelve ops
};

} // namespace sunder::test
