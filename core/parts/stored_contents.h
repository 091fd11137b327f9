#pragma once

#include "verify/tensor_contents.h"

namespace sunder {

/// Compares tensors by the bytes that the files of two programs hold: streamed, in memory of a few hundred kilobytes, but
/// for tensors that lie otherwise in one storage than in the other, of which both are read whole (up to 2 GB each; larger
/// ones are taken for equal, with the reason). What lies in one record of one archive, or in two of equal CRC and size
/// there, is not read. Linear in the bytes.
class StoredContents final : public TensorContents {
public:
    Result<ContentsReport> compare(const Program& a, const Program& b, std::span<const TensorPair> pairs, ComparedBytes bytes,
                                   ProgressMonitor& monitor) const override;
};

} // namespace sunder
