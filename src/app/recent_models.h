#pragma once

#include <QStringList>

namespace sunder {

/// Recently opened models, newest first. Stored in the settings, as are the programs below.
[[nodiscard]] QStringList recentModels();
void rememberModel(const QString& path);
/// Returns whether the model was in the list.
bool forgetModel(const QString& path);

/// Returns the last chosen program of a file that holds several; may be empty.
[[nodiscard]] QString rememberedProgram(const QString& path);
/// Stores the chosen program. Removes entries of files that are not among the recent models.
void rememberProgram(const QString& path, const QString& program);

} // namespace sunder
