#pragma once

#include "document/runs/split_outcome.h"
#include "export/export_format.h"

namespace sunder {

/// Marks a format as one for cuts. It is listed without a cut, too, and then explains how to get one.
ExportFormat ofCut(ExportFormat format);

/// Returns the source with the parts of the request's cut as tags on its nodes.
Program taggedSource(const ExportRequest& request);

} // namespace sunder
