#include "panes/regions/region_painting.h"

#include "models/paint_menu.h"

namespace sunder {

void paintGroup(Document& document, const RegionGroupRef& group, int tag)
{
    if (tag >= 0)
        document.painting().paintList(group.regions().nodes, tag, group.title);
}

void addPaintActions(QMenu& menu, Document& document, const RegionGroupRef& group)
{
    addPaintActions(menu, document, {group.regions().nodes, group.title});
}

} // namespace sunder
