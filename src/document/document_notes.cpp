// Document functions for notes on ops.
#include "document/document.h"
#include "document/session_commands.h"
#include "document/text.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr qsizetype kMaxNoteBytes = 4096; ///< as limited by the project format
constexpr double kFarthestNote = 100'000;
constexpr std::int32_t kFirstNoteX = 28; ///< to the right of the box, so that the connecting line is visible

/// Truncates to the maximum number of bytes at a character boundary.
std::string noteTextOf(const QString& text)
{
    QString kept = text.trimmed();
    while (kept.toUtf8().size() > kMaxNoteBytes)
        kept.chop(std::max<qsizetype>(1, (kept.toUtf8().size() - kMaxNoteBytes) / 4));
    if (!kept.isEmpty() && kept.back().isHighSurrogate())
        kept.chop(1);
    return kept.toStdString();
}

} // namespace

QString Document::noteOn(NodeId node) const
{
    if (!isOpen() || !node)
        return {};
    const auto found = std::ranges::find(m_notes, graph()[node].name, &ProjectNote::node);
    return found == m_notes.end() ? QString() : exact(found->text);
}

void Document::setNote(NodeId node, const QString& text)
{
    if (!isOpen() || !node)
        return;
    const InternedString name = graph()[node].name;
    const std::string wanted = noteTextOf(text);
    std::vector<ProjectNote> notes = m_notes;
    const auto found = std::ranges::find(notes, name, &ProjectNote::node);
    const QString shown = brief(sunder::text(name));
    if (found == notes.end()) {
        if (wanted.empty())
            return;
        notes.push_back({.node = name, .text = wanted, .x = kFirstNoteX});
        m_undoStack.push(new NotesCommand(*this, std::move(notes), tr("Add a note on %1").arg(shown)));
    } else if (wanted.empty()) {
        notes.erase(found);
        m_undoStack.push(new NotesCommand(*this, std::move(notes), tr("Remove the note on %1").arg(shown)));
    } else if (found->text != wanted) {
        found->text = wanted;
        m_undoStack.push(new NotesCommand(*this, std::move(notes), tr("Edit the note on %1").arg(shown)));
    }
}

void Document::moveNote(NodeId node, const QPointF& offset)
{
    if (!isOpen() || !node)
        return;
    std::vector<ProjectNote> notes = m_notes;
    const auto found = std::ranges::find(notes, graph()[node].name, &ProjectNote::node);
    if (found == notes.end())
        return;
    const auto place = [](double at) { return static_cast<std::int32_t>(std::clamp(at, -kFarthestNote, kFarthestNote)); };
    found->x = place(offset.x());
    found->y = place(offset.y());
    if (notes != m_notes)
        m_undoStack.push(new NotesCommand(*this, std::move(notes), tr("Move the note on %1").arg(brief(text(found->node)))));
}

void Document::swapNotes(std::vector<ProjectNote>& notes)
{
    std::swap(m_notes, notes);
    announce(Change::notes);
}

} // namespace sunder
