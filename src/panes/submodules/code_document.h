#pragma once

#include "panes/submodules/part_page.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QFont>
#include <QTextDocument>

#include <memory>
#include <vector>

namespace sunder {

/// The code of a graph as torch prints it, laid out for an editor, and which line is about which node.
struct CodeDocument {
    std::shared_ptr<QTextDocument> document; ///< belongs to the window's thread
    QString text;
    std::vector<NodeId> nodeOfLine;   ///< invalid for lines that belong to no node
    std::vector<int> lineOfNode = {}; ///< per NodeId; −1: none
};

/// Prints it, to be shown in `font`. For a background job; the document is handed to the application's thread.
Result<std::shared_ptr<const CodeDocument>> makeCodeDocument(const PartPage& page, const QFont& font, ProgressMonitor& monitor);

} // namespace sunder
