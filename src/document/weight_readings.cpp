#include "document/weight_readings.h"

#include "document/text.h"
#include "parts/npy_file.h"

#include <utility>

namespace sunder {

WeightReadings::WeightReadings(Document& document, Jobs& jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs)
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (!what.testFlag(Change::program))
            return;
        m_known.clear();
        for (const JobId job : std::exchange(m_running, {}))
            m_jobs.drop(job);
    });
}

const WeightReading* WeightReadings::of(TensorId id) const
{
    const auto found = m_known.find(id);
    return found == m_known.end() ? nullptr : &found->second;
}

void WeightReadings::read(TensorId id)
{
    const auto known = m_known.find(id);
    if (!m_document.isOpen() || (known != m_known.end() && known->second.why.isEmpty()))
        return;
    m_known[id] = {};
    const SnapshotPtr snapshot = m_document.snapshot();
    const QString name = text(snapshot->program.tensors[id].fqn);
    // a pointer avoids a false warning of GCC 12 about an uninitialized error
    using Statistics = std::shared_ptr<const TensorStatistics>;
    m_running.push_back(m_jobs.start<Statistics>(
        {.key = QStringLiteral("weight %1").arg(id.index()), .title = tr("Compute statistics of %1").arg(name)},
        [snapshot, id](ProgressMonitor& monitor) -> Result<Statistics> {
            SUNDER_TRY(TensorStatistics read, tensorStatistics(snapshot->program, id, monitor));
            return std::make_shared<const TensorStatistics>(std::move(read));
        },
        this,
        [this, id, model = snapshot->model](Result<Statistics> found) {
            if (!m_document.isOpen() || m_document.snapshot()->model != model)
                return;
            WeightReading reading{.isUnderWay = false};
            if (found)
                reading.statistics = **found;
            else
                reading.why = sentence(describe(found.error()));
            m_known[id] = std::move(reading);
            emit changed();
        }));
    emit changed();
}

void WeightReadings::save(TensorId id, const QString& path)
{
    const SnapshotPtr snapshot = m_document.snapshot();
    const QString name = text(snapshot->program.tensors[id].fqn);
    m_jobs.start<NpyFile>(
        {.key = QStringLiteral("save ") + path, .title = tr("Save %1").arg(name), .leavesFiles = true},
        [snapshot, id, to = path.toStdString()](ProgressMonitor& monitor) {
            return writeNpy(snapshot->program, id, to, monitor);
        },
        this,
        [this, path, name](const Result<NpyFile>& written) {
            if (!written) {
                if (isFault(written.error()))
                    emit failed(tr("%1 was not saved").arg(name), sentence(describe(written.error())));
            } else if (written->note.empty())
                emit saved(tr("Saved %1 to %2.").arg(name, visible(path)));
            else
                emit saved(tr("Saved %1 to %2. %3").arg(name, visible(path), sentence(written->note)));
        });
}

} // namespace sunder

#include "moc_weight_readings.cpp"
