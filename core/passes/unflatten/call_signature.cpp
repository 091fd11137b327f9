#include "passes/unflatten/call_signature.h"

#include "passes/unflatten/module_objects.h"
#include "support/text_cursor.h"

#include <string>

namespace sunder {
namespace {

/// Walks the text of a spec without building what it describes: a spec may hold classes that we know nothing of.
class SpecScanner {
public:
    explicit SpecScanner(std::string_view text) : m_text(text) {}

    bool string(std::string& value)
    {
        if (!m_text.take('"'))
            return false;
        value.clear();
        while (!m_text.isDone() && m_text.peek() != '"') {
            char c = m_text.next();
            if (c == '\\') {
                if (m_text.isDone())
                    return false;
                c = m_text.next();
            }
            value += c;
        }
        return m_text.take('"');
    }

    /// Any value, taken as a whole.
    bool skip()
    {
        m_text.skipSpace();
        std::string text;
        if (m_text.peek() == '"')
            return string(text);
        std::size_t open = 0;
        const std::size_t start = m_text.position();
        while (!m_text.isDone()) {
            const char c = m_text.peek();
            if (c == '"') {
                if (!string(text))
                    return false;
                continue;
            }
            if (open == 0 && (c == ',' || c == ']' || c == '}'))
                break;
            open += c == '[' || c == '{' ? 1 : 0;
            open -= c == ']' || c == '}' ? 1 : 0;
            m_text.next();
        }
        return open == 0 && m_text.position() > start;
    }

    /// The members of an object: `visit(key)` takes the value.
    template <typename Visit>
    bool members(const Visit& visit)
    {
        std::string key;
        if (!m_text.take('{'))
            return false;
        do {
            if (!string(key) || !m_text.take(':') || !visit(key))
                return false;
        } while (m_text.take(','));
        return m_text.take('}');
    }

    /// The items of a list: `visit(position)` takes each.
    template <typename Visit>
    bool items(const Visit& visit)
    {
        if (!m_text.take('['))
            return false;
        if (m_text.take(']'))
            return true;
        std::size_t position = 0;
        do {
            if (!visit(position++))
                return false;
        } while (m_text.take(','));
        return m_text.take(']');
    }

private:
    TextCursor m_text;
};

/// One container: its class, the text of its context, and what `children` makes of its children.
template <typename Children>
bool container(SpecScanner& scanner, std::string& type, std::string& context, const Children& children)
{
    return scanner.members([&](const std::string& key) {
        if (key == "type" || key == "context") {
            SpecScanner ahead = scanner;
            std::string& text = key == "type" ? type : context;
            if (ahead.string(text)) {
                scanner = ahead;
                return true;
            }
            return scanner.skip();
        }
        return key == "children_spec" ? scanner.items(children) : scanner.skip();
    });
}

bool keysOf(const std::string& context, std::vector<InternedString>& keys)
{
    SpecScanner scanner(context);
    return scanner.items([&](std::size_t) {
        std::string key;
        const bool read = scanner.string(key);
        keys.push_back(intern(key));
        return read;
    });
}

bool callOf(SpecScanner& scanner, CallShape& shape)
{
    std::string type;
    std::string context;
    std::size_t count = 0;
    const bool read = container(scanner, type, context, [&](std::size_t which) {
        ++count;
        std::string inner;
        std::string keys;
        std::size_t children = 0;
        const bool done = which < 2
            && container(
                              scanner, inner, keys,
                              [&](std::size_t) {
                                  ++children;
                                  return scanner.skip();
                              });
        if (which == 0) {
            shape.positionals = children;
            return done && inner == "builtins.tuple";
        }
        return done && inner == "builtins.dict" && keysOf(keys, shape.keywords) && shape.keywords.size() == children;
    });
    return read && count == 2 && type == "builtins.tuple";
}

/// The node that a value names, be it still there or not.
CallValue callValue(const Argument& value, const Graph& graph)
{
    if (value.is(ArgumentKind::node)) {
        const Node& node = graph.node(value.asNode());
        return {node.isErased() ? NodeId() : value.asNode(), node.name, {}};
    }
    if (value.is(ArgumentKind::unknown)) { // {"n":"…"} of a node that the graph no longer has
        SpecScanner scanner(value.text().view());
        std::string name;
        if (scanner.members([&](const std::string& key) { return key == "n" ? scanner.string(name) : scanner.skip(); }))
            return {{}, intern(name), {}};
    }
    return {{}, {}, value};
}

} // namespace

std::optional<CallShape> callShape(std::string_view inSpec)
{
    CallShape shape;
    SpecScanner scanner(inSpec);
    bool read = true;
    const bool list = scanner.items(
        [&](std::size_t position) { return position == 1 ? (read = callOf(scanner, shape)) : scanner.skip(); });
    return list && read ? std::optional(std::move(shape)) : std::nullopt;
}

std::size_t leafCount(std::string_view spec)
{
    std::size_t leaves = 0;
    bool isType = false; // the last string was the key "type"
    for (std::size_t at = 0; at < spec.size(); ++at) {
        const char c = spec[at];
        if (c == '"') {
            const std::size_t start = at + 1;
            for (++at; at < spec.size() && spec[at] != '"'; ++at)
                at += spec[at] == '\\' ? 1 : 0;
            isType = spec.substr(start, at - start) == "type";
        } else if (c == 'n' && isType) {
            ++leaves;
            isType = false;
        } else if (c == ',' || c == '{' || c == '}') {
            isType = false;
        }
    }
    return leaves;
}

Result<CallSignatures> CallSignatures::read(const Program& program)
{
    CallSignatures signatures;
    const InternedString cls = intern("torch.utils._pytree.TreeSpec");
    for (const ModuleCall& call : program.calls) {
        if (!call.hasSignature || call.fqn.empty())
            continue;
        std::optional<CallShape> shape = callShape(call.inSpec);
        if (!shape)
            return fail(ErrorCode::refused,
                        "the preserved signature of " + call.fqn.str()
                            + " does not begin with a tuple of positional and a dict of keyword arguments",
                        {.other = call.fqn.str()});
        CallSignature signature{.inSpec = Argument::opaque(intern(call.inSpec), cls),
                                .outSpec = Argument::opaque(intern(call.outSpec), cls),
                                .positionals = shape->positionals,
                                .keywords = std::move(shape->keywords),
                                .inputs = {},
                                .outputs = {}};
        for (const Argument& value : call.inputs)
            signature.inputs.push_back(callValue(value, program.rootGraph()));
        for (const Argument& value : call.outputs)
            signature.outputs.push_back(callValue(value, program.rootGraph()));
        if (leafCount(call.inSpec) != signature.inputs.size() || leafCount(call.outSpec) != signature.outputs.size())
            signatures.m_misfits.push_back(intern(withoutCall(call.fqn.view())));
        signatures.m_signatures.insert_or_assign(call.fqn, std::move(signature));
    }
    return signatures;
}

const CallSignature* CallSignatures::find(InternedString call) const
{
    const auto found = m_signatures.find(call);
    return found != m_signatures.end() ? &found->second : nullptr;
}

void CallSignatures::giveUp(const std::unordered_set<InternedString>& paths)
{
    if (!paths.empty())
        std::erase_if(m_signatures, [&](const auto& entry) { return paths.contains(intern(withoutCall(entry.first.view()))); });
}

} // namespace sunder
