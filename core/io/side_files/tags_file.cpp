#include "io/side_files/tags_file.h"

#include "analysis/tag_palette.h"
#include "io/json/json_file.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxTagsBytes = 256ULL << 20U;
constexpr unsigned kMaxTagsDepth = 64;

using Pairs = std::vector<std::pair<InternedString, InternedString>>;

class TagsReader : private JsonFile {
public:
    explicit TagsReader(const std::string& name) : JsonFile("tags file", name) {}

    Result<TagsFile> read(JsonValue root)
    {
        if (!root.is(JsonType::object))
            return wrong("is not an object", "");
        TagsFile file;
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = root.firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", key.text());
            Result<void> taken = {};
            if (key.text() == "order")
                taken = readOrder(key.memberValue(), file.order);
            else if (key.text() == "tags")
                taken = readPairs(key.memberValue(), "tags", file.tags);
            else if (key.text() == "color")
                taken = readPairs(key.memberValue(), "color", file.colors);
            else if (key.text() != "note")
                return wrong("has an unknown key", key.text());
            SUNDER_PROPAGATE(taken);
        }
        if (!seen.contains("tags"))
            return wrong("lacks a required key", "tags");
        for (const auto& [tag, color] : file.colors)
            if (!isHexColor(color.view()))
                return wrong("is not a color such as \"#88ccee\"", "color." + tag.str());
        return file;
    }

private:
    [[nodiscard]] Result<void> readOrder(JsonValue value, std::vector<InternedString>& order) const
    {
        if (!value.is(JsonType::array))
            return wrong("must have a list", "order");
        std::unordered_set<InternedString> seen;
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            const std::string where = "order[" + std::to_string(order.size()) + "]";
            if (!item.is(JsonType::string))
                return wrong("must have a string", where);
            order.push_back(intern(item.text()));
            if (!seen.insert(order.back()).second)
                return wrong(("has the tag \"" + order.back().str() + "\" twice").c_str(), where);
        }
        return {};
    }

    [[nodiscard]] Result<void> readPairs(JsonValue value, const std::string& member, Pairs& pairs) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", member);
        std::unordered_set<InternedString> seen;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            const std::string where = member + "." + std::string(key.text());
            if (!key.memberValue().is(JsonType::string))
                return wrong("must have a string", where);
            if (!seen.insert(intern(key.text())).second)
                return wrong("has a duplicate key", where);
            pairs.emplace_back(intern(key.text()), intern(key.memberValue().text()));
        }
        return {};
    }
};

/// Returns the color of every tag, in tag order.
Pairs allColors(const TagsFile& tags)
{
    const std::unordered_map<InternedString, InternedString> given(tags.colors.begin(), tags.colors.end());
    Pairs all;
    for (std::size_t i = 0; i < tags.order.size(); ++i) {
        const auto own = given.find(tags.order[i]);
        all.emplace_back(tags.order[i], own != given.end() ? own->second : intern(kTagPalette[i % kTagPalette.size()]));
    }
    return all;
}

void appendPairs(std::string& out, std::string_view name, const Pairs& pairs)
{
    out += ",\n";
    appendJsonString(out, name);
    out += ":{";
    for (const auto& [key, value] : pairs) {
        out += out.back() == '{' ? "\n" : ",\n";
        appendJsonString(out, key.view());
        out += ':';
        appendJsonString(out, value.view());
    }
    out += '}';
}

} // namespace

Result<TagsFile> parseTagsFile(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(JsonFile("tags file", nameForMessages).parse(tape, text, kMaxTagsDepth));
    return TagsReader(nameForMessages).read(tape.root());
}

Result<TagsFile> readTagsFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxTagsBytes));
    return parseTagsFile(text, path);
}

std::string tagsFileText(const TagsFile& tags)
{
    std::string out = "{\"order\":[";
    for (const InternedString tag : tags.order) {
        out += out.back() == '[' ? "" : ",";
        appendJsonString(out, tag.view());
    }
    out += ']';
    appendPairs(out, "tags", tags.tags);
    if (!tags.order.empty())
        appendPairs(out, "color", allColors(tags));
    out += "}\n";
    return out;
}

Result<void> writeTagsFile(const TagsFile& tags, const std::string& path)
{
    return writeFileAtomically(path, tagsFileText(tags));
}

} // namespace sunder
