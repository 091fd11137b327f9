#pragma once

#include <QString>

#include <vector>

namespace sunder {

/// What a stretch of a line of printed code is; everything else is plain.
enum class CodeWord : quint8 {
    keyword, ///< def, return, pass, None, True, False
    text,    ///< a string
    number,
    path,    ///< "torch.ops.aten." in front of the last name of a dotted one
    freed,   ///< ";  relu = None": from the semicolon to the end
};

struct CodeSpan {
    int start = 0;
    int length = 0;
    CodeWord word = CodeWord::keyword;
    friend bool operator==(const CodeSpan&, const CodeSpan&) = default;
};

/// The stretches of one line of the Python that torch.fx generates, in order, not overlapping. O(length).
std::vector<CodeSpan> codeSpans(QStringView line);

} // namespace sunder
