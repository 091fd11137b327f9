#pragma once

#include "ir/graph.h"
#include "operators/operator_catalogue.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace sunder {

/// Tracks global state across calls in order: entered and left regions, and fields that are set. Equal states have equal numbers
/// regardless of their history; 0 is the initial state. A setter with unknown effects creates a state that differs from all
/// earlier ones.
class StateChanges {
public:
    /// Returns the state after a setter. O(text of its arguments). Beyond 16 fields, every setter counts as unknown.
    std::uint32_t behind(const Node& node, NodeId id, OperatorCatalog& operators);

private:
    /// By name: ids of interned texts. Fields that were never set are absent.
    using Fields = std::map<std::string, std::uint32_t>;

    void enter(const Node& node, NodeId id, const std::string& field);
    void leave(const Node& node, NodeId id);
    [[nodiscard]] std::uint32_t value(const std::string& field) const;
    void set(const std::string& field, std::uint32_t value);
    void stir(NodeId id);

    struct Entered {
        std::string field;
        std::uint32_t before = 0; ///< 0: not set
        bool setsGradients = false; ///< inference mode sets grad mode too
        std::uint32_t gradModeBefore = 0;
    };

    Fields m_fields;
    std::unordered_map<NodeId, Entered> m_entered;
    std::uint32_t m_now = 0;
    std::map<Fields, std::uint32_t> m_numbers = {{Fields(), 0}};
};

} // namespace sunder
