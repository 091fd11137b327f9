#pragma once

#include "document/passes/pass.h"
#include "passes/unflatten/unflatten.h"

namespace sunder {

/// Options of unflatten, from and as plain values.
[[nodiscard]] UnflattenOptions unflattenOptionsOf(const PassOptions& options);
[[nodiscard]] PassOptions asPassOptions(const UnflattenOptions& options);

} // namespace sunder
