#include "app/pane_table.h"

#include "panes/compare/compare_pane.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/moves/moves_pane.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/regions/regions_pane.h"
#include "panes/submodules/submodules_pane.h"
#include "panes/timeline/timeline_pane.h"
#include "text/shown_text.h"

namespace sunder {
namespace {

/// Creates a pane that draws graphs.
template <typename T>
Pane* makeDrawing(Document& document, Jobs& jobs, const std::shared_ptr<const LayoutEngine>& engine, QWidget* parent)
{
    return new T(document, jobs, engine, parent);
}

/// Creates a pane that computes in jobs.
template <typename T>
Pane* makeComputing(Document& document, Jobs& jobs, const std::shared_ptr<const LayoutEngine>&, QWidget* parent)
{
    return new T(document, jobs, parent);
}

/// Creates a pane that needs only the document.
template <typename T>
Pane* makePlain(Document& document, Jobs&, const std::shared_ptr<const LayoutEngine>&, QWidget* parent)
{
    return new T(document, parent);
}

} // namespace

const std::vector<PaneDescription>& paneTable()
{
    static const std::vector<PaneDescription> all = {
        {QStringLiteral("submodules"), makeDrawing<SubmodulesPane>},
        {QStringLiteral("partitionDag"), makeDrawing<PartitionDagPane>, true},
        {QStringLiteral("regions"), makeDrawing<RegionsPane>},
        {QStringLiteral("hierarchy"), makeDrawing<HierarchyPane>},
        {QStringLiteral("moves"), makePlain<MovesPane>},
        {QStringLiteral("compare"), makeDrawing<ComparePane>},
        {QStringLiteral("timeline"), makeComputing<TimelinePane>},
    };
    return all;
}

const std::vector<Arrangement>& arrangements()
{
    static const std::vector<Arrangement> all = {
        {QStringLiteral("arrange-to-paint"),
         tr("Arrange for &painting"),
         QKeySequence(Qt::Key_F5),
         tr("Show only the source"),
         {}},
        {QStringLiteral("arrange-to-split"),
         tr("Arrange for &splitting"),
         QKeySequence(Qt::Key_F6),
         tr("Show the source and the submodules"),
         {QStringLiteral("submodules")}},
        {QStringLiteral("arrange-to-partition"),
         tr("Arrange for p&artitioning"),
         QKeySequence(Qt::Key_F7),
         tr("Show the source, the partition DAG, and the submodules"),
         {QStringLiteral("submodules"), QStringLiteral("partitionDag")}},
        {QStringLiteral("arrange-to-deduplicate"),
         tr("Arrange for &deduplication"),
         QKeySequence(Qt::Key_F8),
         tr("Show the source and the repeated regions"),
         {QStringLiteral("hierarchy"), QStringLiteral("regions")}},
        {QStringLiteral("arrange-to-pipeline"),
         tr("Arrange for pip&elining"),
         QKeySequence(Qt::Key_F11),
         tr("Show the source and the timeline"),
         {QStringLiteral("timeline")}},
    };
    return all;
}

} // namespace sunder
