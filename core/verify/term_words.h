#pragma once

#include "verify/difference.h"

#include <string>

namespace sunder {

/// Says in words what terms of one program are. Words are for people; verdicts are made elsewhere.
class TermWords {
public:
    TermWords(const ExplainedSide& side, Side which, const TermTable& terms, const Correspondence& correspondence)
        : m_side(side), m_which(which), m_terms(terms), m_correspondence(correspondence)
    {
    }

    /// "sin (in part0)", "0.1", "[x, 2]", "input x".
    [[nodiscard]] std::string of(TermId id) const { return of(id, kDepth); }
    /// What else could tell it from something that is called the same: target and arguments of a call, what a tensor is.
    [[nodiscard]] std::string details(TermId id) const;
    /// "add_ (in part0)"; "something" where there is no node.
    [[nodiscard]] std::string node(NodeRef node) const;
    /// The node that computes a term first; invalid ids where none does.
    [[nodiscard]] NodeRef nodeOf(TermId term) const;
    /// The node that brought a version of memory about.
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
    const Correspondence& m_correspondence;
};

} // namespace sunder
