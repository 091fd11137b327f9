#include "io/side_files/project_source.h"

#include "io/archives/source_file.h"
#include "ir/printer.h"
#include "support/format.h"
#include "support/sha256.h"

#include <filesystem>

namespace sunder {
namespace {

namespace fs = std::filesystem;

/// Hashes a text preceded by its length, so that different lists of texts have different hashes.
void addText(Sha256& hash, std::string_view text)
{
    hash.add(std::to_string(text.size()) + ':');
    hash.add(text);
}

std::string hashOf(const Program& program)
{
    Sha256 hash;
    const Graph& graph = program.rootGraph();
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        addText(hash, name(node.op));
        addText(hash, node.name.view());
        addText(hash, node.target.view());
        addText(hash, printNode(graph, id));
        for (const ModuleFrame& frame : program.stackOf(node)) {
            addText(hash, frame.path.view());
            addText(hash, frame.cls.view());
        }
    }
    return hash.finish();
}

bool isFile(const fs::path& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error);
}

} // namespace

SourceMark markOf(const Program& program, ProgressMonitor& monitor)
{
    SourceMark mark{.nodes = program.rootGraph().size(), .graph = hashOf(program)};
    if (program.origin.opened != nullptr) {
        mark.bytes = program.origin.opened->size();
        mark.content = program.origin.opened->contentMark(monitor).value_or(std::string());
    }
    return mark;
}

std::optional<SourceChange> changeBetween(const SourceMark& was, const SourceMark& now)
{
    if (was.nodes != now.nodes)
        return SourceChange{.isOfGraph = true,
                            .text = "it has " + formatCount(now.nodes, "node") + " instead of " + formatCount(was.nodes)};
    if (was.graph != now.graph || was.graph.empty())
        return SourceChange{.isOfGraph = true,
                            .text = "it has as many nodes as before, but some differ in name, operator, arguments, or module"};
    if (was.content != now.content || was.content.empty())
        return SourceChange{.isOfGraph = false,
                            .text = "its graph is the same, but the rest of the file differs, possibly the weights"};
    return std::nullopt;
}

std::optional<std::string> findSource(const ProjectSource& source, const std::string& projectPath)
{
    std::error_code error;
    const fs::path folder = fs::absolute(projectPath, error).parent_path();
    if (!source.relative.empty() && fs::path(source.relative).is_relative())
        if (const fs::path beside = (folder / source.relative).lexically_normal(); isFile(beside))
            return beside.string();
    if (fs::path(source.absolute).is_absolute() && isFile(source.absolute))
        return source.absolute;
    return std::nullopt;
}

ProjectSource sourceAt(const std::string& modelPath, const std::string& projectPath)
{
    std::error_code error;
    const fs::path model = fs::absolute(modelPath, error).lexically_normal();
    const fs::path folder = fs::absolute(projectPath, error).lexically_normal().parent_path();
    return {.relative = model.lexically_relative(folder).string(), .absolute = model.string()};
}

} // namespace sunder
