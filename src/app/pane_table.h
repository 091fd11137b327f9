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

/// A pane that can be docked next to the source. A plain value: docks, window menu, and zoom links are derived from paneTable().
struct PaneDescription {
    QString id; ///< id in saved arrangements and settings
    Pane* (*make)(Document& document, Jobs& jobs, const std::shared_ptr<const LayoutEngine>& engine, QWidget* parent);
    bool isAbove = false; ///< initially in the upper row; the other panes are tabs below
};

/// Returns all panes, in the order of the window menu.
const std::vector<PaneDescription>& paneTable();

/// A preset of visible panes.
struct Arrangement {
    QString id;   ///< id of its action in the settings
    QString text; ///< text of its action
    QKeySequence key;
    QString tip;
    QStringList panes; ///< pane ids; raised ones last
};

const std::vector<Arrangement>& arrangements();

} // namespace sunder
