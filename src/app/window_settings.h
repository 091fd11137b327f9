#pragma once

#include "app/actions.h"
#include "document/document.h"

class QMainWindow;

namespace sunder {

class WorkArea;

/// Restores the default sizes and docks and shows all panels.
void resetWindow(QMainWindow& window, WorkArea& work, const Actions& actions);

/// Stores the window geometry, sizes, docks, and the last model's devices for the next session.
void saveWindow(const QMainWindow& window, const WorkArea& work, const Actions& actions, const Document& document);
void restoreWindow(QMainWindow& window, WorkArea& work, const Actions& actions, Document& document);

} // namespace sunder
