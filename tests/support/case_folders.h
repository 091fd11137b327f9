#pragma once

#include <QJsonObject>
#include <QString>

#include <string>

namespace sunder::test {

/// Adds the column `folder` and a row for every case of a system: those of tests/cases and, if present, the shared conformance
/// cases.
void addCases(const QString& system);

/// Path of the program with this name in a case's folder, plain or as `.gz`.
std::string programFile(const QString& folder, const QString& name);

/// The object in a JSON file; empty if the file does not exist.
QJsonObject json(const QString& path);

} // namespace sunder::test
