#include "io/side_files/support_files.h"

#include "io/json/json_file.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_writer.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxSupportBytes = 256ULL << 20U;
constexpr unsigned kMaxSupportDepth = 64;

/// Reads values that both files have.
class SupportJson : protected JsonFile {
public:
    using JsonFile::JsonFile;

protected:
    /// Calls `take(key, value)`, which returns a Result, for the members of an object. `member`: its place, with a dot at the end.
    template <typename Take>
    Result<void> forEachMember(JsonValue object, const std::string& member, const Take& take) const
    {
        if (!object.is(JsonType::object))
            return wrong(member.empty() ? "is not an object" : "must have an object", trimmed(member));
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = object.firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", member + std::string(key.text()));
            SUNDER_PROPAGATE(take(key.text(), key.memberValue()));
        }
        return {};
    }

    /// Calls `take(item, place)`, which returns a Result, for the items of a list.
    template <typename Take>
    Result<void> forEachItem(JsonValue list, const std::string& member, const Take& take) const
    {
        if (!list.is(JsonType::array))
            return wrong("must have a list", member);
        std::size_t number = 0;
        for (JsonValue item = list.firstItem(); item; item = item.nextItem())
            SUNDER_PROPAGATE(take(item, member + "[" + std::to_string(number++) + "]"));
        return {};
    }

    Result<void> read(JsonValue list, const std::string& member, std::vector<InternedString>& into) const
    {
        return forEachItem(list, member, [&](JsonValue item, const std::string& where) -> Result<void> {
            if (!item.is(JsonType::string))
                return wrong("must have a string", where);
            into.push_back(intern(item.text()));
            return {};
        });
    }

private:
    static std::string trimmed(const std::string& member) { return member.substr(0, member.empty() ? 0 : member.size() - 1); }
};

class SupportRulesReader final : private SupportJson {
public:
    explicit SupportRulesReader(const std::string& path) : SupportJson("support file", path) {}

    Result<SupportRules> read(std::string_view text) const
    {
        JsonTape tape;
        SUNDER_PROPAGATE(parse(tape, text, kMaxSupportDepth));
        SupportRules rules;
        SUNDER_PROPAGATE(forEachMember(tape.root(), "", [&](std::string_view key, JsonValue value) -> Result<void> {
            const std::string member(key);
            if (key == "supported")
                return SupportJson::read(value, member, rules.supported);
            if (key == "supported_nodes")
                return SupportJson::read(value, member, rules.supportedNodes);
            if (key == "unsupported_nodes")
                return SupportJson::read(value, member, rules.unsupportedNodes);
            if (key == "declined_input_dtypes")
                return kinds(value, member, rules.declinedInputs);
            if (key == "dtypes")
                return dtypes(value, rules);
            return wrong(
                "has an unknown key (known: supported, dtypes, supported_nodes, unsupported_nodes, declined_input_dtypes)",
                member);
        }));
        return rules;
    }

private:
    Result<void> kinds(JsonValue list, const std::string& member, std::vector<SupportKind>& into) const
    {
        return forEachItem(list, member, [&](JsonValue item, const std::string& where) -> Result<void> {
            if (item.is(JsonType::string)) {
                into.push_back({true, intern(item.text())});
                return {};
            }
            const JsonValue key = item.is(JsonType::object) ? item.firstItem() : JsonValue();
            if (!key || key.text() != "type" || key.nextMember() || !key.memberValue().is(JsonType::string))
                return wrong(R"(must have a dtype or {"type": …})", where);
            into.push_back({false, intern(key.memberValue().text())});
            return {};
        });
    }

    Result<void> dtypes(JsonValue object, SupportRules& rules) const
    {
        return forEachMember(object, "dtypes.", [&](std::string_view target, JsonValue value) -> Result<void> {
            rules.dtypes.emplace_back(intern(target), SupportedArguments());
            return arguments(value, "dtypes." + std::string(target) + ".", rules.dtypes.back().second);
        });
    }

    Result<void> arguments(JsonValue object, const std::string& prefix, SupportedArguments& into) const
    {
        return forEachMember(object, prefix, [&](std::string_view key, JsonValue value) -> Result<void> {
            const std::string member = prefix + std::string(key);
            if (key == "args")
                return forEachItem(value, member, [&](JsonValue item, const std::string& where) -> Result<void> {
                    into.args.emplace_back();
                    return item.is(JsonType::null) ? Result<void>() : kinds(item, where, into.args.back().emplace());
                });
            if (key == "kwargs")
                return forEachMember(value, member + ".", [&](std::string_view name, JsonValue list) -> Result<void> {
                    into.kwargs.emplace_back(intern(name), std::vector<SupportKind>());
                    return kinds(list, member + "." + std::string(name), into.kwargs.back().second);
                });
            return wrong("has an unknown key (known: args, kwargs)", member);
        });
    }
};

const std::array kSupportOptionKeys = {
    SupportOptionKey{"skip_horizontal_fusion", SupportMethod::capability, &SupportOptions::skipHorizontalFusion,
                     "Merge a new group only with the groups of its op's users"},
    SupportOptionKey{"allows_single_node_partition", SupportMethod::capability, &SupportOptions::allowsSingleNodePartition,
                     "Keep groups with fewer than two compute ops"},
    SupportOptionKey{"non_compute_ops", SupportMethod::capability, &SupportOptions::nonComputeOps,
                     "Functions that do not count as compute ops; _operator.getitem and torch.ops.aten.view never count"},
    SupportOptionKey{"allowed_single_node_partition_ops", SupportMethod::capability,
                     &SupportOptions::allowedSingleNodePartitionOps, "Functions that add 1 to the count of compute ops"},
    SupportOptionKey{"remove_bookend_non_compute_ops", SupportMethod::capability, &SupportOptions::removeBookendNonComputeOps,
                     "Remove non_compute_ops from the ends of groups"},
    SupportOptionKey{"min_acc_module_size", SupportMethod::splitter, &SupportOptions::minAccModuleSize,
                     "Minimum number of ops in an accelerator part"},
    SupportOptionKey{"skip_fusion", SupportMethod::splitter, &SupportOptions::skipFusion, "Build no fusion groups"},
    SupportOptionKey{"allow_non_tensor", SupportMethod::splitter, &SupportOptions::allowNonTensor,
                     "Allow values that are not tensors to cross between CPU and accelerator"},
    SupportOptionKey{"max_acc_splits", SupportMethod::splitter, &SupportOptions::maxAccSplits,
                     "Maximum number of parts, those on the CPU included; 0 or less: no limit"},
    SupportOptionKey{"move_non_tensor_nodes_on_boundary", SupportMethod::splitter, &SupportOptions::moveNonTensorNodesOnBoundary,
                     "Move ops without tensor results to the only part that uses them"},
};

class SupportOptionsReader final : private SupportJson {
public:
    explicit SupportOptionsReader(const std::string& path) : SupportJson("options file", path) {}

    Result<SupportOptions> read(std::string_view text, SupportMethod method) const
    {
        JsonTape tape;
        SUNDER_PROPAGATE(parse(tape, text, kMaxSupportDepth));
        SUNDER_PROPAGATE(checkMethod(tape.root().member("method"), method));
        SupportOptions options{.method = method};
        SUNDER_PROPAGATE(forEachMember(tape.root(), "", [&](std::string_view key, JsonValue value) -> Result<void> {
            if (key == "method")
                return {};
            const auto known = std::ranges::find(kSupportOptionKeys, key, &SupportOptionKey::key);
            if (known == kSupportOptionKeys.end())
                return wrong("has an unknown key", key);
            if (known->method != method)
                return wrong("has a key of the method " + std::string(name(known->method)), key);
            return std::visit([&](auto member) { return take(value, std::string(key), options.*member); }, known->member);
        }));
        return options;
    }

private:
    Result<void> checkMethod(JsonValue stated, SupportMethod method) const
    {
        if (!stated || stated.textOr("") == name(method))
            return {};
        if (!stated.is(JsonType::string))
            return wrong("must have a string", "method");
        return fail(ErrorCode::usage,
                    "the support options are for the method " + std::string(stated.text()) + ", but --method is "
                        + std::string(name(method)),
                    {.file = path()});
    }

    Result<void> take(JsonValue value, const std::string& member, bool& into) const
    {
        if (!value.is(JsonType::boolean))
            return wrong("must have true or false", member);
        into = value.asBoolean();
        return {};
    }

    Result<void> take(JsonValue value, const std::string& member, std::int64_t& into) const
    {
        if (!value.is(JsonType::integer))
            return wrong("must have an integer", member);
        into = value.asInteger();
        return {};
    }

    Result<void> take(JsonValue value, const std::string& member, std::vector<InternedString>& into) const
    {
        return SupportJson::read(value, member, into);
    }
};

void write(JsonWriter& json, const std::vector<SupportKind>& kinds)
{
    json.list(kinds, [&](const SupportKind& kind) {
        if (kind.isTensor)
            json.value(kind.text.view());
        else
            json.object([&] { json.member("type", kind.text.view()); });
    });
}

void write(JsonWriter& json, const SupportedArguments& arguments)
{
    if (!arguments.args.empty()) {
        json.key("args");
        json.list(arguments.args, [&](const std::optional<std::vector<SupportKind>>& kinds) {
            if (kinds)
                write(json, *kinds);
            else
                json.value(nullptr);
        });
    }
    if (arguments.kwargs.empty())
        return;
    json.key("kwargs");
    json.object([&] {
        for (const auto& [name, kinds] : arguments.kwargs) {
            json.key(name.view());
            write(json, kinds);
        }
    });
}

void writeNames(JsonWriter& json, std::string_view key, const std::vector<InternedString>& names)
{
    if (names.empty() && key != "supported")
        return;
    json.key(key);
    json.list(names, [&](InternedString name) { json.value(name.view()); });
}

} // namespace

Result<SupportRules> parseSupportFile(std::string_view text, const std::string& nameForMessages)
{
    return SupportRulesReader(nameForMessages).read(text);
}

Result<SupportRules> readSupportFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxSupportBytes));
    return parseSupportFile(text, path);
}

std::string supportFileText(const SupportRules& rules)
{
    constexpr std::size_t kLineDepth = 2;
    JsonWriter json(kLineDepth);
    json.object([&] {
        writeNames(json, "supported", rules.supported);
        if (!rules.dtypes.empty()) {
            json.key("dtypes");
            json.object([&] {
                for (const auto& [target, arguments] : rules.dtypes) {
                    json.key(target.view());
                    json.object([&] { write(json, arguments); });
                }
            });
        }
        writeNames(json, "supported_nodes", rules.supportedNodes);
        writeNames(json, "unsupported_nodes", rules.unsupportedNodes);
        if (!rules.declinedInputs.empty()) {
            json.key("declined_input_dtypes");
            write(json, rules.declinedInputs);
        }
    });
    return json.take();
}

std::span<const SupportOptionKey> supportOptionKeys()
{
    return kSupportOptionKeys;
}

Result<SupportOptions> parseSupportOptions(std::string_view text, SupportMethod method, const std::string& nameForMessages)
{
    return SupportOptionsReader(nameForMessages).read(text, method);
}

Result<SupportOptions> readSupportOptions(const std::string& path, SupportMethod method)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxSupportBytes));
    return parseSupportOptions(text, method, path);
}

} // namespace sunder
