#pragma once

#include "ir/graph.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace sunder {

/// Follows what calls set of the global state, in their order: regions entered and left, fields set. Equal states have equal
/// numbers, however they came about; 0 is the one at the start. What sets something that nobody keeps apart makes a state that
/// there was not before.
class StateChanges {
public:
    /// The state behind a call that sets some. O(text of its arguments): beyond 16 fields every setter counts as
    /// one that nobody keeps apart.
    std::uint32_t behind(const Node& node, NodeId id, OperatorCatalogue& operators);

private:
    using Fields = std::map<std::string, std::uint32_t>; ///< by name, ids of interned texts; what was never set is absent

    void enter(const Node& node, NodeId id, const std::string& field);
    void leave(const Node& node, NodeId id);
    [[nodiscard]] std::uint32_t value(const std::string& field) const;
    void set(const std::string& field, std::uint32_t value);
    void stir(NodeId id);

    struct Entered {
        std::string field;
        std::uint32_t before = 0; ///< 0: it was not set
        bool setsGradients = false; ///< inference mode sets grad mode too
        std::uint32_t gradModeBefore = 0;
    };

    Fields m_fields;
    std::unordered_map<NodeId, Entered> m_entered;
    std::uint32_t m_now = 0;
    std::map<Fields, std::uint32_t> m_numbers = {{Fields(), 0}};
};

} // namespace sunder
