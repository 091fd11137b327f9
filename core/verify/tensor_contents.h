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

/// A parameter, buffer or constant of two programs, the same by name, with the facts of the objects behind the names.
struct TensorPair {
    TensorId a;
    TensorId b;
};

/// What the two hold that is not the same, bit for bit.
struct ContentsDifference {
    TensorPair pair;
    std::vector<std::uint64_t> position; ///< of the element, an index a dimension
    std::string valueA;                  ///< never the same text as valueB
    std::string valueB;
};

/// Names that were taken to stand for the same in both programs.
struct TakenNames {
    std::string why; ///< why it was not looked: half a sentence, "m.json holds no bytes"
    std::vector<std::string> names;
};

/// What comparing contents found.
struct ContentsReport {
    std::uint64_t tensors = 0; ///< compared and equal
    std::uint64_t bytes = 0;   ///< of these
    std::vector<TakenNames> taken; ///< neither file states where their bytes are
    std::vector<TakenNames> doubts; ///< not known to be equal, although a file states their bytes
    std::optional<ContentsDifference> difference; ///< the first; nothing behind it was looked at
};

/// What of two tensors is compared.
enum class ComparedBytes : std::uint8_t {
    elements,
    memories, ///< also the rest of the memory that they lie in, where it lies: a call may reach it
};

/// Looks at the bytes that files hold. The verifier knows no files; who calls it does.
class TensorContents {
public:
    virtual ~TensorContents() = default;
    /// Compares pairs in order, bit for bit, by `bytes`: NaNs with other payloads differ, and so do 0.0 and -0.0. How a tensor lies
    /// in its storage does not matter. What neither file holds is taken for equal, with the reason. Fails with cancelled,
    /// and with io or malformed where a file that holds bytes is damaged or has changed since it was read.
    virtual Result<ContentsReport> compare(const Program& a, const Program& b, std::span<const TensorPair> pairs,
                                           ComparedBytes bytes, ProgressMonitor& monitor) const = 0;
};

} // namespace sunder
