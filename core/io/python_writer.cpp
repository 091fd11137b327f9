// A program as a Python file that runs where PyTorch is, without Sunder. What it needs beside the printed code is small
// and written into the file, so that a person can read and change all of it.
#include "io/python_writer.h"

#include "io/python_script_text.h"
#include "ir/namespace.h"
#include "ir/printer.h"
#include "ir/python_text.h"
#include "support/file.h"
#include "support/format.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <vector>

namespace sunder {
namespace {

/// Lines of code inside a class; blank lines stay empty.
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

/// "(8, 3)": sizes by their hints, 0 where nothing is known; empty tensors of that size are made.
std::string shapeOf(const TensorMeta& meta)
{
    std::string text = "(";
    for (const Argument& size : meta.shape)
        text += (text.size() == 1 ? "" : ", ") + std::to_string(sizeHint(size).value_or(0));
    return text + (meta.shape.size() == 1 ? ",)" : ")");
}

class PythonWriter {
public:
    PythonWriter(const Program& program, std::ostream& out, const PythonOptions& options)
        : m_program(program), m_out(out), m_options(options), m_isTagged(hasNodeTags(program))
    {
        m_names.use(intern("torch"));
        for (const std::string_view name :
             {"functools", "ORDER", "TAGS", "RETURN_TUPLE", "LIFTED", "NotHere", "holder", "tensor", "take", "arguments",
              "split"})
            m_names.use(intern(name));
    }

    Result<void> run()
    {
        if (const Result<void> done = collectImports(); !done)
            return done;
        nameClasses();
        writeHead();
        for (const ModuleId module : m_owners)
            writeClass(module);
        m_out << pythonTakeText();
        if (m_program.signature)
            writeLifted();
        if (m_isTagged)
            writeTags();
        return {};
    }

private:
    static bool hasNodeTags(const Program& program)
    {
        for (const NodeId id : program.rootGraph().nodes())
            if (!program.rootGraph()[id].tag.empty())
                return true;
        return false;
    }

    /// Graph modules, the root last, so that classes come before those that use them.
    Result<void> collectImports()
    {
        for (std::size_t i = m_program.modules.size(); i-- > 0;) {
            const Module& module = m_program.modules[ModuleId(i)];
            if (!module.graph || module.same)
                continue;
            m_owners.push_back(ModuleId(i));
            std::istringstream lines(printImports(m_program, module.graph));
            for (std::string line; std::getline(lines, line);)
                if (const Result<void> done = addImport(line); !done)
                    return done;
        }
        return {};
    }

    Result<void> addImport(const std::string& line)
    {
        // "from a import b as c", "import a", "c = d"
        const std::size_t as = line.rfind(" as ");
        const std::size_t equals = line.find(" = ");
        const std::string name = as != std::string::npos       ? line.substr(as + 4)
                                 : equals != std::string::npos ? line.substr(0, equals)
                                                               : line.substr(line.rfind(' ') + 1);
        const auto [at, isNew] = m_imports.emplace(name, line);
        if (!isNew && at->second != line)
            return fail(ErrorCode::refused, "two graphs of the program use the name " + name +
                                                " for different things: \"" + at->second + "\" and \"" + line +
                                                "\"; write them as files of their own");
        m_names.use(intern(name));
        return {};
    }

    void nameClasses()
    {
        for (const ModuleId id : m_owners) {
            std::string name = "Model";
            for (const char c : m_program.modules[id].path.view())
                name += name == "Model" ? std::string("_") + c : std::string(1, c);
            for (char& c : name)
                if (!isPythonIdentifier(std::string("a") + c))
                    c = '_';
            m_classes[id] = m_names.create(name);
        }
    }

    void writeHead()
    {
        const std::string& file = m_program.origin.file;
        m_out << pythonDocText(file.empty() ? "A graph" : file.substr(file.rfind('/') + 1), m_isTagged)
              << "\nimport functools\n";
        for (const auto& [name, line] : m_imports)
            if (line.starts_with("import ") || line.starts_with("from "))
                m_out << line << "\n";
        for (const auto& [name, line] : m_imports)
            if (!line.starts_with("import ") && !line.starts_with("from "))
                m_out << line << "\n";
        m_out << pythonModuleText();
    }

    void writeClass(ModuleId id)
    {
        m_out << "\n\nclass " << m_classes[id].view()
              << "(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n";
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
        m_out << indented(printCode(m_program, m_program.modules[id].graph).substr(1));
    }

    /// One line that makes a module below a graph module. True when those below it are to be made here as well.
    bool writeModule(ModuleId owner, ModuleId id)
    {
        const Module& module = m_program.modules[id];
        const std::size_t skip =
            m_program.modules[owner].path.empty() ? 0 : m_program.modules[owner].path.view().size() + 1;
        const std::string path = pythonString(module.path.view().substr(skip));
        const ModuleId object = m_program.modules.object(id);
        if (m_program.modules[object].graph && m_classes.contains(object)) {
            m_out << "        holder(self, " << path << ", " << m_classes[object].view() << "())\n";
            return false;
        }
        if (module.leaf.value_or(false))
            m_out << "        holder(self, " << path << ", NotHere(" << quoted(module.path) << ", "
                  << quoted(module.cls) << "))\n";
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
            m_out << "        tensor(self, " << quoted(entry.fqn) << ", " << shapeOf(entry.meta) << ", torch."
                  << (entry.meta.dtype.empty() ? "float32" : entry.meta.dtype.view()) << ", "
                  << pythonString(name(entry.role)) << (entry.meta.requiresGrad ? ", requires_grad=True" : "")
                  << (entry.persistent == false ? ", persistent=False" : "") << ")\n";
        }
    }

    void writeLifted()
    {
        m_out << "\n\nLIFTED = [\n";
        for (const InputSpec& input : m_program.signature->inputs)
            if (input.kind != InputKind::user)
                m_out << "    " << quoted(input.target) << ",\n";
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
    std::map<std::string, std::string> m_imports;
    Namespace m_names;
    std::unordered_map<ModuleId, InternedString> m_classes;
};

} // namespace

Result<void> writePython(const Program& program, std::ostream& out, const PythonOptions& options)
{
    return PythonWriter(program, out, options).run();
}

Result<void> writePython(const Program& program, const std::string& path)
{
    return writeFileAtomically(path, [&](std::ostream& out) { return writePython(program, out); });
}

} // namespace sunder
