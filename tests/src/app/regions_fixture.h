#pragma once

#include "layered_text.h"
#include "panes/regions/regions_pane.h"
#include "window_fixture.h"

#include <string>

namespace sunder::test {

/// A chain of repeated layers with three ops each, between two other ops.
inline std::string layers(int count)
{
    return "x = placeholder() : 4\nfirst = call_function[torch.sin](x) : 4\n"
        + layersText({"bent_# = call_function[torch.mul](@, 2)", "mixed_# = call_function[torch.cos](@)",
                      "done_# = call_function[torch.tanh](@)"},
                     count, "first")
        + "last = call_function[torch.nn.functional.gelu](done_" + std::to_string(count - 1) + ") : 4\noutput(last)\n";
}

/// The window with its Regions pane.
class RegionsFixture : public WindowFixture {
protected:
    void prepareLayers()
    {
        prepare();
        m_model = m_folder.filePath("layers.fxj");
        QVERIFY(writeFxJson(programFromText(layers(4)), m_model.toStdString()).has_value());
    }

    RegionsPane& pane() { return widget<RegionsPane>(); }

    const std::vector<NodeId>& selected() { return document().marks().selection().source; }

    void find(bool share)
    {
        if (!document().isOpen())
            openModel();
        const int before = document().runs().shown(RegionsOutcome::kKind);
        (share ? actions().pass("deduplicate") : actions().pass("findRegions"))->trigger();
        QTRY_VERIFY(document().runs().shown(RegionsOutcome::kKind) != before);
        QVERIFY(pane().isVisible());
        QTRY_VERIFY(pane().graph().canvas().picture() != nullptr && !pane().graph().canvas().picture()->items.empty());
        settle();
    }

    static void clickRow(QListView& view, int row)
    {
        const QModelIndex index = view.model()->index(row, 0);
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }

    QStringList namesInRail()
    {
        QStringList names;
        for (int row = 0; row < pane().rail().model()->rowCount(); ++row)
            names << pane().rail().model()->index(row, 0).data().toString();
        return names;
    }

    QStringList nodesInList()
    {
        QStringList names;
        for (int row = 0; row < pane().elsewhere().model()->rowCount(); ++row)
            names << pane().elsewhere().model()->index(row, 0).data(OccurrenceModel::NodeRole).toString();
        return names;
    }
};

} // namespace sunder::test
