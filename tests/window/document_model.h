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

/// What the open document has to be, kept by names and whole copies: so plain that one sees that it is right. Knows nothing of
/// the Document, its indices, commands or incremental checks.
class DocumentModel {
public:
    struct Tags {
        std::vector<std::string> order;
        std::map<std::string, std::string> tagOf; ///< node, tag
        friend bool operator==(const Tags&, const Tags&) = default;
    };

    /// Takes the names of calls and what they read from a program.
    DocumentModel(const Program& program, Tags tags);

    [[nodiscard]] const Tags& now() const { return m_steps[m_at]; }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] std::size_t last() const { return m_steps.size() - 1; }
    [[nodiscard]] bool isSaved() const { return m_saved == m_at && !m_touched; }

    /// A step that always is one, as changes of the list of tags are.
    void step(Tags tags);
    /// A stroke: none where nothing changes.
    void retag(const std::set<std::string>& nodes, const std::optional<std::string>& tag);
    void undo() { --m_at; }
    void redo() { ++m_at; }
    void save()
    {
        m_saved = m_at;
        m_touched = false;
    }
    /// A run: something to save that undo does not take back.
    void touch() { m_touched = true; }
    /// These tags, saved, and nothing to undo.
    void begin(Tags tags);

    [[nodiscard]] const std::set<std::string>& calls() const { return m_calls; }
    [[nodiscard]] std::size_t untagged() const;
    /// Edges between tagged calls that lead from a later tag to an earlier one, each pair of nodes once.
    [[nodiscard]] std::size_t backwardEdges() const;
    [[nodiscard]] bool isLegal() const { return untagged() == 0 && backwardEdges() == 0; }
    /// These calls and all that need them, or that they need.
    enum class Way : std::uint8_t { needed, needing };
    [[nodiscard]] std::set<std::string> reached(const std::set<std::string>& nodes, Way way) const;
    [[nodiscard]] std::size_t countOf(const std::string& tag) const;

private:
    std::set<std::string> m_calls;
    std::set<std::pair<std::string, std::string>> m_edges; ///< between calls: producer, consumer
    std::vector<Tags> m_steps;                             ///< the undo stack: what was there before and after each
    std::size_t m_at = 0;
    std::optional<std::size_t> m_saved = 0;
    bool m_touched = false;
};

} // namespace sunder::test
