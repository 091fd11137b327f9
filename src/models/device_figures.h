#pragma once

#include "analysis/device.h"

#include <QString>

#include <span>

namespace sunder {

/// Returns a sentence for the tooltips of columns that no partition method uses.
QString unusedFigureNote();

/// Returns e.g. "Not used by this method: speed and compute of the devices.", with the figures that some devices have; empty if
/// there are none. `usesOwnBandwidth`: the method uses one bandwidth for all devices instead.
QString unusedFigures(std::span<const Device> devices, bool usesOwnBandwidth);

} // namespace sunder
