#pragma once

#include "document/tag_store.h"

namespace sunder {

/// The list of tags: names, order, colors, codes, locks, and visibility. Tags are indices. Undoable, except for visibility and the
/// active tag.
class TagList final : private DocumentPart {
public:
    TagList(Document& document, TagStore& store) : DocumentPart(document), m_store(store) {}

    /// Sets the tag of the brush. Emits messageEmitted() if there is no such tag.
    void setActive(int tag);
    /// Appends a tag and makes it active. The default name is "stage0", "stage1", …
    void add(const QString& name = {});
    /// Renames a tag. Returns why the name is refused (empty, contains a dot or line break, or is in use), or an empty string on
    /// success.
    QString rename(int tag, const QString& name);
    /// Sets a color; an invalid color restores the theme's.
    void recolor(int tag, const QColor& color);
    /// Sets a palette color. A tag that already has this color gets the previous color of `tag`.
    void setHue(int tag, std::uint32_t hue);
    void move(int from, int to);
    /// `order` holds old indices.
    void reorder(const std::vector<int>& order, const QString& undoText);
    /// Orders the tags so that no value flows backward, or reports with messageEmitted() why that is impossible.
    void orderTopologically();
    /// Removes a tag and untags its nodes. This and merge() refuse locked tags and report that with messageEmitted().
    void remove(int tag);
    /// Moves the nodes of `from` to `into` and removes `from`.
    void merge(int from, int into);
    /// Sets the code of a tag; an empty code restores the code derived from the name. Returns why the code is refused (invalid or
    /// in use), or an empty string on success.
    QString setCode(int tag, const QString& code);
    /// Locks a tag. No edit adds ops to a locked tag or removes ops from it.
    void setLocked(int tag, bool isLocked);
    /// Hides a tag: its ops are drawn faint.
    void setHidden(int tag, bool isHidden);
    /// Shows only this tag; shows all tags if only this tag is shown already.
    void solo(int tag);
    void showAll();

private:
    /// Returns whether the tag is locked, and reports that with messageEmitted().
    bool refusesAsLocked(int tag);

    TagStore& m_store;
};

} // namespace sunder
