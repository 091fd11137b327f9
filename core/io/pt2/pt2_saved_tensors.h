#pragma once

#include "io/pt2/pt2_reader_layout.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace sunder {

/// Returns the existing torch.save members with the tensors of an archive from before PyTorch 2.9: weights first, then constants.
/// Empty for an archive with raw weights.
std::vector<std::string> savedTensorMembers(const ZipArchive& archive, const std::string& root, const std::string& model);

/// Adds the tensors of those members, including shared storage; their storages are in records "MEMBER/data/…" of the archive.
/// Unreadable contents (a damaged member, custom tensor classes) are skipped. Linear in the pickles.
void addSavedTensors(const ZipArchive& archive, const Pt2Layout& layout, const std::string& model, Program& program);

} // namespace sunder
