#pragma once

#include <QJsonObject>
#include <QString>

#include <string>

namespace sunder::test {

/// Gives a data function the column `folder` and a row for every case of a system: those of tests/cases and, where they
/// are there, the shared conformance cases.
void addCases(const QString& system);

/// The program of that name in a case's folder, plain or as `.gz`.
std::string programFile(const QString& folder, const QString& name);

/// The object in a JSON file; empty when there is no such file.
QJsonObject json(const QString& path);

} // namespace sunder::test
