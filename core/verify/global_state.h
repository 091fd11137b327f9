#pragma once

#include "verify/term_table.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sunder {

/// The active settings (autocast, grad mode, default dtype, and others) as fields with values. Fields that were never set, or
/// were reset, are absent, so that equal states are equal terms.
class GlobalState {
public:
    /// Returns the term of the state; gradientTerm() is the part that matters only if gradients may be required.
    [[nodiscard]] TermId term() const { return m_terms[0]; }
    [[nodiscard]] TermId gradientTerm() const { return m_terms[1]; }

    /// Whether autocast may be active.
    [[nodiscard]] bool mayCast() const
    {
        return std::ranges::any_of(m_fields, [](const Field& field) { return field.name.view().starts_with("autocast"); });
    }
    [[nodiscard]] std::size_t fieldCount() const { return m_fields.size(); }
    /// Returns the value of a field; TermTable::nothing() if it has its initial value.
    [[nodiscard]] TermId value(InternedString field) const
    {
        const auto found = std::ranges::find(m_fields, field, &Field::name);
        return found != m_fields.end() ? found->value : TermTable::nothing();
    }
    /// Sets a field, or resets it if `value` is TermTable::nothing(). O(fields).
    void set(InternedString field, TermId value, bool gradient, TermTable& terms)
    {
        auto found = std::ranges::find(m_fields, field, &Field::name);
        if (found == m_fields.end())
            found = m_fields.insert(
                std::ranges::upper_bound(m_fields, field.id(), {}, [](const Field& f) { return f.name.id(); }),
                {field, value, gradient});
        found->value = value;
        if (value == TermTable::nothing())
            m_fields.erase(found);
        terms.learn(field);
        m_terms = {TermTable::nothing(), TermTable::nothing()};
        for (const Field& f : m_fields) {
            TermId& term = m_terms[f.gradient ? 1 : 0];
            term = terms.make({.kind = TermKind::state, .head = f.name.id()}, {term, f.value});
        }
    }

private:
    struct Field {
        InternedString name;
        TermId value;
        bool gradient;
    };
    std::vector<Field> m_fields;
    std::array<TermId, 2> m_terms{TermTable::nothing(), TermTable::nothing()};
};

} // namespace sunder
