#pragma once

#include "panes/submodules/part_page.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QFont>
#include <QTextDocument>

#include <memory>
#include <vector>

namespace sunder {

/// The code of a graph as printed by torch, laid out for an editor, with the mapping between lines and nodes.
struct CodeDocument {
    std::shared_ptr<QTextDocument> document; ///< lives in the window's thread
    QString text;
    std::vector<NodeId> nodeOfLine;   ///< invalid for lines without a node
    std::vector<int> lineOfNode = {}; ///< per NodeId; −1: none
};

/// Prints the code of a page in `font`. For a background job; moves the document to the application's thread.
Result<std::shared_ptr<const CodeDocument>> makeCodeDocument(const PartPage& page, const QFont& font, ProgressMonitor& monitor);

} // namespace sunder
