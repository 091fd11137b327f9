#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace sunder {

/// The last line that a process of the Python package wrote, and the Python that ran it.
struct TorchAnswer {
    QByteArray line; ///< JSON
    QString python;  ///< path
    QString release; ///< "PyTorch 2.13.0, Python 3.11"
};

/// Returns the interpreters to try, most likely ones first: `chosen`, a path or the name of a program on PATH; or, if that is empty,
/// those of the active virtual environment, of the active Conda environment, and on PATH.
QStringList pythonsToTry(const QString& chosen);

/// Runs a module of the Python package, which writes JSON lines, in the first of `pythons` that has PyTorch and the package.
/// Reports lines with `step` and `share` as progress. Blocks: call it from a job. `folder`: the working directory, without
/// modules.
///
/// Errors: ErrorCode::unsupported with what each Python lacks; ErrorCode::io with the end of standard error if the process fails;
/// ErrorCode::cancelled, after the process and its children were killed.
Result<TorchAnswer> runInTorch(const QStringList& pythons, const QString& module, const QStringList& arguments,
                               const QString& folder, ProgressMonitor& monitor);

} // namespace sunder
