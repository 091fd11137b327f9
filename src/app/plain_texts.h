#pragma once

namespace sunder {

/// Property of a widget whose tooltip is that of a command: it names its keys as they are. Other tooltips name keys as they are
/// at first, and are shown with those of now.
inline constexpr const char* kTipOfCommand = "tipOfCommand";

/// Labels, tooltips and messages show their text as it is, and whole, unless whoever made one said otherwise by setTextFormat(): Qt
/// takes a text that looks like markup for markup, and names of a model may look like `<img src=…>`. Holds for the whole
/// application, for what is made later as well. To be called before the first window is made; again does nothing.
void keepTextsPlain();

} // namespace sunder
