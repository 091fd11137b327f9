// printCode() and printImports(): the forward() that torch generates from a graph.
#include "ir/namespace.h"
#include "ir/printer.h"
#include "ir/python_text.h"

#include <algorithm>
#include <array>
#include <map>

namespace sunder {
namespace {

/// A function of Python's operator module and the syntax for it; "{}" stand for the arguments.
struct Infix {
    std::string_view name;
    std::string_view syntax;
};

constexpr std::array kInfix = {
    Infix{"add", "{} + {}"},      Infix{"sub", "{} - {}"},     Infix{"mul", "{} * {}"},    Infix{"floordiv", "{} // {}"},
    Infix{"truediv", "{} / {}"},  Infix{"mod", "{} % {}"},     Infix{"pow", "{} ** {}"},   Infix{"lshift", "{} << {}"},
    Infix{"rshift", "{} >> {}"},  Infix{"and_", "{} & {}"},    Infix{"or_", "{} | {}"},    Infix{"xor", "{} ^ {}"},
    Infix{"getitem", "{}[{}]"},   Infix{"matmul", "{} @ {}"},  Infix{"eq", "{} == {}"},    Infix{"ne", "{} != {}"},
    Infix{"lt", "{} < {}"},       Infix{"gt", "{} > {}"},      Infix{"le", "{} <= {}"},    Infix{"ge", "{} >= {}"},
    Infix{"pos", "+{}"},          Infix{"neg", "-{}"},         Infix{"invert", "~{}"},
};

constexpr std::array kInPlace = {
    Infix{"iadd", "{} += {}"},     Infix{"iand", "{} &= {}"},  Infix{"ifloordiv", "{} //= {}"},
    Infix{"ilshift", "{} <<= {}"}, Infix{"imod", "{} %= {}"},  Infix{"imul", "{} *= {}"},
    Infix{"imatmul", "{} @= {}"},  Infix{"ior", "{} |= {}"},   Infix{"ipow", "{} **= {}"},
    Infix{"irshift", "{} >>= {}"}, Infix{"isub", "{} -= {}"},  Infix{"itruediv", "{} /= {}"},
    Infix{"ixor", "{} ^= {}"},     Infix{"setitem", "{}[{}] = {}"},
};

/// Empty lines, then "def forward(…):".
constexpr std::size_t kLinesBeforeBody = 4;

constexpr std::string_view kOperator = "_operator.";

/// Names that every generated forward() may use, and how they are imported.
constexpr std::array kAlways = {
    Infix{"NoneType", "NoneType = type(None)"},
    Infix{"device", "from torch import device"},
    Infix{"fx_pytree", "import torch.fx._pytree as fx_pytree"},
    Infix{"inf", "from math import inf"},
    Infix{"nan", "from math import nan"},
    Infix{"pytree", "import torch.utils._pytree as pytree"},
    Infix{"torch", "import torch"},
};

template <std::size_t N>
const Infix* find(const std::array<Infix, N>& table, std::string_view name)
{
    const auto* found = std::find_if(table.begin(), table.end(), [&](const Infix& f) { return f.name == name; });
    return found != table.end() ? found : nullptr;
}

constexpr std::string_view kTensorMethod = "torch.Tensor.";

/// What generated code spells in full. Methods of tensors know no module, so torch gives them a name of their own.
bool isTorchName(std::string_view name)
{
    if (name.starts_with(kTensorMethod))
        return false;
    return name == "torch" || (name.starts_with("torch.") && !name.starts_with("torch._dynamo.") &&
                               !name.starts_with("torch._inductor."));
}

std::string filled(std::string_view syntax, const std::vector<std::string>& arguments)
{
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < syntax.size(); ++i) {
        if (syntax.substr(i, 2) != "{}") {
            text += syntax[i];
            continue;
        }
        text += next < arguments.size() ? arguments[next++] : std::string();
        ++i;
    }
    return text;
}

/// "self.a.b", or getattr() where a part is no identifier: `getattr(self.layers, "0").q`.
std::string attributePath(std::string base, std::string_view target)
{
    for (std::size_t start = 0; start <= target.size();) {
        const std::size_t end = std::min(target.find('.', start), target.size());
        const std::string part(target.substr(start, end - start));
        base = isPythonIdentifier(part) ? base + "." + part : "getattr(" + base + ", \"" + part + "\")";
        start = end + 1;
    }
    return base;
}

class CodePrinter {
public:
    explicit CodePrinter(const Graph& graph) : m_graph(graph), m_names(graph.idBound())
    {
        for (const Infix& always : kAlways)
            m_namespace.use(intern(always.name));
        m_spelling.node = [this](NodeId id) { return nodeName(id); };
        m_spelling.callable = [this](InternedString name) { return global(name.view()); };
        findLastUses();
    }

    CodeListing print()
    {
        std::string body;
        std::vector<NodeId> nodes;
        for (const NodeId id : m_graph.nodes()) {
            const std::string line = statement(id);
            if (line.empty())
                continue;
            body += "    " + line;
            nodes.push_back(id);
        }
        CodeListing listing{.text = "\n\n\ndef forward(self", .nodeOfLine = std::vector<NodeId>(kLinesBeforeBody)};
        for (const std::string& parameter : m_parameters)
            listing.text += ", " + parameter;
        listing.text += ")" + m_returns + ":\n" + (body.empty() ? "    pass\n" : body) + "    ";
        listing.nodeOfLine.insert(listing.nodeOfLine.end(), nodes.begin(), nodes.end());
        listing.nodeOfLine.resize(std::max(listing.nodeOfLine.size(), kLinesBeforeBody + 1) + 1);
        return listing;
    }

    /// Import line by name; complete after print().
    [[nodiscard]] const std::map<std::string, std::string>& imports() const { return m_imports; }

private:
    std::string nodeName(NodeId id)
    {
        InternedString& name = m_names[id.index()];
        if (name.empty())
            name = m_namespace.create(m_graph[id].name.view());
        return name.str();
    }

    /// The name under which the code knows a callable or a type.
    std::string global(std::string_view qualified)
    {
        if (isTorchName(qualified) || qualified.find('.') == std::string_view::npos)
            return std::string(qualified);
        const auto [at, isNew] = m_globals.try_emplace(std::string(qualified));
        if (isNew) {
            at->second = m_namespace.create(qualified).str();
            const std::size_t dot = qualified.rfind('.');
            m_imports[at->second] = qualified.starts_with(kTensorMethod)
                                        ? at->second + " = " + std::string(qualified)
                                        : "from " + std::string(qualified.substr(0, dot)) + " import " +
                                    std::string(qualified.substr(dot + 1)) + " as " + at->second;
        }
        return at->second;
    }

    /// A type expression: every dotted name in it becomes a global.
    std::string type(std::string_view text)
    {
        constexpr std::string_view kOptional = "typing.Optional[";
        if (text.starts_with(kOptional) && text.ends_with(']'))
            return global("typing.Union") + "[" + type(text.substr(kOptional.size(), text.size() - kOptional.size() - 1)) +
                   ",NoneType]";
        std::string out;
        std::string word;
        const auto flush = [&] {
            out += word.empty() ? "" : global(word);
            word.clear();
        };
        for (const char c : text) {
            if (isPythonIdentifier(std::string("a") + c) || c == '.') {
                word += c;
                continue;
            }
            flush();
            if (c != ' ')
                out += c;
        }
        flush();
        return out;
    }

    std::string repr(const Argument& value) { return pythonRepr(value, m_spelling); }

    std::vector<std::string> reprs(const Arguments& values)
    {
        std::vector<std::string> texts;
        for (const Argument& value : values)
            texts.push_back(repr(value));
        return texts;
    }

    std::string arguments(std::span<const Argument> args, const Keywords& kwargs)
    {
        std::string text;
        for (const Argument& argument : args) {
            text += text.empty() ? "" : ", ";
            text += repr(argument);
        }
        for (const Keyword& keyword : kwargs) {
            text += text.empty() ? "" : ", ";
            text += keyword.key.str() + " = " + repr(keyword.value);
        }
        return text;
    }

    /// Nodes by the node that uses them last, in the order in which torch finds them.
    void findLastUses()
    {
        m_lastUses.resize(m_graph.idBound());
        std::vector<bool> seen(m_graph.idBound());
        for (NodeId user = m_graph.last(); user; user = m_graph.previous(user))
            for (const NodeId input : m_graph.inputs(user))
                if (!seen[input.index()]) {
                    seen[input.index()] = true;
                    m_lastUses[user.index()].push_back(input);
                }
    }

    std::string statement(NodeId id)
    {
        const Node& node = m_graph[id];
        const std::string annotation = node.type.empty() ? "" : " : " + type(node.type.view());
        if (node.op == Op::placeholder)
            return parameter(id, annotation);
        if (node.op == Op::output) {
            if (!node.type.empty())
                m_returns = " -> " + annotation.substr(3);
            return "return " + (node.args.empty() ? std::string("None") : repr(node.args.front())) + "\n";
        }
        std::string text = expression(id, annotation);
        std::vector<NodeId> gone = m_lastUses[id.index()];
        if (node.userCount() == 0)
            gone.push_back(id);
        if (!gone.empty())
            text += ";  ";
        for (const NodeId freed : gone)
            text += nodeName(freed) + " = ";
        return text + (gone.empty() ? "\n" : "None\n");
    }

    std::string parameter(NodeId id, const std::string& annotation)
    {
        const Node& node = m_graph[id];
        m_parameters.push_back(node.target.str() + annotation +
                               (node.args.empty() ? "" : " = " + repr(node.args.front())));
        std::string raw = node.target.str();
        std::erase(raw, '*');
        return raw == nodeName(id) ? std::string() : nodeName(id) + " = " + raw + "\n";
    }

    std::string expression(NodeId id, const std::string& annotation)
    {
        const Node& node = m_graph[id];
        if (node.op == Op::callFunction && node.target.view().starts_with(kOperator))
            if (const Infix* inPlace = find(kInPlace, node.target.view().substr(kOperator.size())))
                return filled(inPlace->syntax, reprs(node.args)) + ";  " + nodeName(id) + annotation + " = " +
                       (node.args.empty() ? std::string() : repr(node.args.front()));
        const std::string left = nodeName(id) + annotation + " = ";
        switch (node.op) {
        case Op::getAttr: return left + attributePath("self", node.target.view());
        case Op::callModule:
            return left + attributePath("self", node.target.view()) + "(" + arguments(node.args, node.kwargs) + ")";
        case Op::callMethod: {
            const std::span<const Argument> args(node.args);
            const std::string object = args.empty() ? std::string("None") : repr(args.front());
            return left + attributePath(object, node.target.view()) + "(" +
                   arguments(args.subspan(args.empty() ? 0 : 1), node.kwargs) + ")";
        }
        default: return left + call(node);
        }
    }

    std::string call(const Node& node)
    {
        const std::string_view target = node.target.view();
        if (target.starts_with(kOperator))
            if (const Infix* infix = find(kInfix, target.substr(kOperator.size())))
                return filled(infix->syntax, reprs(node.args));
        const bool readsAttribute = target == "getattr" && node.args.size() == 2 &&
                                    node.args[1].is(ArgumentKind::string) &&
                                    isPythonIdentifier(node.args[1].text().view());
        if (readsAttribute)
            return attributePath(repr(node.args[0]), node.args[1].text().view());
        const std::string function = global(target);
        return function + "(" + arguments(node.args, node.kwargs) + ")";
    }

    const Graph& m_graph;
    Namespace m_namespace;
    PythonSpelling m_spelling;
    std::vector<InternedString> m_names; ///< by NodeId
    std::vector<std::vector<NodeId>> m_lastUses;
    std::map<std::string, std::string> m_globals;
    std::map<std::string, std::string> m_imports;
    std::vector<std::string> m_parameters;
    std::string m_returns;
};

} // namespace

std::string printCode(const Program& program, GraphId graph)
{
    return listCode(program, graph).text;
}

CodeListing listCode(const Program& program, GraphId graph)
{
    return CodePrinter(program.graph(graph)).print();
}

std::string printImports(const Program& program, GraphId graph)
{
    CodePrinter printer(program.graph(graph));
    printer.print();
    std::map<std::string, std::string> imports = printer.imports();
    for (const Infix& always : kAlways)
        imports.emplace(always.name, always.syntax);
    std::string text;
    for (const auto& [name, line] : imports)
        text += line + "\n";
    return text;
}

} // namespace sunder
