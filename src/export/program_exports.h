#pragma once

#include "export/export_request.h"

namespace sunder {

// Programs as files. Each is written beside its place, read back, compared, and then moved there; what comes back is a
// sentence about the check.

Result<ExportedFiles> writeParts(const ExportRequest& request, ProgressMonitor& monitor);
/// As fx-json; what is read back is verified against `program`.
Result<QString> writeProgram(const Program& program, const QString& path, ProgressMonitor& monitor);
/// The source with the parts of the cut as tags, as .pt2; verified, and its tags compared.
Result<QString> writeTaggedModel(const ExportRequest& request, ProgressMonitor& monitor);
/// The source with the parts of the cut as tags, as Python.
Result<QString> writeScript(const ExportRequest& request, ProgressMonitor& monitor);
/// A program as DOT or, for ".json", for Model Explorer with its tags in a file beside it.
Result<QString> writeDrawing(const ExportRequest& request, ProgressMonitor& monitor);
/// Path of that second file; empty when there is none.
QString tagsBesideDrawing(const ExportRequest& request);

} // namespace sunder
