#pragma once

#include "io/pt2/pt2_writer.h"
#include "io/side_files/manifest_writer.h"

#include <vector>

namespace sunder {

/// Returns example inputs of a part. The inputs are nodes of the exported `source`; the manifest's descriptions of them state
/// their origin. O(inputs × inputs of the source).
PartSamples samplesOfPart(const Program& source, const std::vector<NodeId>& inputs, const SampleInputs& samples,
                          std::vector<ManifestValue>& described);

} // namespace sunder
