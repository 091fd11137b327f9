#pragma once

#include "document/document_part.h"
#include "document/runs/run_history.h"
#include "document/runs/split_outcome.h"

namespace sunder {

/// The runs of the open model: their history, the run that is shown of each kind of result, and a preview.
class Runs final : private DocumentPart {
public:
    explicit Runs(Document& document) : DocumentPart(document) {}

    /// Returns all kept runs, oldest first.
    [[nodiscard]] const std::vector<Run>& list() const { return m_history.runs(); }
    /// Returns the run with this number, or null. Previews have negative numbers.
    [[nodiscard]] const Run* find(int number) const { return m_history.find(number); }
    /// Returns the shown result of this kind (e.g. `SplitOutcomePtr`), or null.
    template <typename T>
    [[nodiscard]] T shown() const
    {
        const Run* run = find(shown(T::element_type::kKind));
        return run == nullptr ? nullptr : as<T>(run->result);
    }
    /// Returns the number of the shown run of this kind, or 0.
    [[nodiscard]] int shown(ResultKind kind) const { return m_history.shown(kind); }
    /// Returns the shown runs of all kinds.
    [[nodiscard]] std::vector<const Run*> allShown() const { return m_history.allShown(); }
    [[nodiscard]] bool isShown(const Run& run) const { return m_history.isShown(run); }
    /// Returns the shown split, or null.
    [[nodiscard]] SplitOutcomePtr shownSplit() const { return shown<SplitOutcomePtr>(); }
    /// Returns the preview of the split for other devices if there is one, else the shown split.
    [[nodiscard]] SplitOutcomePtr splitInSight() const;
    /// Returns false if the tags, or the devices of a partition, have changed since the shown split was made.
    [[nodiscard]] bool isSplitCurrent() const { return m_splitCurrent; }
    /// Returns whether a shown run is current. Only splits can become outdated.
    [[nodiscard]] bool isCurrent(const Run& run) const
    {
        return run.kind() != SplitOutcome::kKind || (m_splitCurrent && !isForOtherSizes(run.result));
    }
    /// Returns whether a partitioner made this result for other sizes than those assumed now and would now cut differently.
    [[nodiscard]] static bool isForOtherSizes(const RunResult& result);

    /// Returns the counterparts of source nodes in a run's program.
    [[nodiscard]] std::vector<NodeRef> counterpartsIn(int run, const std::vector<NodeId>& source) const;
    /// Returns only those counterparts that are copies, without nodes that carry values across boundaries.
    [[nodiscard]] std::vector<NodeRef> copiesIn(int run, const std::vector<NodeId>& source) const;
    /// Returns the nodes of the source's root graph that correspond to these nodes of a run's program, ascending.
    [[nodiscard]] std::vector<NodeId> sourcesOf(int run, const std::vector<NodeRef>& nodes) const;

    /// Adds a run to the history, shows it, and returns its number. Drops the oldest unnamed runs if there are too many. Not
    /// undoable, since it changes nothing that existed before.
    int add(RunResult result);
    /// Adds a recomputed run of a project with its number and name.
    void restore(int number, const QString& name, RunResult result, bool isShown);
    /// Replaces the result of a run by the same result, verified again.
    void replace(int number, RunResult result);
    /// Shows a result that is not part of the history, replacing the previous preview. Returns its run number, which is negative
    /// and new for each preview.
    int setPreview(RunResult result);
    void clearPreview();
    /// Shows an earlier run; shown runs of other kinds stay visible.
    void show(int number);
    void hide(ResultKind kind);
    /// Renames a run; an empty name restores the default. Undoable, as is discard().
    void rename(int number, const QString& name);
    void discard(int number);

private:
    friend class Document;
    friend class DiscardRunCommand;
    /// Removes all runs, for another model.
    void reset();
    /// Exchanges the history with that of another model.
    void swapHistory(RunHistory& history) { std::swap(m_history, history); }
    void takeResults(std::vector<std::pair<int, RunResult>> results);
    void noteCurrent();
    void setShown(ResultKind kind, int number);
    /// Returns false if there was no preview.
    bool dropPreview();
    void swapName(int number, QString& name);
    void insert(Run run);
    void remove(int number);

    RunHistory m_history;
    bool m_splitCurrent = false;
};

} // namespace sunder
