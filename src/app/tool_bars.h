#pragma once

#include "app/actions.h"
#include "document/document.h"
#include "jobs/jobs.h"

class QMainWindow;

namespace sunder {

class SearchField;

/// Returns the object name of the button of a pass.
QString passButtonName(const QString& pass);

/// Adds the tool bar and a second bar with the search field. Returns the field.
SearchField* addToolBars(QMainWindow& window, const Actions& actions, Document& document, Jobs& jobs);

} // namespace sunder
