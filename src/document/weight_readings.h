#pragma once

#include "document/document.h"
#include "jobs/jobs.h"
#include "parts/tensor_statistics.h"

#include <map>

namespace sunder {

/// What is known of a weight whose statistics were asked for.
struct WeightReading {
    bool isUnderWay = true;
    TensorStatistics statistics = {}; ///< once it was read
    QString why = {};                 ///< why it was not; else empty
};

/// Statistics of the weights of the open model: read from its file by jobs, when asked for, and kept until another model is opened.
class WeightReadings final : public QObject {
    Q_OBJECT

public:
    WeightReadings(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Null while nobody asked.
    [[nodiscard]] const WeightReading* of(TensorId id) const;
    /// Starts to read, unless that is done or under way. What failed is read again.
    void read(TensorId id);
    /// Writes the elements to a .npy file.
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
