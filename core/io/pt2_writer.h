#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

struct Pt2WriteOptions {
    /// A part of the program in the source archive: its inputs are not those of the whole, so sample inputs, guards
    /// on inputs and extra files stay behind.
    bool isPart = false;
};

/// Writes an exported program as a .pt2 that torch.export.load reads: a root graph with a signature, nested graphs of
/// higher-order operators as get_attr nodes, getitems behind calls with several results.
///
/// Weights are copied raw, piece by piece, from where the storages say that they are; their checksums are checked on
/// the way. A program that came in an older container (PyTorch 2.8 and earlier) goes into one of that kind, with all
/// weights of the source. Tags are written into the custom metadata of nodes, their order and colours into that of
/// the program (`"tags"`).
///
/// Of programs that were not read from a .pt2, the names of arguments that operators are called with by position are
/// not known, and writing is refused; so it is for calls of modules and methods, slices, and other values that the
/// schema lacks (each names the node). Further errors: io (a full disk; the file appears whole or not at all),
/// malformed (a weight that is damaged or missing, naming the record), cancelled. Linear.
Result<void> writePt2(const Program& program, const std::string& path, const Pt2WriteOptions& options = {},
                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
