#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"
#include "passes/split_result.h"

namespace sunder {

/// Says in the manifest of a joint forward and backward program which values are its loss and its gradients, and which part holds the
/// backward calls of which other, by their names (backwardTagOf()); its results are then a flat tuple. The outputs of the manifest are those of the signature that
/// are no writes, in order. Other manifests stay as they are. Linear in values.
void noteTrainingRoles(const ExportSignature& signature, const SplitResult& split, PartManifest& manifest);

} // namespace sunder
