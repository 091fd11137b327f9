#include "io/json/tree_spec_text.h"

#include "io/json/json_text.h"

namespace sunder {
namespace {

/// Of a dict, a JSON list of its keys, as a text; torch writes the word for none of what has no context.
std::string contextOf(const TreeSpec& spec)
{
    if (spec.kind != TreeSpec::Kind::dict)
        return "null";
    std::string keys = "[";
    for (const std::string& key : spec.keys) {
        keys += keys.size() == 1 ? "" : ", ";
        appendJsonString(keys, key);
    }
    return keys + "]";
}

bool appendSpec(std::string& out, const TreeSpec& spec)
{
    using Kind = TreeSpec::Kind;
    if (spec.kind == Kind::namedTuple || spec.kind == Kind::other)
        return false;
    if (spec.kind == Kind::leaf) {
        out += R"({"type": null, "context": null, "children_spec": []})";
        return true;
    }
    out += R"({"type": )";
    appendJsonString(out, spec.type);
    out += R"(, "context": )";
    appendJsonString(out, contextOf(spec));
    out += R"(, "children_spec": [)";
    for (const TreeSpec& child : spec.children) {
        out += out.back() == '[' ? "" : ", ";
        if (!appendSpec(out, child))
            return false;
    }
    out += "]}";
    return true;
}

} // namespace

std::string treeSpecText(const TreeSpec& spec)
{
    std::string text = "[1, ";
    return appendSpec(text, spec) ? text + "]" : std::string();
}

} // namespace sunder
