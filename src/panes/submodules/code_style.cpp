#include "panes/submodules/code_style.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

constexpr std::array<QStringView, 7> kKeywords{u"def", u"return", u"pass", u"None", u"True", u"False", u"self"};

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

/// Returns the end of the string that begins at `start`; the end of the line if it is not terminated.
qsizetype endOfText(QStringView line, qsizetype start)
{
    const QChar quote = line[start];
    qsizetype at = start + 1;
    while (at < line.size() && line[at] != quote)
        at += line[at] == u'\\' ? 2 : 1;
    return std::min(at + 1, line.size());
}

/// Returns the end of the name, dotted or not, that begins at `start`.
qsizetype endOfName(QStringView line, qsizetype start)
{
    qsizetype at = start;
    while (at < line.size() && (isWordCharacter(line[at]) || line[at] == u'.'))
        ++at;
    return at;
}

} // namespace

std::vector<CodeSpan> codeSpans(QStringView line)
{
    std::vector<CodeSpan> spans;
    const auto add = [&](qsizetype start, qsizetype end, CodeWord word) {
        if (end > start)
            spans.push_back({static_cast<int>(start), static_cast<int>(end - start), word});
    };
    for (qsizetype at = 0; at < line.size();) {
        const QChar c = line[at];
        if (c == u'\'' || c == u'"') {
            const qsizetype end = endOfText(line, at);
            add(at, end, CodeWord::text);
            at = end;
        } else if (c == u';') {
            add(at, line.size(), CodeWord::freed);
            break;
        } else if (isWordCharacter(c)) {
            const qsizetype end = endOfName(line, at);
            const QStringView name = line.mid(at, end - at);
            if (c.isDigit())
                add(at, end, CodeWord::number);
            else if (std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end())
                add(at, end, CodeWord::keyword);
            else
                add(at, at + name.lastIndexOf(u'.') + 1, CodeWord::path);
            at = end;
        } else {
            ++at;
        }
    }
    return spans;
}

} // namespace sunder
