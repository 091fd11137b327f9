#include "panes/regions/region_list.h"

namespace sunder {

QListView* makeRegionList(QAbstractItemModel& model, const QString& name, const QString& description, QWidget* parent)
{
    auto* list = new QListView(parent);
    list->setModel(&model);
    list->setMouseTracking(true);
    list->setResizeMode(QListView::Adjust); // delegates measure by the width
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list->setAccessibleName(name);
    list->setAccessibleDescription(description);
    return list;
}

} // namespace sunder
