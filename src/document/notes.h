#pragma once

#include "document/document_part.h"

#include "io/side_files/project_file.h"

#include <QPointF>
#include <QString>

#include <vector>

namespace sunder {

/// The notes on source ops, at most one per node. They belong to the project.
class Notes final : private DocumentPart {
public:
    explicit Notes(Document& document) : DocumentPart(document) {}

    /// Returns all notes, including those on nodes that a reload removed.
    [[nodiscard]] const std::vector<ProjectNote>& list() const { return m_list; }
    /// Returns the text of the note on this node; empty if there is none.
    [[nodiscard]] QString on(NodeId node) const;

    /// Sets the note on a node; an empty text removes it. Texts over 4,096 bytes are truncated. Undoable, as is move().
    void set(NodeId node, const QString& text);
    /// Sets the offset of a note from the box of its op, see ProjectNote.
    void move(NodeId node, const QPointF& offset);

private:
    friend class Document;
    void change(std::vector<ProjectNote> notes, const QString& undoText);
    void swap(std::vector<ProjectNote>& notes);

    std::vector<ProjectNote> m_list;
};

} // namespace sunder
