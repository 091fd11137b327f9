#pragma once

#include "document/document.h"

namespace sunder {

// Templates of Document that only its own files use.

/// Work whose result the document takes over: at once in a small model, by a job in a large one. `done` is not called
/// when another model was opened meanwhile.
template <typename T>
void Document::compute(const QString& title, std::function<Result<T>()> work, std::function<void(Result<T>)> done)
{
    if (!isLarge()) {
        done(work());
        return;
    }
    m_jobs->start<T>(
        {.key = QStringLiteral("compute"), .title = title}, [work = std::move(work)](ProgressMonitor&) { return work(); }, this,
        [this, snapshot = m_snapshot, done = std::move(done)](Result<T> result) {
            if (isOf(snapshot))
                done(std::move(result));
        });
}

/// Drops a value, in the background where that takes long.
template <typename T>
void Document::letGo(std::shared_ptr<T>& value)
{
    if (value && m_jobs != nullptr)
        Jobs::discard(std::move(value));
    value.reset();
}

} // namespace sunder
