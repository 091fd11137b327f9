#pragma once

#include "document/document.h"

#include "io/sympy/size_assumptions.h"

namespace sunder {

/// What the symbols in sizes of the open model are taken to be. All figures in bytes rest on that: another value puts the same model
/// with other sizes in the document, and the results of its runs.
class AssumedSizes final : public QObject {
    Q_OBJECT

public:
    AssumedSizes(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// As they are now; empty until a job has looked at the model, and where no size depends on a symbol.
    [[nodiscard]] const std::vector<SizeAssumption>& now() const { return m_now; }
    /// What the file takes it to be; nothing when it does not say.
    [[nodiscard]] std::optional<std::int64_t> fromFile(InternedString symbol) const;
    /// In the background; what is asked for last counts. Refused outside of the file's range: failed().
    void assume(InternedString symbol, std::int64_t value);

signals:
    void changed();
    void message(const QString& text);
    void failed(const QString& title, const QString& why);

private:
    void look(bool isNewModel);
    void apply();

    Document& m_document;
    Jobs& m_jobs;
    std::vector<SizeAssumption> m_file; ///< when the model was opened
    std::vector<SizeAssumption> m_now;
    std::vector<AssumedSize> m_wanted; ///< by the person, not there yet
};

} // namespace sunder
