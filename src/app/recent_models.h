#pragma once

#include <QStringList>

namespace sunder {

/// The models that were open last, the newest first. Kept in the settings, as are the programs below.
[[nodiscard]] QStringList recentModels();
void rememberModel(const QString& path);
/// Whether it was among them.
bool forgetModel(const QString& path);

/// Which program of a file with several was chosen last; empty when none was.
[[nodiscard]] QString rememberedProgram(const QString& path);
/// Those of files that are not among the recent ones are forgotten.
void rememberProgram(const QString& path, const QString& program);

} // namespace sunder
