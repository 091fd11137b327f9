#pragma once

#include "document/document.h"
#include "layout/box_layout.h"

#include <QKeySequence>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <vector>

namespace sunder {

class Pane;

/// A pane that can stand beside the source. A plain value: docks, window menu and links of zooms follow from paneTable().
struct PaneDescription {
    QString id; ///< what saved arrangements and settings know it by
    Pane* (*make)(Document& document, Jobs& jobs, const std::shared_ptr<const LayoutEngine>& engine, QWidget* parent);
    bool isAbove = false; ///< at first in a row of its own; the others are tabs below
};

/// All panes, in the order of the window menu.
const std::vector<PaneDescription>& paneTable();

/// Which panes are beside the source, at a stroke.
struct Arrangement {
    QString text; ///< of its action
    QKeySequence key;
    QString tip;
    QStringList panes; ///< ids, those in front last
};

const std::vector<Arrangement>& arrangements();

} // namespace sunder
