#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QTimer>

#include <memory>

namespace sunder {

/// Makes malloc merge freed chunks immediately. By default it collects small chunks, millions of them for a large model, and
/// merges them in one call that can block the GUI thread for half a second. Call once at the start.
void freeMemoryEvenly();

/// Returns the memory of a closed or replaced large model to the system; malloc would otherwise keep up to a gigabyte. Runs in
/// the background once the model has no more references. Interned names are kept for the lifetime of the process
/// (docs/internals/decisions.md).
class ReturnedMemory final : public QObject {
    Q_OBJECT

public:
    ReturnedMemory(Document& document, Jobs& jobs, QObject* parent = nullptr);

private:
    void modelChanged();
    void giveBack();

    Document& m_document;
    Jobs& m_jobs;
    std::weak_ptr<const Snapshot> m_open;
    bool m_isLarge = false;
    std::weak_ptr<const Snapshot> m_closed;
    QTimer m_timer;
    int m_rounds = 0; ///< remaining rounds; destroying the model also takes time
};

} // namespace sunder
