#pragma once

#include "document/document.h"

namespace sunder {

/// The file with schemas of custom operators that the person gave: read in the background, put on the open model and on
/// those that are opened afterwards. Runs that were verified with other schemas are verified again.
class CustomOperators final : public QObject {
    Q_OBJECT

public:
    CustomOperators(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Reads this file. One that cannot be taken changes nothing: failed(). Empty: schemas are done with.
    void take(const QString& path);
    /// The same at the start, with the file of last time: it stays the one to use even when it cannot be read now.
    void restore(const QString& path);
    /// Reads the file again.
    void readAgain() { take(m_path); }

    [[nodiscard]] const QString& path() const { return m_path; }
    /// Null for none.
    [[nodiscard]] const std::shared_ptr<const OperatorLibrary>& library() const { return m_library; }
    /// Why the file of last time was not read; empty when it was, or there is none.
    [[nodiscard]] const QString& fault() const { return m_fault; }

signals:
    void changed();
    void failed(const QString& title, const QString& why);
    void message(const QString& text);

private:
    void read(const QString& path, bool keepsPath);
    void set(const QString& path, std::shared_ptr<const OperatorLibrary> library);
    void putOnModel();
    void verifyAgain();

    Document& m_document;
    Jobs& m_jobs;
    QString m_path;
    std::shared_ptr<const OperatorLibrary> m_library;
    QString m_fault;
};

/// Operators of torch.ops that the program calls and nobody knows, by their names, each once, as the graphs call them.
/// O(nodes).
QStringList unknownOperators(const Program& program);

} // namespace sunder
