#include "io/side_files/subgraphs_file.h"

#include "io/json/json_file.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_text.h"

namespace sunder {
namespace {

constexpr std::uint64_t kMaxSubgraphsBytes = 256ULL << 20U;
constexpr unsigned kMaxSubgraphsDepth = 64;

class SubgraphsReader : private JsonFile {
public:
    explicit SubgraphsReader(const std::string& name) : JsonFile("subgraphs file", name) {}

    Result<std::vector<NamedSubgraph>> read(JsonValue root)
    {
        if (!root.is(JsonType::array))
            return wrong("is not a list", "");
        std::vector<NamedSubgraph> subgraphs;
        for (JsonValue item = root.firstItem(); item; item = item.nextItem()) {
            m_where = "[" + std::to_string(subgraphs.size()) + "]";
            SUNDER_TRY(NamedSubgraph subgraph, readOne(item));
            subgraphs.push_back(std::move(subgraph));
        }
        return subgraphs;
    }

private:
    [[nodiscard]] Result<NamedSubgraph> readOne(JsonValue value) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", m_where);
        NamedSubgraph subgraph;
        bool hasKind = false;
        bool hasNodes = false;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const JsonValue member = key.memberValue();
            if ((key.text() == "is_acc" && hasKind) || (key.text() == "nodes" && hasNodes))
                return wrong("has a duplicate key", m_where + "." + std::string(key.text()));
            if (key.text() == "is_acc") {
                if (!member.is(JsonType::boolean))
                    return wrong("must have true or false", m_where + ".is_acc");
                subgraph.isAcc = member.asBoolean();
                hasKind = true;
            } else if (key.text() == "nodes") {
                SUNDER_PROPAGATE(readNodes(member, subgraph.nodes));
                hasNodes = true;
            } else if (key.text() != "note") {
                return wrong("has an unknown key", m_where + "." + std::string(key.text()));
            }
        }
        if (!hasKind || !hasNodes)
            return wrong("lacks a required key", m_where + (hasKind ? ".nodes" : ".is_acc"));
        return subgraph;
    }

    [[nodiscard]] Result<void> readNodes(JsonValue value, std::vector<InternedString>& nodes) const
    {
        if (!value.is(JsonType::array))
            return wrong("must have a list", m_where + ".nodes");
        nodes.clear();
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            if (!item.is(JsonType::string))
                return wrong("must have a string", m_where + ".nodes[" + std::to_string(nodes.size()) + "]");
            nodes.push_back(intern(item.text()));
        }
        return {};
    }

    std::string m_where; ///< current subgraph
};

} // namespace

Result<std::vector<NamedSubgraph>> parseSubgraphsFile(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(JsonFile("subgraphs file", nameForMessages).parse(tape, text, kMaxSubgraphsDepth));
    return SubgraphsReader(nameForMessages).read(tape.root());
}

Result<std::vector<NamedSubgraph>> readSubgraphsFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxSubgraphsBytes));
    return parseSubgraphsFile(text, path);
}

Result<void> writeSubgraphsFile(const std::vector<NamedSubgraph>& subgraphs, const std::string& path)
{
    std::string out = "[";
    for (const NamedSubgraph& subgraph : subgraphs) {
        out += out.back() == '[' ? "\n" : ",\n";
        out += subgraph.isAcc ? R"({"is_acc":true,"nodes":[)" : R"({"is_acc":false,"nodes":[)";
        for (const InternedString node : subgraph.nodes) {
            out += out.back() == '[' ? "" : ",";
            appendJsonString(out, node.view());
        }
        out += "]}";
    }
    out += "\n]\n";
    return writeFileAtomically(path, out);
}

} // namespace sunder
