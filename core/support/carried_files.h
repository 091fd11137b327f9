#pragma once

namespace sunder {

/// Lets libraries find the files that a wheel carries next to its programs: fonts, where the system has no font configuration, and
/// a place for keyboard layouts, without which no key works (the layout itself comes from the display). Ignores plugins of other Qt
/// versions that Python packages such as OpenCV announce in the environment. Changes nothing outside a wheel. Call it before the
/// first thread starts.
void useCarriedFiles();

} // namespace sunder
