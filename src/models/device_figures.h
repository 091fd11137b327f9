#pragma once

#include "analysis/device.h"

#include <QString>

#include <span>

namespace sunder {

/// A sentence for the tooltip of a column of figures that no partition method uses.
QString unusedFigureNote();

/// "Not used by this method: speed and compute of the devices." Names the figures that some of them have; empty where none has any.
/// `usesOwnBandwidth`: the method takes one bandwidth for all devices instead.
QString unusedFigures(std::span<const Device> devices, bool usesOwnBandwidth);

} // namespace sunder
