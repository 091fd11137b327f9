#pragma once

#include "verify/trace.h"
#include "verify/traced_call.h"

namespace sunder {

/// The promises of `core/operators/data/rounding.txt` for a call.
struct RoundingPromised {
    bool rounds = false;     ///< other strides of its inputs affect rounding only
    bool continuous = false; ///< rounding of its inputs changes its results little
    bool dense = false;      ///< its results are contiguous for all strides of its inputs
};

/// Properties of operands in the analyzed program.
class OperandDoubts {
public:
    [[nodiscard]] virtual bool isRounded(ValueId value) const = 0;
    [[nodiscard]] virtual bool mayBeDtype(ValueId value) const = 0;

protected:
    ~OperandDoubts() = default;
};

/// Returns the promises whose conditions hold for a call; none for unknown operators. O(operands).
RoundingPromised roundingPromised(const Trace& trace, const TermTable& terms, const Step& step, const OperandDoubts& doubts);

/// Whether the result of a step may be a dtype.
bool mayGiveDtype(const Trace& trace, const TermTable& terms, const Step& step);

/// Whether a query converts a number: torch.sym_int(x).
bool convertsNumber(const TermTable& terms, const Step& step);

} // namespace sunder
