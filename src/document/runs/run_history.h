#pragma once

#include "document/runs/run.h"

#include <map>
#include <optional>
#include <vector>

namespace sunder {

/// The runs made of one model, a preview beside them, and which of each kind of result is shown.
class RunHistory {
public:
    /// What leaves it comes back to the caller: freeing programs takes long.
    using Gone = std::vector<Run>;

    /// All that are kept, oldest first.
    [[nodiscard]] const std::vector<Run>& runs() const { return m_runs; }
    /// Null when there is none of that number. A preview has one below 0.
    [[nodiscard]] const Run* find(int number) const;
    /// Number of the run of that kind that is shown; 0: none.
    [[nodiscard]] int shown(ResultKind kind) const;
    [[nodiscard]] bool isShown(const Run& run) const { return shown(run.kind()) == run.number; }
    /// What is shown, of all kinds.
    [[nodiscard]] std::vector<const Run*> allShown() const;

    /// Takes the next number. The oldest go when there are too many, those without a name of their own first.
    int add(RunResult result, Gone& gone);
    /// Puts a result in place of a run's, and gives that; null when there is no such run.
    RunResult replace(int number, RunResult result);
    /// A number 0 shows none of that kind.
    void show(ResultKind kind, int number) { m_shown[kind] = number; }
    void swapName(int number, QString& name);
    /// At its place by number.
    void insert(Run run);
    void remove(int number);
    /// One of a project, which keeps its number; the next ones come after it.
    void restore(Run run);

    /// Null when there is none.
    [[nodiscard]] const Run* preview() const { return m_preview ? &*m_preview : nullptr; }
    /// Takes the place of the one before; its number is another one each time.
    int setPreview(RunResult result);
    std::optional<Run> takePreview();

    /// Forgets all; numbers of previews go on.
    void clear(Gone& gone);

private:
    void forgetOld(int newest, Gone& gone);

    std::vector<Run> m_runs;
    int m_next = 1;
    std::optional<Run> m_preview;
    int m_lastPreview = 0; ///< its number, or that of the last one there was
    std::map<ResultKind, int> m_shown;
};

} // namespace sunder
