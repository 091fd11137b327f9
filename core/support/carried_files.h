#pragma once

namespace sunder {

/// Lets libraries find the files that a wheel carries next to its programs, where the system has none: fonts, tables of dead keys,
/// and a folder for keyboard layouts, without which no key works under Wayland (the layout itself comes from the display). Ignores
/// plugins of other Qt versions that Python packages such as OpenCV announce in the environment. Prefers Xwayland in GNOME, where
/// the window would have no title bar. Changes nothing outside a wheel. Call it before the first thread starts.
void useCarriedFiles();

} // namespace sunder
