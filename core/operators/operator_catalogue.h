#pragma once

#include "operators/operator_facts.h"
#include "operators/operator_library.h"

#include "ir/program.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace sunder {

/// What is known of operators, functions and methods: PyTorch's schemas, what is stated by hand, and the schemas that
/// came with a program. Parsed when a target is first asked for, then remembered. Of one thread.
class OperatorCatalogue {
public:
    OperatorCatalogue() = default;
    /// With the schemas that were given for one program or for two.
    explicit OperatorCatalogue(const Program& program) : OperatorCatalogue(program, program) {}
    OperatorCatalogue(const Program& a, const Program& b) : m_libraries{a.operators, b.operators} {}

    /// `op` is call_function or call_method. What is returned stays where it is. O(1) after the first call with a target.
    const OperatorFacts& of(Op op, InternedString target);
    /// The facts of a call, including higher-order calls that name an operator: with_effects has the facts of the operator.
    /// auto_functionalized copies the arguments that the operator writes to, so it keeps its use of random numbers, and shares
    /// only memory that the operator returns without writing to it. Both are unknown if the operator is unknown.
    const OperatorFacts& of(const Node& call);

private:
    std::array<std::shared_ptr<const OperatorLibrary>, 2> m_libraries;
    std::unordered_map<std::uint64_t, OperatorFacts> m_known;
    std::unordered_map<std::uint64_t, OperatorFacts> m_called; ///< by target and called operator
};

/// The operator that a call of with_effects or auto_functionalized names; empty for other calls.
InternedString calledOperator(const Node& call);

/// The facts of a class of leaf modules: one overload with the parameters of its forward(), then, keyword-only, the
/// attributes that its facts ask for, "buffers" and "parameters". `known` is false for a class that nobody knows.
OperatorFacts moduleClassFacts(std::string_view cls);

/// The facts of one target. `libraries` may be null.
OperatorFacts operatorFacts(Op op, std::string_view target, const OperatorLibrary* first = nullptr,
                            const OperatorLibrary* second = nullptr);

} // namespace sunder
