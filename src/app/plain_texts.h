#pragma once

namespace sunder {

/// Property of widgets whose tooltip is that of a command and contains its current shortcuts. Other tooltips contain default
/// shortcuts, which are replaced when they are shown.
inline constexpr const char* kTipOfCommand = "tipOfCommand";

/// Makes all labels, tooltips, and messages display plain text in full, unless setTextFormat() was called. Qt would interpret
/// text such as `<img src=…>` in model names as markup. Applies to the whole application, including later widgets. Call before
/// creating the first window; further calls have no effect.
void keepTextsPlain();

} // namespace sunder
