// printCode() and printImports(): the forward() that torch generates from a graph.
#include "ir/namespace.h"
#include "ir/printer.h"
#include "ir/python_names.h"
#include "ir/python_text.h"
#include "support/visible_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

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

/// As torch writes a name that is no identifier: in double quotes, if that is all it needs.
std::string doubleQuoted(std::string_view text)
{
    const bool isPlain = isVisible(text) && text.find_first_of("\"\\") == std::string_view::npos;
    return isPlain ? '"' + std::string(text) + '"' : pythonString(text);
}

/// A value that is written down as such, and neither refers to another nor is made by a call.
bool isLiteral(const Argument& value)
{
    switch (value.kind()) {
    case ArgumentKind::none:
    case ArgumentKind::boolean:
    case ArgumentKind::integer:
    case ArgumentKind::bigInteger:
    case ArgumentKind::floating:
    case ArgumentKind::string:
    case ArgumentKind::ellipsis:
    case ArgumentKind::dtype:
    case ArgumentKind::device:
    case ArgumentKind::layout:
    case ArgumentKind::memoryFormat: return true;
    case ArgumentKind::complex: return std::isfinite(value.asComplex().first) && std::isfinite(value.asComplex().second);
    case ArgumentKind::list:
    case ArgumentKind::tuple:
    case ArgumentKind::slice:
    case ArgumentKind::range: return std::ranges::all_of(value.items(), isLiteral);
    case ArgumentKind::dict: return std::ranges::all_of(value.items(), isLiteral) && std::ranges::all_of(value.keys(), isLiteral);
    default: return false;
    }
}

/// How many values the syntax takes.
std::size_t placesIn(std::string_view syntax)
{
    std::size_t places = 0;
    for (std::size_t at = syntax.find("{}"); at != std::string_view::npos; at = syntax.find("{}", at + 2))
        ++places;
    return places;
}

class CodePrinter {
public:
    CodePrinter(const Graph& graph, const CodeOptions& options) : m_graph(graph), m_options(options), m_names(graph.idBound())
    {
        for (const Infix& always : kAlways)
            m_namespace.use(intern(always.name));
        m_spelling.node = [this](NodeId id) { return nodeName(id); };
        m_spelling.callable = [this](InternedString name) { return global(name.view()); };
        m_spelling.printed = [this](std::string_view text) { return printedValue(text); };
        findLastUses();
    }

    CodeListing print()
    {
        std::string body;
        std::vector<NodeId> nodes;
        nameParameters();
        m_parameters.resize(m_inputs.size());
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
        for (const auto& [name, import] : m_imports)
            listing.imports.push_back(import);
        listing.notes = std::move(m_notes);
        return listing;
    }

private:
    void note(std::string text) { m_notes.push_back(std::move(text)); }

    /// In a class Python takes __a for _Class__a.
    [[nodiscard]] bool isAttribute(std::string_view name) const
    {
        return isPythonName(name) && !(m_options.insideClass && name.starts_with("__") && !name.ends_with("__"));
    }

    /// "self.a.b", or getattr() where a part is no identifier: `getattr(self.layers, "0").q`.
    [[nodiscard]] std::string attributePath(std::string base, std::string_view target) const
    {
        for (std::size_t start = 0; start <= target.size();) {
            const std::size_t end = std::min(target.find('.', start), target.size());
            const std::string part(target.substr(start, end - start));
            base = isAttribute(part) ? base + "." + part : "getattr(" + base + ", " + doubleQuoted(part) + ")";
            start = end + 1;
        }
        return base;
    }

    /// What a graph module calls its own, as far as that is no way to the interpreter.
    std::string modulePath(InternedString target)
    {
        return leadsToInterpreter(target.view()) ? global("module " + target.str()) : attributePath("self", target.view());
    }

    /// What Python printed is a value again if it is an expression that calls nothing; else it is kept as a text.
    std::string printedValue(std::string_view text)
    {
        if (isHarmlessExpression(text))
            return std::string(text);
        note("the value " + std::string(text) + " is no expression of Python: it stands as a text");
        return pythonString(text);
    }

    std::string nodeName(NodeId id)
    {
        InternedString& name = m_names[id.index()];
        if (name.empty())
            name = m_namespace.create(m_graph[id].name.view());
        return name.str();
    }

    /// The name under which the code knows a callable or a class.
    std::string global(std::string_view qualified)
    {
        const bool isName = isDottedPythonName(qualified) && !reachesBeyondGraphs(qualified);
        const bool isBare = qualified.find('.') == std::string_view::npos;
        if (isName && (isBare ? isPlainBuiltin(qualified) || isReservedType(qualified) : isTorchName(qualified)))
            return std::string(qualified);
        const auto [at, isNew] = m_globals.try_emplace(std::string(qualified));
        if (isNew) {
            at->second = m_namespace.create(qualified).str();
            m_imports[at->second] = {.name = at->second, .path = std::string(qualified), .isMissing = !isName || isBare};
            if (!isName || isBare)
                note("the function " + std::string(qualified) + " is " +
                     (isName ? "in no module" : isDottedPythonName(qualified) ? "none that a graph may call" : "no name of Python") +
                     ": " + at->second + " stands for it");
        }
        return at->second;
    }

    static bool isReservedType(std::string_view name) { return name == "torch" || name == "NoneType" || name == "device"; }

    /// A type expression, every dotted name in it a global; nothing, with a note, where it is none.
    std::string annotation(const Node& node)
    {
        if (node.type.empty())
            return {};
        if (const std::optional<std::string> text = type(node.type.view()))
            return " : " + *text;
        note("the type " + node.type.str() + " of " + node.name.str() + " is left out: it is no type of Python");
        return {};
    }

    std::optional<std::string> type(std::string_view text)
    {
        constexpr std::string_view kOptional = "typing.Optional[";
        if (text.starts_with(kOptional) && text.ends_with(']'))
            if (const auto inner = type(text.substr(kOptional.size(), text.size() - kOptional.size() - 1)))
                return global("typing.Union") + "[" + *inner + ",NoneType]";
        std::string plain(text);
        std::erase(plain, ' ');
        return isTypeExpression(plain) ? std::optional(withGlobals(plain)) : std::nullopt;
    }

    /// Names, "None", "...", lists in brackets and "|", where each may stand.
    static bool isTypeExpression(std::string_view text)
    {
        constexpr std::size_t kDeepest = 40;
        std::string open;
        bool wantsValue = true;
        for (std::size_t at = 0; at < text.size();) {
            if (wantsValue) {
                if (text[at] == '[' && !open.empty() && open.size() < kDeepest) { // of a Callable
                    open += text[at++];
                    if (!text.substr(at).starts_with("]"))
                        continue;
                } else {
                    const std::size_t end = std::min(text.find_first_of("[],|", at), text.size());
                    const std::string_view word = text.substr(at, end - at);
                    const bool isName = isDottedPythonName(word) && !reachesBeyondGraphs(word) &&
                                        (word.find('.') != std::string_view::npos || isPlainBuiltin(word) || isReservedType(word));
                    if (!isName && word != "..." && word != "None" && word != "()")
                        return false;
                    at = end;
                    if (isName && text.substr(at).starts_with("[") && open.size() < kDeepest) {
                        open += text[at++];
                        continue;
                    }
                }
                wantsValue = false;
                continue;
            }
            const char c = text[at++];
            if (c == ']' && !open.empty())
                open.pop_back();
            else if (c == '|' || (c == ',' && !open.empty()))
                wantsValue = true;
            else
                return false;
        }
        return open.empty() && !wantsValue;
    }

    std::string withGlobals(std::string_view text)
    {
        std::string out;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find_first_of("[],|"), text.size());
            const std::string_view word = text.substr(0, end);
            out += isDottedPythonName(word) ? global(word) : std::string(word);
            out += text.substr(end, 1);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
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
            text += isAttribute(keyword.key.view()) ? keyword.key.str() + " = " + repr(keyword.value)
                                                    : "**{" + pythonString(keyword.key.view()) + ": " + repr(keyword.value) + "}";
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
        const std::string annotation = this->annotation(node);
        if (node.op == Op::placeholder)
            return parameter(id, annotation);
        if (node.op == Op::output) {
            if (!annotation.empty())
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

    /// An input of forward(): "x", "*rest", "**options".
    struct Parameter {
        NodeId node;
        std::string stars;
        std::string name;
        bool hasDefault = false;
    };

    /// Inputs are called by the targets of placeholders, as far as those are names that may stand there together.
    void nameParameters()
    {
        std::set<std::string> taken = {"self"};
        bool hasRest = false;
        bool isLast = false;
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph[id];
            if (node.op != Op::placeholder)
                continue;
            const std::string target = node.target.str();
            const std::size_t stars = std::min(std::min(target.find_first_not_of('*'), target.size()), std::size_t{2});
            Parameter parameter{.node = id, .stars = target.substr(0, stars), .name = target.substr(stars)};
            if (!isPythonName(parameter.name) || taken.contains(parameter.name)) {
                parameter.name = nodeName(id);
                while (taken.contains(parameter.name))
                    parameter.name = m_namespace.create(parameter.name).str();
                note("the input " + target + " is called " + parameter.name + ": " +
                     (isPythonName(target.substr(stars)) ? "the name is taken" : "it is no name of Python"));
            }
            taken.insert(parameter.name);
            if (isLast || (stars == 1 && hasRest)) {
                note("the input " + target + " takes one value: it comes after others that take the rest");
                parameter.stars.clear();
            }
            parameter.hasDefault = !node.args.empty() && parameter.stars.empty();
            if (parameter.hasDefault && m_options.insideClass && !isLiteral(node.args.front())) {
                note("the input " + target + " has no default value: Python would work it out when the file is read");
                parameter.hasDefault = false;
            }
            hasRest = hasRest || parameter.stars == "*";
            isLast = isLast || parameter.stars == "**";
            m_inputs.push_back(std::move(parameter));
        }
        putRestLast();
        dropDefaults();
    }

    /// Python wants what takes all remaining keywords at the end.
    void putRestLast()
    {
        const auto rest = std::find_if(m_inputs.begin(), m_inputs.end(), [](const Parameter& p) { return p.stars == "**"; });
        if (rest == m_inputs.end() || rest + 1 == m_inputs.end())
            return;
        note("the input " + rest->stars + rest->name + " stands last");
        std::rotate(rest, rest + 1, m_inputs.end());
    }

    /// An input before one that has to be given has to be given as well.
    void dropDefaults()
    {
        bool isNeeded = false;
        const auto rest = std::find_if(m_inputs.begin(), m_inputs.end(), [](const Parameter& p) { return !p.stars.empty(); });
        for (auto at = std::make_reverse_iterator(rest); at != m_inputs.rend(); ++at) {
            if (at->hasDefault && isNeeded) {
                note("the input " + at->name + " has no default value: one behind it has none");
                at->hasDefault = false;
            }
            isNeeded = isNeeded || !at->hasDefault;
        }
        for (const Parameter& parameter : m_inputs)
            m_inputOf[parameter.node] = &parameter;
    }

    std::string parameter(NodeId id, const std::string& annotation)
    {
        const Node& node = m_graph[id];
        const Parameter& parameter = *m_inputOf[id];
        m_parameters[static_cast<std::size_t>(&parameter - m_inputs.data())] =
            parameter.stars + parameter.name + annotation + (parameter.hasDefault ? " = " + repr(node.args.front()) : "");
        return parameter.name == nodeName(id) ? std::string() : nodeName(id) + " = " + parameter.name + "\n";
    }

    std::string expression(NodeId id, const std::string& annotation)
    {
        const Node& node = m_graph[id];
        if (node.op == Op::callFunction && node.target.view().starts_with(kOperator))
            if (const Infix* inPlace = find(kInPlace, node.target.view().substr(kOperator.size()));
                inPlace != nullptr && node.args.size() >= placesIn(inPlace->syntax) && node.args.front().is(ArgumentKind::node))
                return filled(inPlace->syntax, reprs(node.args)) + ";  " + nodeName(id) + annotation + " = " +
                       (node.args.empty() ? std::string() : repr(node.args.front()));
        const std::string left = nodeName(id) + annotation + " = ";
        switch (node.op) {
        case Op::getAttr: return left + modulePath(node.target);
        case Op::callModule:
            return left + modulePath(node.target) + "(" + arguments(node.args, node.kwargs) + ")";
        case Op::callMethod: {
            if (leadsToInterpreter(node.target.view()))
                return left + global("method " + node.target.str()) + "(" + arguments(node.args, node.kwargs) + ")";
            const std::span<const Argument> args(node.args);
            const std::string object = args.empty() ? std::string("None") : ownerText(args.front());
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
            if (const Infix* infix = find(kInfix, target.substr(kOperator.size()));
                infix != nullptr && node.args.size() >= placesIn(infix->syntax))
                return filled(infix->syntax, reprs(node.args));
        const bool readsAttribute = target == "getattr" && node.args.size() == 2 &&
                                    node.args[1].is(ArgumentKind::string) &&
                                    isAttribute(node.args[1].text().view());
        if (readsAttribute && leadsToInterpreter(node.args[1].text().view()))
            return global("getattr " + node.args[1].text().str()) + "(" + arguments(node.args, node.kwargs) + ")";
        if (readsAttribute)
            return attributePath(ownerText(node.args[0]), node.args[1].text().view());
        const std::string function = global(target);
        return function + "(" + arguments(node.args, node.kwargs) + ")";
    }

    /// A value whose attribute is read: digits and a dot would be a number.
    std::string ownerText(const Argument& value)
    {
        const std::string text = repr(value);
        const bool isPlain = value.is(ArgumentKind::node) || (!text.empty() && (isPythonName(text) || text.front() == '\''));
        return isPlain || !(value.is(ArgumentKind::integer) || value.is(ArgumentKind::bigInteger) || value.is(ArgumentKind::symbolic))
                   ? text
                   : "(" + text + ")";
    }

    const Graph& m_graph;
    CodeOptions m_options;
    Namespace m_namespace;
    PythonSpelling m_spelling;
    std::vector<InternedString> m_names; ///< by NodeId
    std::vector<std::vector<NodeId>> m_lastUses;
    std::map<std::string, std::string> m_globals;
    std::map<std::string, PythonImport> m_imports;
    std::vector<std::string> m_notes;
    std::vector<Parameter> m_inputs; ///< in the order in which they stand in the code
    std::unordered_map<NodeId, const Parameter*> m_inputOf;
    std::vector<std::string> m_parameters;
    std::string m_returns;
};

} // namespace

std::string printCode(const Program& program, GraphId graph)
{
    return listCode(program, graph).text;
}

CodeListing listCode(const Program& program, GraphId graph, const CodeOptions& options)
{
    return CodePrinter(program.graph(graph), options).print();
}

std::string importLine(const PythonImport& import)
{
    const std::size_t dot = import.path.rfind('.');
    return import.path.starts_with(kTensorMethod)
               ? import.name + " = " + import.path
               : "from " + import.path.substr(0, dot) + " import " + import.path.substr(dot + 1) + " as " + import.name;
}

std::string printImports(const Program& program, GraphId graph)
{
    std::map<std::string, std::string> lines;
    for (const PythonImport& import : listCode(program, graph).imports)
        if (!import.isMissing)
            lines.emplace(import.name, importLine(import));
    for (const Infix& always : kAlways)
        lines.emplace(always.name, always.syntax);
    std::string text;
    for (const auto& [name, line] : lines)
        text += line + "\n";
    return text;
}

} // namespace sunder
