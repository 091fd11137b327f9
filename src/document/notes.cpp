#include "document/notes.h"

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

QString Notes::on(NodeId node) const
{
    if (!document().isOpen() || !node)
        return {};
    const auto found = std::ranges::find(m_list, snapshot()->graph()[node].name, &ProjectNote::node);
    return found == m_list.end() ? QString() : exact(found->text);
}

void Notes::set(NodeId node, const QString& text)
{
    if (!document().isOpen() || !node)
        return;
    const InternedString name = snapshot()->graph()[node].name;
    const std::string wanted = noteTextOf(text);
    std::vector<ProjectNote> notes = m_list;
    const auto found = std::ranges::find(notes, name, &ProjectNote::node);
    const QString shown = brief(sunder::text(name));
    if (found == notes.end()) {
        if (wanted.empty())
            return;
        notes.push_back({.node = name, .text = wanted, .x = kFirstNoteX});
        change(std::move(notes), QObject::tr("Add a note on %1").arg(shown));
    } else if (wanted.empty()) {
        notes.erase(found);
        change(std::move(notes), QObject::tr("Remove the note on %1").arg(shown));
    } else if (found->text != wanted) {
        found->text = wanted;
        change(std::move(notes), QObject::tr("Edit the note on %1").arg(shown));
    }
}

void Notes::move(NodeId node, const QPointF& offset)
{
    if (!document().isOpen() || !node)
        return;
    std::vector<ProjectNote> notes = m_list;
    const auto found = std::ranges::find(notes, snapshot()->graph()[node].name, &ProjectNote::node);
    if (found == notes.end())
        return;
    const auto place = [](double at) { return static_cast<std::int32_t>(std::clamp(at, -kFarthestNote, kFarthestNote)); };
    found->x = place(offset.x());
    found->y = place(offset.y());
    if (notes != m_list)
        change(std::move(notes), QObject::tr("Move the note on %1").arg(brief(text(found->node))));
}

void Notes::change(std::vector<ProjectNote> notes, const QString& undoText)
{
    push(new SwapInSession(undoText, [this, notes = std::move(notes)]() mutable { swap(notes); }));
}

void Notes::swap(std::vector<ProjectNote>& notes)
{
    std::swap(m_list, notes);
    announce(Change::notes);
}

} // namespace sunder
