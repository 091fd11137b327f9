#pragma once

#include "document/document.h"

#include <utility>

namespace sunder {

/// Computes a result for the document: synchronously for a small model, in a job for a large one. `done` is not called if another
/// model was opened meanwhile. Only for the source files of Document.
template <typename T>
void Document::compute(const QString& title, std::function<Result<T>(ProgressMonitor&)> work, std::function<void(Result<T>)> done)
{
    if (!m_tagWatch.isLarge(m_snapshot)) {
        done(work(ProgressMonitor::none()));
        return;
    }
    m_jobs->start<T>({.key = QStringLiteral("compute"), .title = title}, std::move(work), this,
                     [this, snapshot = m_snapshot, done = std::move(done)](Result<T> result) {
                         if (isOf(snapshot))
                             done(std::move(result));
                     });
}

} // namespace sunder
