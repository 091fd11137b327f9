#pragma once

#include "operators/operator_facts.h"
#include "operators/operator_library.h"

#include "ir/program.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace sunder {

/// Facts about operators, functions, and methods: PyTorch's schemas, facts stated by hand, and schemas that come with a program.
/// Facts are parsed at the first query for a target, then cached. Not thread-safe.
class OperatorCatalog {
public:
    OperatorCatalog() = default;
    /// Includes the schemas that come with one or two programs.
    explicit OperatorCatalog(const Program& program) : OperatorCatalog(program, program) {}
    OperatorCatalog(const Program& a, const Program& b) : m_libraries{a.operators, b.operators} {}

    /// Returns the facts of a call_function or call_method target. The reference stays valid. O(1) after the first call for a
    /// target.
    const OperatorFacts& of(Op op, InternedString target);
    /// Returns the facts of a call, including higher-order calls that name an operator.
    ///
    /// - with_effects has the facts of the operator.
    /// - auto_functionalized copies the arguments that the operator writes to. It keeps the operator's use of random numbers, and
    ///   shares only memory that the operator returns without writing to it.
    ///
    /// Both are unknown if the operator is unknown.
    const OperatorFacts& of(const Node& call);

private:
    std::array<std::shared_ptr<const OperatorLibrary>, 2> m_libraries;
    std::unordered_map<std::uint64_t, OperatorFacts> m_known;
    std::unordered_map<std::uint64_t, OperatorFacts> m_called; ///< by target and called operator
};

/// Returns the operator that a call of with_effects or auto_functionalized names; empty for other calls.
InternedString calledOperator(const Node& call);

/// Returns the facts of a class of leaf modules as one overload: the parameters of its forward(), then, keyword-only, the
/// attributes that its facts refer to, "buffers", and "parameters". `known` is false for an unknown class.
OperatorFacts moduleClassFacts(std::string_view cls);

/// Returns the facts of one target. The libraries may be null.
OperatorFacts operatorFacts(Op op, std::string_view target, const OperatorLibrary* first = nullptr,
                            const OperatorLibrary* second = nullptr);

} // namespace sunder
