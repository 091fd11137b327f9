#pragma once

#include "verify/trace.h"
#include "verify/traced_call.h"

namespace sunder {

/// What is promised of one call: `core/operators/data/rounding.txt`.
struct RoundingPromised {
    bool rounds = false;     ///< where its tensors lie otherwise, it rounds otherwise, and does nothing else
    bool continuous = false; ///< what is rounded otherwise in its operands changes results by little
    bool dense = false;      ///< its results lie in one way, however its tensors lie
};

/// Says whether an operand may be rounded otherwise, or may be a dtype that the program works out.
class OperandDoubts {
public:
    [[nodiscard]] virtual bool isRounded(ValueId value) const = 0;
    [[nodiscard]] virtual bool mayBeDtype(ValueId value) const = 0;

protected:
    ~OperandDoubts() = default;
};

/// The promises whose conditions hold for a call. Nothing for what nobody knows. O(operands).
RoundingPromised roundingPromised(const Trace& trace, const TermTable& terms, const Step& step, const OperandDoubts& doubts);

/// Whether a step asks a tensor, or something else, for something that may be a dtype.
bool mayGiveDtype(const Trace& trace, const TermTable& terms, const Step& step);

/// Whether a step that counts as a question is of a number: torch.sym_int(x).
bool convertsNumber(const TermTable& terms, const Step& step);

} // namespace sunder
