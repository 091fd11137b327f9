#pragma once

#include "document/passes/pass.h"
#include "document/runs/partition_request.h"

namespace sunder {

// Option ids of the partition form; values have the format that the form shows.
inline const QString kPartitionMethod = QStringLiteral("method"); ///< "2020", or the spelling of CONFIG.json: "cost_aware"
inline const QString kPartitionSaturate = QStringLiteral("saturate"); ///< bool
inline const QString kPartitionAsTorch = QStringLiteral("asTorch"); ///< bool
inline const QString kPartitionBandwidth = QStringLiteral("bandwidth"); ///< "25 GB/s"

[[nodiscard]] PassOptions asPassOptions(const PartitionRequest& request);

/// Returns the method with its options: "size-based (2020)", "cost-aware, as in PyTorch".
[[nodiscard]] QString nameOf(const PartitionRequest& request);

} // namespace sunder
