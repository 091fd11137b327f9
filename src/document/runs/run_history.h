#pragma once

#include "document/runs/run.h"

#include <map>
#include <optional>
#include <vector>

namespace sunder {

/// The runs of one model, a preview, and the shown run of each kind of result.
class RunHistory {
public:
    /// Removed runs are returned to the caller, since destroying programs takes long.
    using Gone = std::vector<Run>;

    /// Returns all kept runs, oldest first.
    [[nodiscard]] const std::vector<Run>& runs() const { return m_runs; }
    /// Returns the run with this number, or null. Previews have negative numbers.
    [[nodiscard]] const Run* find(int number) const;
    /// Returns the number of the shown run of this kind; 0 if there is none.
    [[nodiscard]] int shown(ResultKind kind) const;
    [[nodiscard]] bool isShown(const Run& run) const { return shown(run.kind()) == run.number; }
    /// Returns the shown runs of all kinds.
    [[nodiscard]] std::vector<const Run*> allShown() const;

    /// Adds a run with the next number. If there are too many, drops the oldest, first those without a user-given name.
    int add(RunResult result, Gone& gone);
    /// Replaces the result of a run and returns the old result; null if there is no such run.
    RunResult replace(int number, RunResult result);
    /// Number 0 hides the shown run of this kind.
    void show(ResultKind kind, int number) { m_shown[kind] = number; }
    void swapName(int number, QString& name);
    /// Inserts a run at its position by number.
    void insert(Run run);
    void remove(int number);
    /// Adds a run of a project with its number; later runs get greater numbers.
    void restore(Run run);

    /// Returns the preview, or null.
    [[nodiscard]] const Run* preview() const { return m_preview ? &*m_preview : nullptr; }
    /// Replaces the preview. Every preview gets a new number.
    int setPreview(RunResult result);
    std::optional<Run> takePreview();

    /// Removes all runs. Preview numbers are not reused.
    void clear(Gone& gone);

private:
    void forgetOld(int newest, Gone& gone);

    std::vector<Run> m_runs;
    int m_next = 1;
    std::optional<Run> m_preview;
    int m_lastPreview = 0; ///< number of the current or last preview
    std::map<ResultKind, int> m_shown;
};

} // namespace sunder
