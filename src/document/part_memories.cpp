#include "document/part_memories.h"

#include <algorithm>
#include <utility>

namespace sunder {

PartMemories::PartMemories(Document& document, Jobs& jobs, QObject* parent) : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        const bool isOther = m_measuredRead != m_document.costs().measuredRead();
        if (isOther || (what & (Change::program | Change::tags | Change::tagList | Change::sizes | Change::operators)))
            reset();
    });
}

void PartMemories::reset()
{
    m_jobs.drop(std::exchange(m_job, {}));
    Jobs::discard(&m_jobs, std::exchange(m_known, nullptr));
}

const PartMemory* PartMemories::of(int tag) const
{
    if (!m_known || tag < 0 || tag >= m_document.tagCount())
        return nullptr;
    const InternedString name = m_document.tags().order[static_cast<std::size_t>(tag)];
    const auto part = std::ranges::find(m_known->parts, name.view(), &PartMemory::name);
    return part == m_known->parts.end() || part->metrics.sizes.ops == 0 ? nullptr : &*part;
}

void PartMemories::read()
{
    if (m_known || m_job.isValid() || !m_document.isOpen())
        return;
    m_measuredRead = m_document.costs().measuredRead();
    using Report = std::shared_ptr<const MemoryReport>;
    m_job = m_jobs.start<Report>(
        {.key = QStringLiteral("memory of parts"), .title = tr("Measure the memory of parts"), .quiet = true},
        [snapshot = m_document.snapshot(), tags = m_document.tags(),
         measured = m_document.costs().measured()](ProgressMonitor&) -> Result<Report> {
            return std::make_shared<const MemoryReport>(memoryReport(snapshot->program, tags, measured, std::nullopt));
        },
        this,
        [this](Result<Report> report) {
            m_job = {};
            if (report)
                m_known = std::move(*report);
            emit changed();
        });
}

} // namespace sunder

#include "moc_part_memories.cpp"
