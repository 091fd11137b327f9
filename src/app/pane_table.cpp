#include "app/pane_table.h"

#include "panes/compare/compare_pane.h"
#include "panes/hierarchy/hierarchy_pane.h"
#include "panes/moves/moves_pane.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/regions/regions_pane.h"
#include "panes/submodules/submodules_pane.h"
#include "text/shown_text.h"

namespace sunder {
namespace {

/// Creates a pane that draws graphs.
template <typename T>
Pane* makeDrawing(Document& document, Jobs& jobs, const std::shared_ptr<const LayoutEngine>& engine, QWidget* parent)
{
    return new T(document, jobs, engine, parent);
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
    };
    return all;
}

const std::vector<Arrangement>& arrangements()
{
    static const std::vector<Arrangement> all = {
        {tr("Arrange to &paint"), QKeySequence(Qt::Key_F5), tr("The source alone"), {}},
        {tr("Arrange to &split"),
         QKeySequence(Qt::Key_F6),
         tr("The source beside the submodules"),
         {QStringLiteral("submodules")}},
        {tr("Arrange to p&artition"),
         QKeySequence(Qt::Key_F7),
         tr("The source beside the partition DAG and the submodules"),
         {QStringLiteral("submodules"), QStringLiteral("partitionDag")}},
        {tr("Arrange to &deduplicate"),
         QKeySequence(Qt::Key_F8),
         tr("The source beside the repeated regions"),
         {QStringLiteral("hierarchy"), QStringLiteral("regions")}},
    };
    return all;
}

} // namespace sunder
