#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <QTimer>

#include <memory>

namespace sunder {

/// Has malloc join what is freed at once. Else it is put by, millions of pieces in a row where a large model goes, and joined
/// when somebody frees a large piece: for half a second, and it may be the window's thread. Call once, at the start.
void freeMemoryEvenly();

/// Gives the memory of a large model back to the system when the model was closed, or another one took its place: what is
/// freed stays with malloc, for which a gigabyte may be no more than it keeps in store. In the background, when nobody
/// holds the model any more. Names stay: they are interned for as long as the program runs (core/README.md).
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
    int m_rounds = 0; ///< how often to do it yet: freeing takes its time as well
};

} // namespace sunder
