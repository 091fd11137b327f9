#pragma once

#include <string_view>

namespace sunder {

/// Version of Sunder, e.g. "0.1.0"; the build takes it from packaging/changelog.
[[nodiscard]] std::string_view version();

} // namespace sunder
