#pragma once

#include "document/document.h"

#include <QToolButton>

namespace sunder {

/// "Colours: tags ▾" in the header of the source: what its colours mean. Painted tags, or the parts of a run: of one that was
/// chosen, or of whichever is shown. A new partition is shown by itself, until tags are painted.
class SourceColors final : public QToolButton {
    Q_OBJECT

public:
    explicit SourceColors(Document& document, QWidget* parent = nullptr);

    /// The cut whose parts colour the source; null: the painted tags do.
    [[nodiscard]] SplitOutcomePtr cut() const;
    /// Number of the run that made it; 0: painted tags.
    [[nodiscard]] int run() const { return cut() ? runNumber() : 0; }
    void showTags();
    /// A run that cuts the model; of any other kind, or none, tags are shown.
    void showRun(int number);
    /// The run that is shown beside the source, now and from now on; tags while there is none.
    void followRuns();

signals:
    /// Another meaning, or the same with other colours.
    void colorsChanged();

private:
    enum class By : quint8 { tags, run, shownRun };

    [[nodiscard]] int runNumber() const;
    void set(By by, int run);
    void documentChanged(Changes what);
    [[nodiscard]] bool hasNewPartition() const;
    void fillMenu();
    void showState();

    Document& m_document;
    By m_by = By::tags;
    int m_run = 0; ///< of By::run
    int m_newest = 0; ///< number of the last run
    bool m_isByItself = false; ///< a new partition is shown, which nobody chose
};

} // namespace sunder
