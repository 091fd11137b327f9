#pragma once

#include "document/document.h"
#include "jobs/jobs.h"
#include "parts/tensor_statistics.h"

#include <map>

namespace sunder {

/// State of the statistics of a weight.
struct WeightReading {
    bool isUnderWay = true;
    TensorStatistics statistics = {}; ///< valid once read
    QString why = {};                 ///< error message; empty on success
};

/// Statistics of the open model's weights. Jobs read them from the model file on request; they are kept until another model is
/// opened.
class WeightReadings final : public QObject {
    Q_OBJECT

public:
    WeightReadings(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Returns null if the weight was not requested.
    [[nodiscard]] const WeightReading* of(TensorId id) const;
    /// Starts to read a weight unless it is read or being read. Retries after a failure.
    void read(TensorId id);
    /// Writes the elements of a weight to a .npy file.
    void save(TensorId id, const QString& path);

signals:
    void changed();
    void saved(const QString& message);
    void failed(const QString& title, const QString& why);

private:
    Document& m_document;
    Jobs& m_jobs;
    std::map<TensorId, WeightReading> m_known;
    std::vector<JobId> m_running;
};

} // namespace sunder
