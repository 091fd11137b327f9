#pragma once

#include "io/pt2/pt2_schema.h"
#include "io/pt2/sample_inputs.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// What a part has as an example of an input.
enum class PartSample : std::uint8_t {
    source, ///< the value that the source has as its example
    literal, ///< the one value that the input can have
    filler, ///< zeros, or the number that the size is in the example
};

/// Example inputs of a part: values of the source where it has them, zeros for what earlier parts compute.
struct PartSamples {
    const SampleInputs* source = nullptr;
    std::vector<std::size_t> inputs; ///< per user input: which one it is of the source; none: beyond the last
};

struct Pt2WriteOptions {
    /// A part of the program in the source archive: its inputs are not those of the whole, so guards on inputs and
    /// extra files stay behind, as do sample inputs and weights that it does not read.
    bool isPart = false;
    /// The release of PyTorch that is to read it, in whose container it is written; none: that of the source, in the container of
    /// the source.
    std::optional<Pt2Schema> target = {};
    /// Example inputs of a part; without them it has none.
    std::optional<PartSamples> samples = {};
    /// Is told what a part could not be spared.
    std::function<void(const std::string&)> remark = {};
};

/// What writePt2() makes of an example input.
PartSample partSampleOf(const PartSamples& samples, const InputSpec& input, std::size_t number);

/// Writes an exported program as a .pt2 that torch.export.load reads: a root graph with a signature, nested graphs of
/// higher-order operators as get_attr nodes, getitems behind calls with several results.
///
/// Weights are copied raw, piece by piece, from where the storages say that they are; their checksums are checked on
/// the way. A program that came in an older container (PyTorch 2.8 and earlier) goes into one of that kind; a part then
/// holds the weights that it reads, or all of the source where not all of those are understood. Tags are written into the custom metadata of nodes, their order and colours into that of
/// the program (`"tags"`).
///
/// Names of arguments that operators are called with by position are those of the file that the program was read from, else
/// those of the operator's schema. Refused are operators without either, programs without a signature
/// (passes/to_exported makes one), calls of modules and methods, slices, and other values that the schema lacks (each
/// names the node). Further errors: io (a full disk; the file appears whole or not at all),
/// malformed (a weight that is damaged or missing, naming the record), cancelled. Linear.
Result<void> writePt2(const Program& program, const std::string& path, const Pt2WriteOptions& options = {},
                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
