#pragma once

#include "document/document.h"

#include "io/sympy/size_assumptions.h"

namespace sunder {

/// What the symbols in sizes of the open model are taken to be. All figures in bytes rest on that: another value puts the same model
/// with other sizes in the document, and the results of its runs, whose partitions are reckoned again.
class AssumedSizes final : public QObject {
    Q_OBJECT

public:
    AssumedSizes(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// As they are now; empty until a job has looked at the model, and where no size depends on a symbol.
    [[nodiscard]] const std::vector<SizeAssumption>& now() const { return m_now; }
    /// What the file takes it to be; nothing when it does not say.
    [[nodiscard]] std::optional<std::int64_t> fromFile(InternedString symbol) const;
    /// False where the file gives sizes of nodes itself (`size_bytes`): partitioners take those, and they are constants.
    [[nodiscard]] bool partitionsFollow() const { return m_partitionsFollow; }
    /// What differs from the file, or will once a job has ended.
    [[nodiscard]] const std::vector<AssumedSize>& beyondFile() const { return m_wanted; }
    /// A job has looked at the model.
    [[nodiscard]] bool isKnown() const { return m_isKnown; }
    /// In the background; what is asked for last counts. A step of undo. Outside of the file's range it is refused().
    void assume(InternedString symbol, std::int64_t value);
    /// Of an earlier session, as soon as the model was looked at; no step of undo. Symbols that the model does not have are
    /// dropped, values bound by its ranges, and that is said.
    void resume(std::vector<AssumedSize> sizes);

    /// A run has come that was begun at other sizes than those of now.
    void catchUp() { apply(); }

signals:
    void changed();
    void message(const QString& text);
    /// What was asked for is outside of the file's range; `nearest` is what it allows.
    void refused(sunder::InternedString symbol, const QString& why, qint64 nearest);
    void failed(const QString& title, const QString& why);

private:
    friend class AssumeCommand;
    /// A symbol, and what it is to be; nothing: what the file says.
    void want(InternedString symbol, std::optional<std::int64_t> value);
    void look(Changes what);
    void takeResumed();
    void apply();
    void take(SnapshotPtr snapshot, std::vector<std::pair<int, RunResult>> made,
              const std::vector<std::pair<int, RunResult>>& before);

    Document& m_document;
    Jobs& m_jobs;
    std::uint64_t m_model = 0; ///< that this is about, as Snapshot::model
    std::vector<SizeAssumption> m_file; ///< when the model was opened
    std::vector<SizeAssumption> m_now;
    bool m_isKnown = false; ///< a job has looked at the model
    bool m_partitionsFollow = true;
    std::vector<AssumedSize> m_wanted; ///< what is to differ from the file
    std::vector<AssumedSize> m_taken; ///< what does
    std::vector<AssumedSize> m_resumed; ///< of an earlier session, until the model was looked at
    std::vector<std::pair<InternedString, std::optional<std::int64_t>>> m_early; ///< asked for before the model was looked at
    std::vector<AssumedSize> m_absent; ///< what the file, read again, does not have: it may come back
    bool m_mayDiffer = false; ///< the model may come with other sizes than its file has: by undo of a reload
};

} // namespace sunder
