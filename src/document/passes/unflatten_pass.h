#pragma once

#include "document/passes/pass.h"
#include "passes/unflatten/unflatten.h"

namespace sunder {

/// Converts between UnflattenOptions and the plain values of PassOptions.
[[nodiscard]] UnflattenOptions unflattenOptionsOf(const PassOptions& options);
[[nodiscard]] PassOptions asPassOptions(const UnflattenOptions& options);

} // namespace sunder
