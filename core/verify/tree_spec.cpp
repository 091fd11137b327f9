#include "verify/tree_spec.h"

#include "support/text_cursor.h"

#include <cctype>

namespace sunder {
namespace {

constexpr int kMaxDepth = 100;

/// Reads the JSON of a spec. Member functions return false at the first thing that is not as it should be.
class SpecReader {
public:
    explicit SpecReader(std::string_view text) : m_text(text) {}

    bool document(TreeSpec& spec)
    {
        std::string version;
        return m_text.take('[') && scalar(version) && m_text.take(',') && node(spec, 0) && m_text.take(']') && m_text.atEnd();
    }

    bool keyList(std::vector<std::string>& keys)
    {
        if (!m_text.take('['))
            return false;
        if (m_text.take(']'))
            return m_text.atEnd();
        do {
            std::string key;
            if (!string(key))
                return false;
            keys.push_back(std::move(key));
        } while (m_text.take(','));
        return m_text.take(']') && m_text.atEnd();
    }

private:
    bool node(TreeSpec& spec, int depth)
    {
        std::string type;
        std::string context;
        if (depth > kMaxDepth || !m_text.take('{'))
            return false;
        do {
            std::string key;
            if (!string(key) || !m_text.take(':'))
                return false;
            if (key == "type"          ? !scalar(type)
                    : key == "context" ? !scalar(context)
                                       : key != "children_spec" || !children(spec, depth))
                return false;
        } while (m_text.take(','));
        return m_text.take('}') && classify(spec, type, context);
    }

    bool children(TreeSpec& spec, int depth)
    {
        if (!m_text.take('['))
            return false;
        if (m_text.take(']'))
            return true;
        do {
            spec.children.emplace_back();
            if (!node(spec.children.back(), depth + 1))
                return false;
        } while (m_text.take(','));
        return m_text.take(']');
    }

    static bool classify(TreeSpec& spec, const std::string& type, const std::string& context)
    {
        spec.type = type;
        if (type == "null")
            return spec.children.empty();
        if (type == "builtins.tuple" || type == "builtins.list") {
            spec.kind = type == "builtins.tuple" ? TreeSpec::Kind::tuple : TreeSpec::Kind::list;
            return context == "null";
        }
        if (type == "collections.namedtuple") {
            spec.kind = TreeSpec::Kind::namedTuple;
            spec.type = context;
            return true;
        }
        if (type != "builtins.dict" && type != "collections.OrderedDict")
            return false;
        spec.kind = TreeSpec::Kind::dict;
        return SpecReader(context).keyList(spec.keys) && spec.keys.size() == spec.children.size();
    }

    /// A string without its quotes, or the text of a number, true, false or null.
    bool scalar(std::string& value)
    {
        m_text.skipSpace();
        if (m_text.peek() == '"')
            return string(value);
        const auto stands = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.'; };
        while (stands(m_text.peek()))
            value += m_text.next();
        return !value.empty();
    }

    bool string(std::string& value)
    {
        if (!m_text.take('"'))
            return false;
        while (!m_text.isDone() && m_text.peek() != '"') {
            char c = m_text.next();
            if (c == '\\') {
                if (m_text.isDone())
                    return false;
                c = m_text.next();
                if (c == 'u') // kept as it is written: keys are only compared
                    value += '\\';
                else if (c == 'n')
                    c = '\n';
                else if (c == 't')
                    c = '\t';
            }
            value += c;
        }
        return m_text.take('"');
    }

    TextCursor m_text;
};

} // namespace

std::optional<TreeSpec> parseTreeSpec(std::string_view text)
{
    TreeSpec spec;
    return SpecReader(text).document(spec) ? std::optional(std::move(spec)) : std::nullopt;
}

} // namespace sunder
