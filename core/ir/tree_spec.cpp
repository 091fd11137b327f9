#include "ir/tree_spec.h"

#include "support/json_tape.h"
#include "support/json_text.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

constexpr int kMaxDepth = 200;
constexpr unsigned kMaxJsonDepth = 1024;

/// The text of a value, and whether it is a string.
struct Scalar {
    std::string text;
    bool isString = false;
};

Scalar scalarOf(JsonValue value)
{
    const bool isString = value.is(JsonType::string);
    return {.text = isString ? std::string(value.text()) : value.raw(), .isString = isString};
}

bool isScalar(JsonValue value)
{
    return !value.is(JsonType::array) && !value.is(JsonType::object);
}

/// Returns the items of a list of strings; nothing for any other value.
std::optional<std::vector<std::string>> stringsOf(JsonValue list)
{
    if (!list || !list.is(JsonType::array))
        return std::nullopt;
    std::vector<std::string> strings;
    for (JsonValue item = list.firstItem(); item; item = item.nextItem()) {
        if (!item.is(JsonType::string))
            return std::nullopt;
        strings.emplace_back(item.text());
    }
    return strings;
}

std::optional<std::vector<std::string>> keysOf(const std::string& context)
{
    JsonTape tape;
    return tape.parseOfPython(context, kMaxJsonDepth) ? stringsOf(tape.root()) : std::nullopt;
}

/// Returns the names of children from a class's context: a list of names or, for data classes, the first of several lists.
std::vector<std::string> namesOf(const std::string& context, std::size_t children)
{
    JsonTape tape;
    if (!tape.parseOfPython(context, kMaxJsonDepth) || !tape.root().is(JsonType::array))
        return {};
    std::optional<std::vector<std::string>> names = stringsOf(tape.root());
    if (!names)
        names = stringsOf(tape.root().firstItem());
    return names && names->size() == children ? std::move(*names) : std::vector<std::string>();
}

TreeSpec::Kind kindOf(TreeSpec& spec, const Scalar& context)
{
    using Kind = TreeSpec::Kind;
    const bool isNull = context.text == "null"; // PyTorch writes null as a string
    if (spec.type == "builtins.tuple")
        return isNull ? Kind::tuple : Kind::other;
    if (spec.type == "builtins.list")
        return isNull ? Kind::list : Kind::other;
    if (spec.type == "collections.namedtuple") {
        spec.type = context.text;
        return Kind::namedTuple;
    }
    if (spec.type != "builtins.dict" && spec.type != "collections.OrderedDict") {
        spec.keys = namesOf(context.text, spec.children.size());
        return Kind::other;
    }
    std::optional<std::vector<std::string>> keys = keysOf(context.text);
    if (!keys || keys->size() != spec.children.size())
        return Kind::other;
    spec.keys = std::move(*keys);
    return Kind::dict;
}

bool readNode(JsonValue node, TreeSpec& spec, int depth)
{
    if (depth > kMaxDepth || !node.is(JsonType::object))
        return false;
    Scalar type;
    Scalar context;
    for (JsonValue key = node.firstItem(); key; key = key.nextMember()) {
        const JsonValue value = key.memberValue();
        if (key.text() == "type") {
            if (!isScalar(value))
                return false;
            type = scalarOf(value);
        } else if (key.text() == "children_spec") {
            if (!value.is(JsonType::array))
                return false;
            for (JsonValue child = value.firstItem(); child; child = child.nextItem())
                if (!readNode(child, spec.children.emplace_back(), depth + 1))
                    return false;
        } else if (key.text() == "context" && isScalar(value)) {
            context = scalarOf(value);
        }
    }
    if (type.text.empty())
        return false;
    spec.type = type.text;
    if (!type.isString)
        return type.text == "null" && spec.children.empty();
    spec.kind = kindOf(spec, context);
    return true;
}

/// Returns PyTorch's context of a node: the keys of a dict as JSON, in a string.
std::string contextOf(const TreeSpec& spec)
{
    if (spec.kind == TreeSpec::Kind::leaf)
        return "null";
    if (spec.kind != TreeSpec::Kind::dict)
        return R"("null")";
    std::string keys = "[";
    for (const std::string& key : spec.keys)
        appendJsonString(keys += keys.size() == 1 ? "" : ", ", key);
    std::string context;
    appendJsonString(context, keys + "]");
    return context;
}

bool isWritable(const TreeSpec& spec)
{
    return spec.kind != TreeSpec::Kind::other && spec.kind != TreeSpec::Kind::namedTuple
        && std::ranges::all_of(spec.children, isWritable);
}

void appendNode(std::string& out, const TreeSpec& spec)
{
    out += R"({"type":)";
    out += spec.kind == TreeSpec::Kind::leaf ? "null" : '"' + spec.type + '"';
    out += R"(,"context":)" + contextOf(spec);
    out += R"(,"children_spec":[)";
    for (const TreeSpec& child : spec.children) {
        out += out.back() == '[' ? "" : ",";
        appendNode(out, child);
    }
    out += "]}";
}

} // namespace

std::optional<TreeSpec> TreeSpec::parse(std::string_view text)
{
    TreeSpec spec;
    JsonTape tape;
    if (!tape.parseOfPython(text, kMaxJsonDepth) || !tape.root().is(JsonType::array) || tape.root().count() != 2)
        return std::nullopt;
    return readNode(tape.root().firstItem().nextItem(), spec, 0) ? std::optional(std::move(spec))
                                                                 : std::nullopt; // after the version
}

TreeSpec TreeSpec::tupleOf(std::size_t leaves)
{
    return {.kind = Kind::tuple, .type = "builtins.tuple", .keys = {}, .children = std::vector<TreeSpec>(leaves)};
}

TreeSpec TreeSpec::argumentsOf(std::size_t leaves)
{
    TreeSpec arguments = tupleOf(0);
    arguments.children = {tupleOf(leaves), {.kind = Kind::dict, .type = "builtins.dict", .keys = {}, .children = {}}};
    return arguments;
}

std::string TreeSpec::text() const
{
    if (!isWritable(*this))
        return {};
    std::string out = "[1,";
    appendNode(out, *this);
    return out + "]";
}

std::size_t TreeSpec::leafCount() const
{
    return kind == Kind::leaf ? 1
                              : std::accumulate(children.begin(), children.end(), std::size_t{0},
                                                [](std::size_t sum, const TreeSpec& child) { return sum + child.leafCount(); });
}

bool TreeSpec::isKnown() const
{
    return kind != Kind::other && std::ranges::all_of(children, &TreeSpec::isKnown);
}

StoredTreeSpec::StoredTreeSpec(std::string text) : m_text(std::move(text))
{
    if (std::optional<TreeSpec> tree = TreeSpec::parse(m_text))
        m_tree = std::make_shared<const TreeSpec>(std::move(*tree));
}

} // namespace sunder
