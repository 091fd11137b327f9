#pragma once

#include "document/passes/pass.h"
#include "document/runs/partition_request.h"

namespace sunder {

// Ids of what the partition form asks for; its values are as the form shows them.
inline const QString kPartitionMethod = QStringLiteral("method");       ///< "2020", or as CONFIG.json calls it: "cost_aware"
inline const QString kPartitionSaturate = QStringLiteral("saturate");   ///< bool
inline const QString kPartitionAsTorch = QStringLiteral("asTorch");     ///< bool
inline const QString kPartitionBandwidth = QStringLiteral("bandwidth"); ///< "25 GB/s"

[[nodiscard]] PassOptions asPassOptions(const PartitionRequest& request);

/// "size-based of 2020", "cost-aware, as torch".
[[nodiscard]] QString nameOf(const PartitionRequest& request);

} // namespace sunder
