// QPlainTextEdit takes long to load ten thousand lines, so a job creates the document and hands it over.
#include "panes/submodules/code_document.h"

#include "document/text.h"
#include "ir/printer.h"

#include <QCoreApplication>
#include <QPlainTextDocumentLayout>
#include <QThread>

namespace sunder {
namespace {

constexpr double kCodeMargin = 8;

/// Removes the empty lines with which torch's code begins; they would only be a gap here.
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
