#pragma once

#include <filesystem>

namespace sunder {

/// Returns the folder that contains the Python package sunder, for PYTHONPATH: share/sunder/python next to the bin/ of an
/// installation, a wheel, or a build, or packaging/python of the source tree around the program. Empty if there is none.
/// `program`: path of the running program.
std::filesystem::path pythonPackageFolder(const std::filesystem::path& program);

} // namespace sunder
