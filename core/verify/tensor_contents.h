#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// A parameter, buffer, or constant of two programs, matched by name. The ids may denote aliases of a tensor object.
struct TensorPair {
    TensorId a;
    TensorId b;
};

/// A bitwise difference between the contents of two tensors.
struct ContentsDifference {
    TensorPair pair;
    std::vector<std::uint64_t> position; ///< of the element: one index per dimension
    std::string valueA;                  ///< always differs from valueB
    std::string valueB;
};

/// Names that are assumed to denote equal contents in both programs.
struct TakenNames {
    std::string why; ///< why contents were not compared: half a sentence, e.g. "m.json holds no bytes"
    std::vector<std::string> names;
};

/// The result of a comparison of contents.
struct ContentsReport {
    std::uint64_t tensors = 0; ///< number of tensors compared and equal
    std::uint64_t bytes = 0;   ///< total bytes of these tensors
    std::vector<TakenNames> taken; ///< neither file states where their bytes are
    std::vector<TakenNames> doubts; ///< not known to be equal, although a file states where their bytes are
    std::optional<ContentsDifference> difference; ///< the first difference; later tensors were not compared
};

/// The bytes of two tensors that are compared.
enum class ComparedBytes : std::uint8_t {
    elements,
    memories, ///< also the rest of their storage, and their position in it, because a call may access it
};

/// Compares the bytes in the files of two programs. An interface, because the verifier does not depend on file formats.
class TensorContents {
public:
    virtual ~TensorContents() = default;
    /// Compares pairs in order, bit for bit: NaNs with different payloads differ, and so do 0.0 and -0.0. The position and
    /// strides of a tensor in its storage do not matter for `elements`. Contents that neither file holds are assumed equal, and
    /// the report states why. Fails with cancelled, or with io or malformed if a file that holds bytes is damaged or has changed
    /// since it was read.
    virtual Result<ContentsReport> compare(const Program& a, const Program& b, std::span<const TensorPair> pairs,
                                           ComparedBytes bytes, ProgressMonitor& monitor) const = 0;
};

} // namespace sunder
