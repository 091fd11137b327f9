#pragma once

#include "document/document.h"

#include "io/sympy/size_assumptions.h"

namespace sunder {

/// Assumed sizes of the symbolic dimensions of the open model. All byte counts depend on them. A new value replaces the
/// document's snapshot and the results of its runs by copies with the new sizes; partitions are recomputed.
class AssumedSizes final : public QObject {
    Q_OBJECT

public:
    AssumedSizes(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Returns the current sizes. Empty until the model has been analyzed, or if no size depends on a symbol.
    [[nodiscard]] const std::vector<SizeAssumption>& now() const { return m_now; }
    /// Returns the size in the file, if it has one.
    [[nodiscard]] std::optional<std::int64_t> fromFile(InternedString symbol) const;
    /// Returns false if the file itself gives node sizes (`size_bytes`): partitioners use those constants.
    [[nodiscard]] bool partitionsFollow() const { return m_partitionsFollow; }
    /// Returns the sizes that differ from the file, including those that a running job is about to apply.
    [[nodiscard]] const std::vector<AssumedSize>& beyondFile() const { return m_wanted; }
    /// Returns true once a job has analyzed the model.
    [[nodiscard]] bool isKnown() const { return m_isKnown; }
    /// Assumes a size in a background job; the last request wins. Undoable. A value outside the file's range is refused, see
    /// refused().
    void assume(InternedString symbol, std::int64_t value);
    /// Restores the sizes of an earlier session once the model has been analyzed. Not an undo step. Drops unknown symbols, clamps
    /// values to the ranges of the file, and reports both.
    void resume(std::vector<AssumedSize> sizes);

    /// Applies the assumed sizes to a run that was started with other sizes.
    void catchUp() { apply(); }

signals:
    void changed();
    void message(const QString& text);
    /// Emitted if a value is outside the file's range; `nearest` is the nearest allowed value.
    void refused(sunder::InternedString symbol, const QString& why, qint64 nearest);
    void failed(const QString& title, const QString& why);

private:
    friend class AssumeCommand;
    /// Sets the size of a symbol; without a value, the size of the file.
    void want(InternedString symbol, std::optional<std::int64_t> value);
    void look(Changes what);
    void takeResumed();
    void apply();
    void take(SnapshotPtr snapshot, std::vector<std::pair<int, RunResult>> made,
              const std::vector<std::pair<int, RunResult>>& before);

    Document& m_document;
    Jobs& m_jobs;
    std::uint64_t m_model = 0; ///< the analyzed model, as in Snapshot::model
    std::vector<SizeAssumption> m_file; ///< sizes of the file
    std::vector<SizeAssumption> m_now;
    bool m_isKnown = false; ///< a job has analyzed the model
    bool m_partitionsFollow = true;
    std::vector<AssumedSize> m_wanted; ///< requested differences from the file
    std::vector<AssumedSize> m_taken; ///< applied differences from the file
    std::vector<AssumedSize> m_resumed; ///< sizes of an earlier session, until the model is analyzed
    std::vector<std::pair<InternedString, std::optional<std::int64_t>>> m_early; ///< requests made before the model is analyzed
    std::vector<AssumedSize> m_absent; ///< symbols missing in the reloaded file; another reload may bring them back
    bool m_mayDiffer = false; ///< undo of a reload may restore a model whose sizes differ from its file
};

} // namespace sunder
