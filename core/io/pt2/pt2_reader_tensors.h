#pragma once

#include "io/pt2/pt2_reader_layout.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Adds the parameters, buffers, and constants of a program to its table: names, shapes, shared storage, and locations of the
/// bytes, from the configs of the archive. The bytes are not read and may be missing. Malformed if a tensor extends beyond its
/// member, or a member is outside its folder. Linear in the configs. Without configs (before PyTorch 2.9, weights are a
/// torch.save file), the pickle is read instead; tensors of the signature that are not in it get an unknown storage.
Result<void> addPt2Tensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program,
                           ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
