#pragma once

#include "app/actions.h"
#include "document/document.h"

class QMainWindow;

namespace sunder {

class WorkArea;

/// Sizes and docks as at first, all panels in sight.
void resetWindow(QMainWindow& window, WorkArea& work, const Actions& actions);

/// What of the window is there again in the next session: its place, sizes, docks, and the last model's devices, to be offered.
void saveWindow(const QMainWindow& window, const WorkArea& work, const Actions& actions, const Document& document);
void restoreWindow(QMainWindow& window, WorkArea& work, const Actions& actions, Document& document);

} // namespace sunder
