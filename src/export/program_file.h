#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <QString>

#include <string>

namespace sunder {

/// A program as it was read back, and what was found.
struct ReadBack {
    Program program;
    QString note;
};

/// Reads back what was written of a program, before it is put into `laterFolder`, and has it verified. Refused when it is
/// another program.
Result<ReadBack> readBack(const Program& program, const QString& path, const std::string& laterFolder, ProgressMonitor& monitor);

/// Writes a program as fx-json; what is read back is verified against it. A sentence about the check.
Result<QString> writeProgram(const Program& program, const QString& path, ProgressMonitor& monitor);

} // namespace sunder
