#pragma once

#include "verify/tensor_contents.h"

namespace sunder {

/// Compares tensors by the bytes in the files of two programs. Streams the data with a few hundred kilobytes of memory, except
/// for tensors with different layouts, which are read completely (up to 2 GB each; larger ones are reported as unknown). Does not
/// read data that is in the same record of one archive, or in two records of it with equal CRC and size. Linear in the bytes.
class StoredContents final : public TensorContents {
public:
    Result<ContentsReport> compare(const Program& a, const Program& b, std::span<const TensorPair> pairs, ComparedBytes bytes,
                                   ProgressMonitor& monitor) const override;
};

} // namespace sunder
