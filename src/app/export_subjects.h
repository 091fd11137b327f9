#pragma once

#include "document/document.h"
#include "export/export_subject.h"

namespace sunder {

class Pane;
class Workspace;

/// What the export dialog is to list: the model, the results that are shown, and what panes show, that of `front` before the
/// others; without one that of the pane with the focus.
[[nodiscard]] ExportSubject exportSubjectOf(const Document& document, const Workspace& workspace, Pane* front = nullptr);

/// A folder in which something was written, for the next export.
void rememberExportFolder(const QString& folder);

} // namespace sunder
