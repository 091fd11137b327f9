#pragma once

#include "io/pt2/pt2_reader_layout.h"
#include "ir/program.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Adds the parameters, buffers and constants of a program to its table: names, shapes, sharing of memory and where
/// the bytes are, from the configs of the archive. The bytes are not read, and may be missing. Malformed when a tensor
/// reaches beyond its member or a member lies outside of its folder. Linear in the configs. Where there are none (the
/// weights of PyTorch before 2.9 are a torch.save file) the pickle is walked; tensors of the signature that it does not
/// tell of have an unknown memory.
Result<void> addPt2Tensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program,
                           ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
