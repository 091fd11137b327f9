#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include "analysis/cut/part_memory.h"

#include <memory>

namespace sunder {

/// The memory of the parts that the document's tags make, with the memory while each op runs. A job measures it on request; it is
/// kept until tags, sizes, or extra memory change.
class PartMemories final : public QObject {
    Q_OBJECT

public:
    PartMemories(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Returns null while it is not known, and for a tag without ops.
    [[nodiscard]] const PartMemory* of(int tag) const;
    /// Starts to measure unless the memory is known or being measured.
    void read();

signals:
    void changed();

private:
    void reset();

    Document& m_document;
    Jobs& m_jobs;
    std::shared_ptr<const MemoryReport> m_known;
    std::size_t m_measuredRead = 0; ///< Costs::measuredRead() of what is known
    JobId m_job;
};

} // namespace sunder
