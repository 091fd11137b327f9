#pragma once

#include "panes/submodules/part_page.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QFont>
#include <QString>
#include <QTextDocument>
#include <memory>
#include <vector>

namespace sunder {

/// The kind of a span in a line of printed code; everything else is plain text.
enum class CodeWord : quint8 {
    keyword, ///< def, return, pass, None, True, False
    text,    ///< a string
    number,
    path,    ///< "torch.ops.aten." before the last component of a dotted name
    freed,   ///< ";  relu = None": from the semicolon to the end
};

struct CodeSpan {
    int start = 0;
    int length = 0;
    CodeWord word = CodeWord::keyword;
    friend bool operator==(const CodeSpan&, const CodeSpan&) = default;
};

/// Returns the spans of one line of torch.fx code, in order and disjoint. O(length).
std::vector<CodeSpan> codeSpans(QStringView line);

/// The code of a graph as printed by PyTorch, laid out for an editor, with the mapping between lines and nodes.
struct CodeDocument {
    std::shared_ptr<QTextDocument> document; ///< lives in the window's thread
    QString text;
    std::vector<NodeId> nodeOfLine;   ///< invalid for lines without a node
    std::vector<int> lineOfNode = {}; ///< per NodeId; −1: none
};

/// Prints the code of a page in `font`. For a background job; moves the document to the application's thread.
Result<std::shared_ptr<const CodeDocument>> makeCodeDocument(const PartPage& page, const QFont& font, ProgressMonitor& monitor);

} // namespace sunder
