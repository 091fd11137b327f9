#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"
#include "passes/split_result.h"

namespace sunder {

/// Marks the loss and the gradients in the manifest of a joint forward-backward program, and the part whose forward ops each
/// backward part belongs to (backwardTagOf()). The program's results then form a flat tuple. The outputs of the manifest must be
/// those of the signature that are not writes, in order. Does not change other manifests. Linear in values.
void noteTrainingRoles(const ExportSignature& signature, const SplitResult& split, PartManifest& manifest);

} // namespace sunder
