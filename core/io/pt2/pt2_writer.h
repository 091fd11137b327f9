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

/// The origin of a part's example input.
enum class PartSample : std::uint8_t {
    source, ///< the example value of the source
    literal, ///< the only value that the input can have
    filler, ///< zeros, or the example value of a size
};

/// Example inputs of a part: values of the source if available, zeros for results of earlier parts.
struct PartSamples {
    const SampleInputs* source = nullptr;
    std::vector<std::size_t> inputs; ///< per user input: its index in the source; out of range: none
};

struct Pt2WriteOptions {
    /// Write a part of the program in the source archive. Its inputs differ from those of the model, so guards on inputs, extra
    /// files, sample inputs, and weights that it does not read are omitted.
    bool isPart = false;
    /// Target release of PyTorch, which also determines the container. None: release and container of the source.
    std::optional<Pt2Schema> target = {};
    /// Example inputs of a part; without them the part has none.
    std::optional<PartSamples> samples = {};
    /// Receives remarks, e.g. about unneeded contents that could not be omitted from a part.
    std::function<void(const std::string&)> remark = {};
};

/// Returns the kind of example that writePt2() writes for an input.
PartSample partSampleOf(const PartSamples& samples, const InputSpec& input, std::size_t number);

/// Writes an exported program as a .pt2 file for torch.export.load. The program has a root graph with a signature, nested graphs
/// of higher-order operators as get_attr nodes, and getitems after calls with several results.
///
/// Weights are copied raw, piece by piece, from the locations of the storages, and their checksums are verified. A program from
/// an older container (PyTorch 2.8 and earlier) is written into a container of the same kind. A part then contains the weights
/// that it reads, or all weights of the source if some of them are not understood. Tags are written into the custom metadata of
/// nodes, and their order and colors into that of the program (`"tags"`).
///
/// Names of positional operator arguments are those of the source file, else those of the operator's schema. Errors: refused,
/// naming the node, for operators with neither, programs without a signature (passes/to_exported creates one), calls of modules
/// and methods, slices, and other values that the schema does not support; io (e.g. a full disk); malformed (a damaged or missing
/// weight, naming the record); cancelled. The file is replaced atomically. Linear.
Result<void> writePt2(const Program& program, const std::string& path, const Pt2WriteOptions& options = {},
                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
