#pragma once

#include "document/document_part.h"
#include "document/tag_watch.h"

namespace sunder {

/// Results of the last check of the tags; see isRunning() for a check in progress.
class Checks final : private DocumentPart {
public:
    /// Without `jobs`, all checks are synchronous.
    Checks(Document& document, Jobs* jobs);

    [[nodiscard]] const TagReport& report() const { return m_watch.last().report; }
    [[nodiscard]] const TagTotals& totals() const { return m_watch.last().totals; }
    [[nodiscard]] const Problems& problems() const { return m_watch.last().problems; }
    [[nodiscard]] double milliseconds() const { return m_watch.last().milliseconds; }
    /// Returns whether a job is checking tags that have changed since the last check.
    [[nodiscard]] bool isRunning() const { return m_watch.isChecking(); }
    /// Returns whether untagged ops are shown as missing: after a split was requested, or once two thirds of the ops are tagged.
    /// Until then they are only drawn without color.
    [[nodiscard]] bool isUntaggedShown() const;
    /// Returns the device usage of the visible partition if it was made for the current devices, else of the tags. Null if there
    /// are no parts or no devices.
    [[nodiscard]] const DeviceFit* deviceFit() const;

    /// Records that a split by tags was requested: from now on, untagged ops of this model are problems. Ignored while no op has
    /// a tag.
    void askForSplit();

private:
    friend class Document;
    friend class DocumentPart;
    friend class TagList;
    friend class TagStore;
    /// Starts with another model and its completed check.
    void reset(TagCheck check);
    /// Shows the known check of another model until its tags are checked.
    void swapModel(TagCheck check);
    /// Removes the totals if a job computes those of another tag list.
    void forgetTotals();

    TagWatch m_watch;
    bool m_splitWanted = false; ///< a split by tags of this model was requested
};

} // namespace sunder
