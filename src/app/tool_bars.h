#pragma once

#include "app/actions.h"
#include "document/document.h"
#include "jobs/jobs.h"

class QMainWindow;

namespace sunder {

class SearchField;

/// The object name of the button of a pass, by the pass's id.
QString passButtonName(const QString& pass);

/// Adds the tool bar and, behind it, a bar with the search; returns its field.
SearchField* addToolBars(QMainWindow& window, const Actions& actions, Document& document, Jobs& jobs);

} // namespace sunder
