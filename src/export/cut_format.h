#pragma once

#include "document/runs/split_outcome.h"
#include "export/export_format.h"

namespace sunder {

/// The same format as one of a cut, which is listed before there is one and says how to get it.
ExportFormat ofCut(ExportFormat format);

/// The source with the parts of the cut of the request as tags on its nodes.
Program taggedSource(const ExportRequest& request);

} // namespace sunder
