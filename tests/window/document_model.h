#pragma once

#include "ir/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sunder::test {

/// The expected state of the open document, kept by names and full copies, simple enough to be obviously correct. Independent of
/// Document, its indices, commands, and incremental checks.
class DocumentModel {
public:
    struct Tags {
        std::vector<std::string> order;
        std::map<std::string, std::string> tagOf; ///< node, tag
        friend bool operator==(const Tags&, const Tags&) = default;
    };

    /// Reads the names and inputs of calls from a program.
    DocumentModel(const Program& program, Tags tags);

    [[nodiscard]] const Tags& now() const { return m_steps[m_at]; }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] std::size_t last() const { return m_steps.size() - 1; }
    [[nodiscard]] bool isSaved() const { return m_saved == m_at && !m_touched; }

    /// A change that is always a step, such as one in the list of tags.
    void step(Tags tags);
    /// A stroke; not a step if nothing changes.
    void retag(const std::set<std::string>& nodes, const std::optional<std::string>& tag);
    void undo() { --m_at; }
    void redo() { ++m_at; }
    void save()
    {
        m_saved = m_at;
        m_touched = false;
    }
    /// A run: an unsaved change that undo does not revert.
    void touch() { m_touched = true; }
    /// Starts with these tags, saved and without undo steps.
    void begin(Tags tags);

    [[nodiscard]] const std::set<std::string>& calls() const { return m_calls; }
    [[nodiscard]] std::size_t untagged() const;
    /// Edges from a later tag to an earlier one between tagged calls, each pair of nodes once.
    [[nodiscard]] std::size_t backwardEdges() const;
    [[nodiscard]] bool isLegal() const { return untagged() == 0 && backwardEdges() == 0; }
    /// These calls with everything that depends on them, or that they depend on.
    enum class Way : std::uint8_t { needed, needing };
    [[nodiscard]] std::set<std::string> reached(const std::set<std::string>& nodes, Way way) const;
    [[nodiscard]] std::size_t countOf(const std::string& tag) const;

private:
    std::set<std::string> m_calls;
    std::set<std::pair<std::string, std::string>> m_edges; ///< between calls: producer, consumer
    std::vector<Tags> m_steps;                             ///< the undo stack: the states before and after each step
    std::size_t m_at = 0;
    std::optional<std::size_t> m_saved = 0;
    bool m_touched = false;
};

} // namespace sunder::test
