#pragma once

#include <QListView>

namespace sunder {

/// A list as the Regions pane has them: for reading and choosing, rows as wide as the list and measured by its width.
QListView* makeRegionList(QAbstractItemModel& model, const QString& name, const QString& description, QWidget* parent);

} // namespace sunder
