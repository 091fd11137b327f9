#pragma once

#include "random.h"

#include "ir/program.h"

#include <memory>
#include <string>

namespace sunder::fuzz {

/// The memory of a generated value, named as the storage in its `val`.
using Cell = std::uint32_t;
/// The cell of a program's first storage; those of generated values are below.
constexpr Cell kFirstTensorCell = 1000;

/// Describes generated tensors. All have the same shape, so that any tensor can be any operand.
class ValueTypes {
public:
    /// `symbolic`: the first size is a symbol.
    explicit ValueTypes(bool symbolic) : m_symbolic(symbolic) {}

    [[nodiscard]] bool isSymbolic() const { return m_symbolic; }
    [[nodiscard]] Argument size() const
    {
        static const InternedString kSymbol = intern("s0");
        return m_symbolic ? Argument::symbolic({.expression = kSymbol, .hint = std::int64_t{4}}) : Argument::integer(4);
    }
    [[nodiscard]] Argument tensor(Cell cell, bool requiresGrad = true) const
    {
        static const InternedString kFloat = intern("float32");
        auto meta = std::make_shared<TensorMeta>();
        meta->dtype = kFloat;
        meta->shape = {size(), Argument::integer(4)};
        meta->stride = Arguments{Argument::integer(4), Argument::integer(1)};
        meta->storage = intern("v" + std::to_string(cell));
        meta->requiresGrad = requiresGrad;
        return Argument::tensor(std::move(meta));
    }

private:
    bool m_symbolic;
};

} // namespace sunder::fuzz
