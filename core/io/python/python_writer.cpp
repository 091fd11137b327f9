// Writes a program as a Python file that runs with PyTorch and without Sunder. The helpers it needs are small and included in the
// file, so that users can read and change everything.
#include "io/python/python_writer.h"

#include "io/python/python_script_text.h"
#include "ir/namespace.h"
#include "ir/printer.h"
#include "ir/python_names.h"
#include "ir/python_text.h"
#include "support/file.h"
#include "support/format.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

/// Indents lines of code for a class body; blank lines stay empty.
std::string indented(std::string_view code)
{
    std::string out;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        const std::string_view line = code.substr(at, end - at);
        if (line.find_first_not_of(' ') != std::string_view::npos)
            (out += "    ") += line;
        out += '\n';
        at = end + 1;
    }
    return out;
}

std::string quoted(InternedString text)
{
    return pythonString(text.view());
}

/// Returns "(8, 3)": sizes by their hints, 0 if unknown. Used to create empty tensors.
std::string shapeOf(const TensorMeta& meta)
{
    std::string text = "(";
    for (const Argument& size : meta.shape)
        text += (text.size() == 1 ? "" : ", ") + std::to_string(sizeHint(size).value_or(0));
    return text + (meta.shape.size() == 1 ? ",)" : ")");
}

/// Python accepts at most 200 nested brackets, and its compiler recurses along dots. Strings of printed code never span lines.
Result<void> checkNesting(const CodeListing& listing, const Graph& graph)
{
    constexpr int kMaxBrackets = 150;
    constexpr int kMaxDots = 500;
    std::size_t line = 0;
    int open = 0;
    int dots = 0;
    char quote = 0;
    for (std::size_t at = 0; at < listing.text.size(); ++at) {
        const char c = listing.text[at];
        if (quote != 0) {
            at += c == '\\' ? 1 : 0;
            quote = c == quote ? '\0' : quote;
            continue;
        }
        const bool isWord = isPythonName(std::string("a") + c);
        dots = c == '.' ? dots + 1 : isWord ? dots : 0;
        open += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (open > kMaxBrackets || dots > kMaxDots) {
            const NodeId node = line < listing.nodeOfLine.size() ? listing.nodeOfLine[line] : NodeId();
            const std::string name = node ? graph[node].name.str() : "the inputs";
            return fail(ErrorCode::refused, name + " cannot be written as Python: its values or names are nested too deeply",
                        {.node = name});
        }
        quote = c == '\'' || c == '"' ? c : '\0';
        line += c == '\n' ? 1 : 0;
    }
    return {};
}

constexpr std::size_t kMaxNotes = 100;

/// Names defined by the file itself.
constexpr std::array<std::string_view, 19> kOwnNames = {
    "functools", "annotations", "foreign", "missing", "self", "ORDER",     "TAGS", "RETURN_TUPLE", "LIFTED", "INPUTS",
    "OUTPUTS",   "NotHere",     "holder",  "tensor",  "take", "arguments", "held", "run",          "split"};

class PythonWriter {
public:
    PythonWriter(const Program& program, std::ostream& out, const PythonOptions& options)
        : m_program(program), m_out(out), m_options(options), m_isTagged(hasNodeTags(program))
    {
        m_names.use(intern("torch"));
        for (const std::string_view name : kOwnNames)
            m_names.use(intern(name));
    }

    Result<std::vector<std::string>> run()
    {
        SUNDER_PROPAGATE(listGraphs());
        nameClasses();
        writeHead();
        for (const ModuleId module : m_owners)
            writeClass(module);
        m_out << pythonTakeText();
        if (m_program.signature)
            writeLifted();
        if (m_isTagged)
            writeTags();
        return std::move(m_notes);
    }

private:
    static bool hasNodeTags(const Program& program)
    {
        for (const NodeId id : program.rootGraph().nodes())
            if (!program.rootGraph()[id].tag.empty())
                return true;
        return false;
    }

    /// Lists graph modules, the root last, so that classes precede their users.
    Result<void> listGraphs()
    {
        for (std::size_t i = m_program.modules.size(); i-- > 0;) {
            const Module& module = m_program.modules[ModuleId(i)];
            if (!module.graph || module.same)
                continue;
            m_owners.push_back(ModuleId(i));
            CodeListing listing = listCode(m_program, module.graph, {.insideClass = true, .taken = kOwnNames});
            SUNDER_PROPAGATE(checkNesting(listing, m_program.graph(module.graph)));
            for (const PythonImport& import : listing.imports)
                if (const Result<void> done = addImport(import); !done)
                    return done;
            for (std::string& note : listing.notes)
                ++m_noteCount <= kMaxNotes ? m_notes.push_back(std::move(note)) : void();
            m_code[ModuleId(i)] = std::move(listing.text);
        }
        if (m_noteCount > kMaxNotes)
            m_notes.push_back("and " + formatCount(m_noteCount - kMaxNotes, "more note") + " of this kind");
        return {};
    }

    Result<void> addImport(const PythonImport& import)
    {
        const auto [at, isNew] = m_imports.emplace(import.name, import);
        if (!isNew && at->second != import)
            return fail(ErrorCode::refused,
                        "two graphs of the program use the name " + import.name + " for different things: \""
                            + importLine(at->second) + "\" and \"" + importLine(import) + "\"; write them to separate files");
        m_names.use(intern(import.name));
        return {};
    }

    void nameClasses()
    {
        for (const ModuleId id : m_owners) {
            std::string name = "Model";
            for (const char c : m_program.modules[id].path.view())
                name += name == "Model" ? std::string("_") + c : std::string(1, c);
            for (char& c : name)
                if (!isPythonName(std::string("a") + c))
                    c = '_';
            m_classes[id] = m_names.create(name);
        }
    }

    void writeHead()
    {
        const std::string& file = m_program.origin.file;
        m_out << pythonDocText(file.empty() ? "A graph" : file.substr(file.rfind('/') + 1), m_isTagged, m_notes)
              << "\nfrom __future__ import annotations\n\nimport functools\n"
              << pythonAlwaysText();
        for (const bool isAssignment : {false, true})
            for (const auto& [name, import] : m_imports)
                if (const std::string line = importLine(import); isOfPyTorch(import) && line.starts_with("from ") != isAssignment)
                    m_out << line << "\n";
        m_out << pythonModuleText();
        writeForeign();
    }

    /// True for packages imported at the top of the file: PyTorch, and side-effect-free modules of Python.
    static bool isOfPyTorch(const PythonImport& import)
    {
        constexpr std::array<std::string_view, 12> kPackages = {"torch.",     "torchvision.", "torchaudio.",  "math.",
                                                                "cmath.",     "_operator.",   "operator.",    "typing.",
                                                                "functools.", "itertools.",   "collections.", "builtins."};
        return !import.isMissing
            && std::any_of(kPackages.begin(), kPackages.end(), [&](auto name) { return import.path.starts_with(name); });
    }

    /// Importing other packages runs their code, so they are imported only when a Model is created.
    void writeForeign()
    {
        std::string globals;
        std::string lines;
        for (const auto& [name, import] : m_imports) {
            if (isOfPyTorch(import))
                continue;
            if (import.isMissing) {
                m_out << (m_hasMissing ? "" : pythonMissingText()) << "\n\n"
                      << name << " = missing(" << pythonString(import.path) << ")\n";
                m_hasMissing = true;
                continue;
            }
            globals += "    global " + name + "\n";
            lines += "    " + importLine(import) + "\n";
        }
        m_hasForeign = !lines.empty();
        if (m_hasForeign)
            m_out << "\n\ndef foreign():\n"
                     "    \"\"\"Imports packages other than PyTorch that the graphs call. Called when a Model is created.\"\"\"\n"
                  << globals << lines;
    }

    void writeClass(ModuleId id)
    {
        m_out << "\n\nclass " << m_classes[id].view()
              << "(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n";
        if (m_hasForeign)
            m_out << "        foreign()\n";
        std::vector<ModuleId> todo = {m_program.modules[id].children.rbegin(), m_program.modules[id].children.rend()};
        while (!todo.empty()) {
            const ModuleId child = todo.back();
            todo.pop_back();
            if (!writeModule(id, child))
                continue;
            const std::vector<ModuleId>& more = m_program.modules[child].children;
            todo.insert(todo.end(), more.rbegin(), more.rend());
        }
        if (id == ModuleTree::root())
            writeTensors();
        m_out << indented(m_code[id].substr(1));
    }

    /// Writes a line that creates a module below a graph module. Returns true if its children must be created here too.
    bool writeModule(ModuleId owner, ModuleId id)
    {
        const Module& module = m_program.modules[id];
        const std::size_t skip = m_program.modules[owner].path.empty() ? 0 : m_program.modules[owner].path.view().size() + 1;
        const std::string path = pythonString(module.path.view().substr(skip));
        const ModuleId object = m_program.modules.object(id);
        if (m_program.modules[object].graph && m_classes.contains(object)) {
            m_out << "        holder(self, " << path << ", " << m_classes[object].view() << "())\n";
            return false;
        }
        if (module.leaf.value_or(false))
            m_out << "        holder(self, " << path << ", NotHere(" << quoted(module.path) << ", " << quoted(module.cls)
                  << "))\n";
        return !module.leaf.value_or(false);
    }

    void writeTensors()
    {
        for (const TensorEntry& entry : m_program.tensors.entries()) {
            const TensorEntry& object = entry.same ? m_program.tensors[m_program.tensors.object(entry.same)] : entry;
            if (entry.same) {
                m_out << "        tensor(self, " << quoted(entry.fqn) << ", same=" << quoted(object.fqn) << ")\n";
                continue;
            }
            m_out << "        tensor(self, " << quoted(entry.fqn) << ", " << shapeOf(entry.meta) << ", "
                  << pythonTorchAttribute(entry.meta.dtype.empty() ? "float32" : entry.meta.dtype.view()) << ", "
                  << pythonString(name(entry.role)) << (entry.meta.requiresGrad ? ", requires_grad=True" : "")
                  << (entry.persistent == false ? ", persistent=False" : "") << ")\n";
        }
    }

    /// Returns "None" for a constant input, because nothing is written to it.
    [[nodiscard]] std::string nameOfInput(const InputSpec& input) const
    {
        return input.value.is(ArgumentKind::node) ? quoted(m_program.rootGraph()[input.value.asNode()].name) : "None";
    }

    /// Returns how run() handles an output.
    static std::string_view roleOf(OutputKind kind)
    {
        switch (kind) {
        case OutputKind::bufferMutation:
        case OutputKind::parameterMutation: return "tensor";
        case OutputKind::inputMutation: return "input";
        case OutputKind::token: return "token";
        case OutputKind::user:
        case OutputKind::loss:
        case OutputKind::gradient: break;
        }
        return "result";
    }

    void writeLifted()
    {
        m_out << "\n\nLIFTED = [\n";
        for (const InputSpec& input : m_program.signature->inputs)
            if (input.kind != InputKind::user)
                m_out << "    " << (input.kind == InputKind::token ? "None" : quoted(input.target)) << ",\n";
        m_out << "]\n\nINPUTS = [\n";
        for (const InputSpec& input : m_program.signature->inputs)
            if (input.kind == InputKind::user)
                m_out << "    " << nameOfInput(input) << ",\n";
        m_out << "]\n\nOUTPUTS = [\n";
        for (const OutputSpec& output : m_program.signature->outputs)
            m_out << "    (" << pythonString(roleOf(output.kind)) << ", " << quoted(output.target) << "),\n";
        m_out << "]\n" << pythonArgumentsText();
    }

    void writeTags()
    {
        m_out << "\n\nORDER = [";
        std::size_t count = 0;
        if (m_program.tags)
            for (const InternedString tag : m_program.tags->order)
                m_out << (count++ == 0 ? "" : ", ") << quoted(tag);
        m_out << "]\n\nTAGS = {\n";
        const Graph& graph = m_program.rootGraph();
        for (const NodeId id : graph.nodes())
            if (graph[id].isCall() && !graph[id].tag.empty())
                m_out << "    " << quoted(graph[id].name) << ": " << quoted(graph[id].tag) << ",\n";
        m_out << "}\n\nRETURN_TUPLE = " << (m_options.returnTuple ? "True" : "False") << "\n" << pythonSplitText();
    }

    const Program& m_program;
    std::ostream& m_out;
    PythonOptions m_options;
    bool m_isTagged;
    std::vector<ModuleId> m_owners; ///< modules with a graph
    std::unordered_map<ModuleId, std::string> m_code;
    std::map<std::string, PythonImport> m_imports;
    std::vector<std::string> m_notes;
    std::size_t m_noteCount = 0;
    bool m_hasForeign = false;
    bool m_hasMissing = false;
    Namespace m_names;
    std::unordered_map<ModuleId, InternedString> m_classes;
};

} // namespace

Result<std::vector<std::string>> writePython(const Program& program, std::ostream& out, const PythonOptions& options)
{
    return PythonWriter(program, out, options).run();
}

Result<std::vector<std::string>> writePython(const Program& program, const std::string& path)
{
    std::vector<std::string> notes;
    const auto write = [&](std::ostream& out) -> Result<void> {
        SUNDER_TRY(notes, writePython(program, out));
        return {};
    };
    SUNDER_PROPAGATE(writeFileAtomically(path, write));
    return notes;
}

} // namespace sunder
