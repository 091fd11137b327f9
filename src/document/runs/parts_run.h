#pragma once

#include "analysis/cost/node_costs.h"
#include "analysis/device.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// What a run of the parts in PyTorch needs.
struct PartsRunRequest {
    SnapshotPtr source;
    QString modelPath;
    TagAssignment tags; ///< if no call has one, the whole model is a single part
    QStringList pythons; ///< to try in order
    QString torchDevice; ///< "cuda:0"; empty: where the model was exported
    QStringList modules; ///< to import first
    std::optional<Device> device; ///< that the cost model estimates seconds for
};

/// Parts that ran against the whole model: measured figures next to estimates.
struct PartsRun {
    struct Output {
        QString name;
        QString type; ///< "float32 [1, 1000]"
        bool isEqual = false; ///< bit for bit
        std::optional<double> largest;  ///< absolute difference; may be infinite
        std::optional<double> relative;
        QString why; ///< the difference in words
    };
    struct Part {
        QString name;
        QString device; ///< in PyTorch's words
        double seconds = 0;
        std::optional<double> estimatedSeconds;
        std::optional<std::uint64_t> memory;
        std::optional<std::uint64_t> estimatedMemory;
    };
    std::vector<Output> outputs;
    std::vector<Part> parts;
    bool isEqual = false;
    QString agreement; ///< the comparison in words
    double seconds = 0; ///< of all parts
    double wholeSeconds = 0;
    QString measuredOn;  ///< "cpu (…, 2 threads)"
    QString python;      ///< path
    QString release;     ///< "PyTorch 2.13.0, Python 3.11"
    QString estimatedFor; ///< name of the device of estimated seconds; empty: none
    QStringList notes;
    std::string costs; ///< a COSTS.json
};

using PartsRunPtr = std::shared_ptr<const PartsRun>;

/// Exports the parts to a temporary folder and runs them with `sunder.running` of the Python package. Blocks: call it from a job.
/// Refused as the export of parts is. Also returns the errors of runInTorch() and those that the package reports.
Result<PartsRunPtr> runPartsInTorch(const PartsRunRequest& request, ProgressMonitor& monitor);

} // namespace sunder
