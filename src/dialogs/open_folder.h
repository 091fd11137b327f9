#pragma once

#include <QString>

#include <functional>

class QObject;

namespace sunder {

/// Shows a folder in the desktop's file manager. Where there is none, or it fails, `failed` is called, soon or later, while `context`
/// lives. Never waits.
void openFolder(const QString& folder, QObject* context, const std::function<void()>& failed);

} // namespace sunder
