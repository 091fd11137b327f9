#pragma once

#include "io/side_files/manifest_writer.h"
#include "ir/program.h"

namespace sunder {

/// Adds the conditions on the inputs of an exported program: the guards that its file states, and the ranges of its inputs' sizes.
/// `whole` is the call of the program; `manifest.inputs` are its inputs. A lower bound of up to 2 is none, as in PyTorch.
void addGuards(const Program& source, const ModuleCall& whole, PartManifest& manifest);

} // namespace sunder
