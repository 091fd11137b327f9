#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"
#include "parts/part_plan.h"

#include <string>
#include <vector>

namespace sunder {

/// Returns the manifest of an exported program's parts, without file names and the hash of the source. Omits parts that are
/// replaced by a later part of the same name. Linear in values.
PartManifest manifestOf(const Program& source, const SplitResult& split, const PartPlan& plan);

/// Returns the manifest of the parts of a plain graph module: the calls of the split graph in order.
PartManifest manifestOfModules(const Program& source, const SplitResult& split);

/// Returns the operators that a program calls or passes to operators and that `import torch` does not register. Linear in
/// arguments.
std::vector<ManifestOperator> operatorsToRegister(const Program& program);

/// Returns a file name for each name: ASCII letters, digits, dots, dashes, and underscores are kept, other characters become "_".
/// The names are unique even on case-insensitive file systems; none is hidden or equal to "manifest.json". `suffix` includes its
/// dot.
std::vector<std::string> partFileNames(const std::vector<std::string>& names, const std::string& suffix);

/// Returns the indices of the called parts, in call order. Of parts with the same name, only the last one is included.
std::vector<std::size_t> distinctParts(const SplitResult& split);

/// Adds the conditions on the inputs of an exported program: the guards in its file, and the ranges of input sizes. `whole` is
/// the call of the program; `manifest.inputs` are its inputs. Lower bounds up to 2 are ignored, as in PyTorch.
void addGuards(const Program& source, const ModuleCall& whole, PartManifest& manifest);

} // namespace sunder
