#pragma once

#include "io/side_files/manifest_writer.h"
#include "parts/part_plan.h"

#include <string>
#include <vector>

namespace sunder {

/// The manifest of an exported program's parts, without file names of parts and the hash of the source. Parts that
/// another of the same name replaces are left out. Linear in values.
PartManifest manifestOf(const Program& source, const SplitResult& split, const PartPlan& plan);

/// The manifest of the parts of a graph module that is no exported program: calls of the split graph in order.
PartManifest manifestOfModules(const Program& source, const SplitResult& split);

/// The operators that a program calls or passes to operators and that `import torch` does not register. Linear in arguments.
std::vector<ManifestOperator> operatorsToRegister(const Program& program);

/// A file name for each name: its letters, digits, dots, dashes and underscores, others as "_"; distinct even where
/// upper and lower case are one, none hidden, none "manifest.json". `suffix` includes its dot.
std::vector<std::string> partFileNames(const std::vector<std::string>& names, const std::string& suffix);

/// Indices of the parts that are called, in call order: of two parts of one name only the later one is there.
std::vector<std::size_t> distinctParts(const SplitResult& split);

} // namespace sunder
