#include "io/side_files/rules_file.h"

#include "io/json/json_file.h"
#include "support/file.h"
#include "support/json_text.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxRulesBytes = 16ULL << 20U;
constexpr unsigned kMaxRulesDepth = 16;
constexpr std::size_t kMaxRules = 10'000;

class RulesReader : private JsonFile {
public:
    explicit RulesReader(const std::string& name) : JsonFile("rules file", name) {}

    Result<TagRules> read(JsonValue root)
    {
        if (!root || !root.is(JsonType::object))
            return wrong("is not an object", "");
        TagRules file;
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = root.firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", std::string(key.text()));
            Result<void> taken = {};
            if (key.text() == "order")
                taken = readOrder(key.memberValue(), file.order);
            else if (key.text() == "rules")
                taken = readRules(key.memberValue(), file.rules);
            else if (key.text() != "note")
                return wrong("has an unknown key", std::string(key.text()));
            SUNDER_PROPAGATE(taken);
        }
        if (!seen.contains("rules"))
            return wrong("lacks a required key", "rules");
        return file;
    }

private:
    [[nodiscard]] tl::unexpected<Error> wrongRule(std::size_t rule, const std::string& what, std::string_view field) const
    {
        return fail(ErrorCode::malformed, "rule " + std::to_string(rule + 1) + " of the rules file " + what,
                    {.file = path(), .member = "rules[" + std::to_string(rule) + "]." + std::string(field)});
    }

    [[nodiscard]] Result<void> readOrder(JsonValue value, std::vector<InternedString>& order) const
    {
        if (!value.is(JsonType::array))
            return wrong("must have a list", "order");
        std::unordered_set<std::string_view> seen;
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            const std::string where = "order[" + std::to_string(order.size()) + "]";
            if (!item.is(JsonType::string))
                return wrong("must have a string", where);
            if (!seen.insert(item.text()).second)
                return wrong("has the tag \"" + std::string(item.text()) + "\" twice", where);
            order.push_back(intern(item.text()));
        }
        return {};
    }

    [[nodiscard]] Result<void> readRules(JsonValue value, std::vector<TagRule>& rules) const
    {
        if (!value.is(JsonType::array))
            return wrong("must have a list", "rules");
        for (JsonValue item = value.firstItem(); item; item = item.nextItem()) {
            if (rules.size() == kMaxRules)
                return wrong("has more than 10,000 rules", "rules");
            SUNDER_TRY(TagRule rule, readRule(item, rules.size()));
            rules.push_back(std::move(rule));
        }
        return {};
    }

    [[nodiscard]] Result<TagRule> readRule(JsonValue value, std::size_t number) const
    {
        if (!value.is(JsonType::object))
            return wrongRule(number, "is not an object", "");
        TagRule rule;
        const std::array<std::pair<std::string_view, std::string*>, 5> texts = {
            {{"module", &rule.module}, {"class", &rule.cls}, {"op", &rule.op}, {"reads", &rule.reads}, {"tag", &rule.tag}}};
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = value.firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrongRule(number, "has a duplicate key", key.text());
            const JsonValue member = key.memberValue();
            const auto field = std::ranges::find(texts, key.text(), [](const auto& text) { return text.first; });
            if (field != texts.end() && member.is(JsonType::string))
                *field->second = member.text();
            else if (field != texts.end())
                return wrongRule(number, "must have a string", key.text());
            else if (key.text() == "only_untagged" && member.is(JsonType::boolean))
                rule.onlyUntagged = member.asBoolean();
            else if (key.text() != "note")
                return wrongRule(number, "has an unknown key or a value of the wrong type", key.text());
        }
        if (seen.empty())
            return wrongRule(number, "has neither a condition nor a tag", "tag");
        if (const Result<void> checked = checkRule(rule); !checked)
            return wrongRule(number, checked.error().message, checked.error().where.member);
        return rule;
    }
};

void appendRule(std::string& out, const TagRule& rule)
{
    const auto add = [&](std::string_view key, const std::string& value) {
        if (value.empty())
            return;
        out += out.back() == '{' ? "" : ",";
        appendJsonString(out, key);
        out += ':';
        appendJsonString(out, value);
    };
    out += out.back() == '[' ? "\n{" : ",\n{";
    add("module", rule.module);
    add("class", rule.cls);
    add("op", rule.op);
    add("reads", rule.reads);
    if (rule.onlyUntagged)
        out += out.back() == '{' ? "\"only_untagged\":true" : ",\"only_untagged\":true";
    add("tag", rule.tag);
    if (out.back() == '{') // matches everything; written explicitly so that it can be read again
        out += "\"tag\":\"\"";
    out += '}';
}

} // namespace

Result<TagRules> rulesFrom(JsonValue object, const std::string& nameForMessages)
{
    return RulesReader(nameForMessages).read(object);
}

Result<TagRules> parseRulesFile(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(JsonFile("rules file", nameForMessages).parse(tape, text, kMaxRulesDepth));
    return rulesFrom(tape.root(), nameForMessages);
}

Result<TagRules> readRulesFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxRulesBytes));
    return parseRulesFile(text, path);
}

std::string rulesText(const TagRules& rules)
{
    std::string out = "{\"order\":[";
    for (const InternedString tag : rules.order) {
        out += out.back() == '[' ? "" : ",";
        appendJsonString(out, tag.view());
    }
    out += "],\n\"rules\":[";
    for (const TagRule& rule : rules.rules)
        appendRule(out, rule);
    return out + "]}";
}

Result<void> writeRulesFile(const TagRules& rules, const std::string& path)
{
    return writeFileAtomically(path, rulesText(rules) + "\n");
}

} // namespace sunder
