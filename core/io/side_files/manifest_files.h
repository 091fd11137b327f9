#pragma once

#include <string>
#include <vector>

namespace sunder {

/// Returns the files listed in a manifest of parts, including the manifest, as names without folders. Empty if it cannot be read
/// or was not written by Sunder.
std::vector<std::string> filesOfManifest(const std::string& path);

} // namespace sunder
