#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

#include <string>

namespace sunder {

/// A program that was read back, and a note about the check.
struct ReadBack {
    Program program;
    QString note;
};

/// Reads a written program before it is moved to `laterFolder`, and verifies it. Refused if it is not equivalent.
Result<ReadBack> readBack(const Program& program, const QString& path, const std::string& laterFolder, ProgressMonitor& monitor);

/// Writes a program as fx-json, reads it back, and verifies it. Returns a sentence about the check.
Result<QString> writeProgram(const Program& program, const QString& path, ProgressMonitor& monitor);

} // namespace sunder
