#pragma once

#include <QString>

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

} // namespace sunder
