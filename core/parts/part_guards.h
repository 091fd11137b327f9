#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"

namespace sunder {

/// Adds the conditions on the inputs of an exported program: the guards in its file, and the ranges of input sizes. `whole` is
/// the call of the program; `manifest.inputs` are its inputs. Lower bounds up to 2 are ignored, as in PyTorch.
void addGuards(const Program& source, const ModuleCall& whole, PartManifest& manifest);

} // namespace sunder
