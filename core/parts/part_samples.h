#pragma once

#include "io/pt2/pt2_writer.h"
#include "io/side_files/manifest_writer.h"

#include <vector>

namespace sunder {

/// What a part has as examples of its inputs, which are nodes of an exported `source`; the manifest's words about them say where each
/// comes from. O(inputs × inputs of the source).
PartSamples samplesOfPart(const Program& source, const std::vector<NodeId>& inputs, const SampleInputs& samples,
                          std::vector<ManifestValue>& described);

} // namespace sunder
