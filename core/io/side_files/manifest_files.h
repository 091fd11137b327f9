#pragma once

#include <string>
#include <vector>

namespace sunder {

/// The files that a manifest of parts lists, itself among them: names without folders. None when it cannot be read or is
/// not one that Sunder wrote.
std::vector<std::string> filesOfManifest(const std::string& path);

} // namespace sunder
