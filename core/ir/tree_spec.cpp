#include "ir/tree_spec.h"

#include "support/json_scanner.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

constexpr int kMaxDepth = 200;

/// The text of a value, and whether it is a string.
struct Scalar {
    std::string text;
    bool isString = false;
};

bool scalar(JsonScanner& scanner, Scalar& value)
{
    value.isString = scanner.isAtString();
    return value.isString ? scanner.string(value.text) : scanner.word(value.text);
}

std::optional<std::vector<std::string>> keysOf(const std::string& context)
{
    std::vector<std::string> keys;
    JsonScanner scanner(context);
    const bool read = scanner.items([&](std::size_t) { return scanner.string(keys.emplace_back()); });
    return read && scanner.atEnd() ? std::optional(std::move(keys)) : std::nullopt;
}

/// Returns the names of children from a class's context: a list of names or, for data classes, the first of several lists.
std::vector<std::string> namesOf(const std::string& context, std::size_t children)
{
    std::optional<std::vector<std::string>> names = keysOf(context);
    if (!names) {
        names.emplace();
        JsonScanner scanner(context);
        const bool read = scanner.items([&](std::size_t position) {
            return position > 0 ? scanner.skip()
                                : scanner.items([&](std::size_t) { return scanner.string(names->emplace_back()); });
        });
        if (!read || !scanner.atEnd())
            return {};
    }
    return names->size() == children ? std::move(*names) : std::vector<std::string>();
}

TreeSpec::Kind kindOf(TreeSpec& spec, const Scalar& context)
{
    using Kind = TreeSpec::Kind;
    const bool isNull = context.text == "null"; // torch writes null as a string
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

bool readNode(JsonScanner& scanner, TreeSpec& spec, int depth)
{
    Scalar type;
    Scalar context;
    const bool read = depth <= kMaxDepth && scanner.members([&](const std::string& key) {
        if (key == "type")
            return scalar(scanner, type);
        if (key == "children_spec")
            return scanner.items([&](std::size_t) { return readNode(scanner, spec.children.emplace_back(), depth + 1); });
        JsonScanner ahead = scanner;
        if (key == "context" && scalar(ahead, context)) {
            scanner = ahead;
            return true;
        }
        return scanner.skip();
    });
    if (!read || type.text.empty())
        return false;
    spec.type = type.text;
    if (!type.isString)
        return type.text == "null" && spec.children.empty();
    spec.kind = kindOf(spec, context);
    return true;
}

/// Quotes a text as a JSON string.
std::string quoted(std::string_view text)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20)
            out += std::string("\\u00") + kDigits[code >> 4U] + kDigits[code & 15U];
        else
            out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return out + '"';
}

/// Returns torch's context of a node: the keys of a dict as JSON, in a string.
std::string contextOf(const TreeSpec& spec)
{
    if (spec.kind == TreeSpec::Kind::leaf)
        return "null";
    if (spec.kind != TreeSpec::Kind::dict)
        return R"("null")";
    std::string keys = "[";
    for (const std::string& key : spec.keys)
        keys += (keys.size() == 1 ? "" : ", ") + quoted(key);
    return quoted(keys + "]");
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
    JsonScanner scanner(text);
    std::size_t count = 0;
    const bool read = scanner.items([&](std::size_t position) {
        ++count;
        return position == 1 ? readNode(scanner, spec, 0) : scanner.skip(); // the spec follows the version
    });
    return read && count == 2 && scanner.atEnd() ? std::optional(std::move(spec)) : std::nullopt;
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
