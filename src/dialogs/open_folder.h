#pragma once

#include <QString>

#include <functional>

class QObject;

namespace sunder {

/// Shows a folder in the desktop's file manager. If there is none or it fails, calls `failed`, possibly later, as long as
/// `context` exists. Never blocks.
void openFolder(const QString& folder, QObject* context, const std::function<void()>& failed);

} // namespace sunder
