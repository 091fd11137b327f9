#pragma once

#include "document/document.h"

namespace sunder {

/// The user's file of custom operator schemas. Reads it in the background and applies it to the open model and to models opened
/// later. Runs that were verified with other schemas are verified again.
class CustomOperators final : public QObject {
    Q_OBJECT

public:
    CustomOperators(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Reads this file. On failure, emits failed() and changes nothing. An empty path removes the schemas.
    void take(const QString& path);
    /// Reads the file of the last session. Its path is kept even if it cannot be read now.
    void restore(const QString& path);
    /// Reloads the file.
    void readAgain() { take(m_path); }

    [[nodiscard]] const QString& path() const { return m_path; }
    /// Returns the schemas; null if there are none.
    [[nodiscard]] const std::shared_ptr<const OperatorLibrary>& library() const { return m_library; }
    /// Returns why the file of the last session could not be read; empty otherwise.
    [[nodiscard]] const QString& fault() const { return m_fault; }

signals:
    void changed();
    void failed(const QString& title, const QString& why);
    void message(const QString& text);

private:
    void read(const QString& path, bool keepsPath);
    void set(const QString& path, std::shared_ptr<const OperatorLibrary> library);
    void putOnModel();
    void reverify();

    Document& m_document;
    Jobs& m_jobs;
    QString m_path;
    std::shared_ptr<const OperatorLibrary> m_library;
    QString m_fault;
};

/// Returns the distinct names of torch.ops operators that the program calls and that have no schema, spelled as in the graphs.
/// O(nodes).
QStringList unknownOperators(const Program& program);

} // namespace sunder
