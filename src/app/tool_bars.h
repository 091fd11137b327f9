#pragma once

#include "app/actions.h"
#include "document/document.h"
#include "jobs/jobs.h"

class QMainWindow;

namespace sunder {

class SearchField;

/// Adds the tool bar and, behind it, a bar with the search; returns its field.
SearchField* addToolBars(QMainWindow& window, const Actions& actions, Document& document, Jobs& jobs);

} // namespace sunder
