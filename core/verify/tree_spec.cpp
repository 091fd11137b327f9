#include "verify/tree_spec.h"

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
        return take('[') && scalar(version) && take(',') && node(spec, 0) && take(']') && atEnd();
    }

    bool keyList(std::vector<std::string>& keys)
    {
        if (!take('['))
            return false;
        if (take(']'))
            return atEnd();
        do {
            std::string key;
            if (!string(key))
                return false;
            keys.push_back(std::move(key));
        } while (take(','));
        return take(']') && atEnd();
    }

private:
    bool node(TreeSpec& spec, int depth)
    {
        std::string type;
        std::string context;
        if (depth > kMaxDepth || !take('{'))
            return false;
        do {
            std::string key;
            if (!string(key) || !take(':'))
                return false;
            if (key == "type" ? !scalar(type) : key == "context" ? !scalar(context)
                                            : key != "children_spec" || !children(spec, depth))
                return false;
        } while (take(','));
        return take('}') && classify(spec, type, context);
    }

    bool children(TreeSpec& spec, int depth)
    {
        if (!take('['))
            return false;
        if (take(']'))
            return true;
        do {
            spec.children.emplace_back();
            if (!node(spec.children.back(), depth + 1))
                return false;
        } while (take(','));
        return take(']');
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
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == '"')
            return string(value);
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 || m_text[m_at] == '-'
                                        || m_text[m_at] == '.'))
            value += m_text[m_at++];
        return !value.empty();
    }

    bool string(std::string& value)
    {
        if (!take('"'))
            return false;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            char c = m_text[m_at++];
            if (c == '\\') {
                if (m_at == m_text.size())
                    return false;
                c = m_text[m_at++];
                if (c == 'u') // kept as it is written: keys are only compared
                    value += '\\';
                else if (c == 'n')
                    c = '\n';
                else if (c == 't')
                    c = '\t';
            }
            value += c;
        }
        return take('"');
    }

    void skipSpace()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    bool take(char c)
    {
        skipSpace();
        if (m_at == m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    bool atEnd()
    {
        skipSpace();
        return m_at == m_text.size();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

std::optional<TreeSpec> parseTreeSpec(std::string_view text)
{
    TreeSpec spec;
    return SpecReader(text).document(spec) ? std::optional(std::move(spec)) : std::nullopt;
}

} // namespace sunder
