#include "panes/submodules/code_document.h"

#include "document/text.h"
#include "ir/printer.h"

#include <QCoreApplication>
#include <QPlainTextDocumentLayout>
#include <QThread>
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

// QPlainTextEdit takes long to load ten thousand lines, so a job creates the document and hands it over.

namespace sunder {
namespace {

constexpr double kCodeMargin = 8;

/// Removes the empty lines with which PyTorch's code begins; they would only be a gap here.
void dropEmptyLinesInFront(CodeListing& listing)
{
    const std::size_t lines = std::min(listing.text.find_first_not_of('\n'), listing.text.size());
    listing.text.erase(0, lines);
    listing.nodeOfLine.erase(listing.nodeOfLine.begin(),
                             listing.nodeOfLine.begin()
                                 + static_cast<std::ptrdiff_t>(std::min(lines, listing.nodeOfLine.size())));
}

std::shared_ptr<QTextDocument> laidOut(const QString& text, const QFont& font)
{
    // A job may release the last reference, but the document must be deleted in its own thread.
    const std::shared_ptr<QTextDocument> document(new QTextDocument, [](QTextDocument* old) { old->deleteLater(); });
    document->setDocumentLayout(new QPlainTextDocumentLayout(document.get()));
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(font);
    document->setDocumentMargin(kCodeMargin);
    document->setPlainText(text);
    document->moveToThread(QCoreApplication::instance()->thread());
    return document;
}

} // namespace

Result<std::shared_ptr<const CodeDocument>> makeCodeDocument(const PartPage& page, const QFont& font, ProgressMonitor& monitor)
{
    CodeListing listing = listCode(page.program(), page.graph);
    SUNDER_PROPAGATE(monitor.check());
    dropEmptyLinesInFront(listing);
    auto code = std::make_shared<CodeDocument>();
    code->text = linesOf(listing.text).trimmed();
    code->document = laidOut(code->text, font);
    code->nodeOfLine = std::move(listing.nodeOfLine);
    code->lineOfNode.assign(page.nodes().idBound(), -1);
    for (std::size_t line = 0; line < code->nodeOfLine.size(); ++line)
        if (const NodeId node = code->nodeOfLine[line])
            code->lineOfNode[node.index()] = static_cast<int>(line);
    // Inputs are mapped to the line of the signature.
    for (const NodeId node : page.nodes().nodes())
        if (page.nodes()[node].op == Op::placeholder && code->lineOfNode[node.index()] < 0)
            code->lineOfNode[node.index()] = 0;
    return std::shared_ptr<const CodeDocument>(std::move(code));
}

} // namespace sunder
