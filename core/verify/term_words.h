#pragma once

#include "verify/difference.h"

#include <string>

namespace sunder {

/// Describes terms of one program in words. For people only; the verdict is decided elsewhere.
class TermWords {
public:
    TermWords(const ExplainedSide& side, Side which, const TermTable& terms, const SymbolMapping& mapping)
        : m_side(side), m_which(which), m_terms(terms), m_mapping(mapping)
    {
    }

    /// Returns "sin (in part0)", "0.1", "[x, 2]", or "input x".
    [[nodiscard]] std::string of(TermId id) const { return of(id, kDepth); }
    /// Returns details that distinguish a term from one with the same name: target and arguments of a call, metadata of a tensor.
    [[nodiscard]] std::string details(TermId id) const;
    /// Returns "add_ (in part0)"; "something" if there is no node.
    [[nodiscard]] std::string node(NodeRef node) const;
    /// Returns the node that computes a term first; invalid if there is none.
    [[nodiscard]] NodeRef nodeOf(TermId term) const;
    /// Returns the node that created a version of memory.
    [[nodiscard]] NodeRef writerOf(TermId version) const;

private:
    static constexpr int kDepth = 3;

    [[nodiscard]] std::string of(TermId id, int depth) const;
    [[nodiscard]] std::string group(TermId id, int depth) const;
    [[nodiscard]] std::string literal(TermId id) const;
    [[nodiscard]] std::string tensor(TermId id) const;
    [[nodiscard]] std::string sizeOfInput(std::uint64_t bits) const;

    const ExplainedSide& m_side;
    Side m_which;
    const TermTable& m_terms;
    const SymbolMapping& m_mapping;
};

} // namespace sunder
