#pragma once

#include "ir/program.h"
#include "passes/unflatten/tensor_keys.h"
#include "support/flat_map.h"
#include "support/result.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// All names under which the tensor or object stands that a placeholder of an exported program is for.
class TensorNames {
public:
    /// Refuses a constant that no input of the program stands for. Linear.
    static Result<TensorNames> of(const Program& program, TensorKeys& keys);

    /// The number of what a placeholder is for, equal for those that are for one tensor; null for other inputs.
    [[nodiscard]] const std::uint32_t* numberOf(InternedString placeholder) const { return m_numberOf.find(placeholder); }
    /// The preferred name among those that lie in the module at a path or below; empty when none does.
    [[nodiscard]] InternedString nameBelow(std::string_view path, std::uint32_t number) const;
    /// Names of the placeholders.
    [[nodiscard]] const std::vector<InternedString>& placeholders() const { return m_placeholders; }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Name {
        InternedString name;
        std::uint32_t next; ///< the next name of the same tensor
    };
    struct Tensor {
        std::uint32_t first = kNone; ///< into m_names: what the signature calls it comes first, then constants, then the rest
        std::uint32_t last = kNone;
    };

    void add(std::uint32_t number, InternedString name);

    std::vector<Name> m_names;
    std::vector<Tensor> m_tensors; ///< by number
    std::vector<InternedString> m_placeholders;
    FlatMap<std::uint32_t> m_numberOf;
};

/// True for what is not in the state dict: constants, and buffers that are not persistent.
bool isConstant(const TensorEntry& entry, const TensorTable& tensors);

} // namespace sunder
