#pragma once

#include "document/document.h"

#include <QString>

class QMenu;

namespace sunder {

/// Fills a menu with the costs that lists can show: `none`, then FLOPs, bytes, and seconds. A choice becomes Costs::listed().
void fillCostMenu(QMenu& menu, Document& document, const QString& none);

/// Returns the title of the cost in lists: "FLOPs"; empty if there is none.
QString listedCostTitle(const Document& document);

} // namespace sunder
