#pragma once

#include "document/document.h"
#include "export/export_subject.h"

namespace sunder {

class Pane;
class Workspace;

/// Returns the entries of the export dialog: the model, the shown results, and the pictures of the panes. The picture of `front`,
/// or of the focused pane if it is null, comes first.
[[nodiscard]] ExportSubject exportSubjectOf(const Document& document, const Workspace& workspace, Pane* front = nullptr);

/// Remembers the folder of the last export.
void rememberExportFolder(const QString& folder);

} // namespace sunder
