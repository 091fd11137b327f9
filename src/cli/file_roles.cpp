#include "cli/file_roles.h"

#include "cli/files.h"
#include "io/side_files/manifest_files.h"
#include "io/side_files/project_source.h"
#include "support/staged_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

/// Names of positional arguments that are files.
constexpr std::array<std::string_view, 4> kFiles{"IN", "A", "B", "OUT"};

/// A file on the command line and its role.
struct NamedFile {
    std::string role; ///< "IN", "--dag"
    std::string path;
    fs::path target;  ///< absolute, with links resolved as far as possible
    struct stat info = {};
    bool isThere = false;
};

NamedFile namedFile(std::string role, const std::string& path)
{
    NamedFile file{.role = std::move(role), .path = path};
    std::error_code error;
    file.target = behindLinks(fs::absolute(path, error));
    if (const std::optional<int> fd = openFileOf(file.target))
        file.isThere = ::fstat(*fd, &file.info) == 0;
    else
        file.isThere = ::stat(file.target.c_str(), &file.info) == 0;
    const fs::path folder = fs::weakly_canonical(file.target.parent_path(), error);
    if (!error)
        file.target = folder / file.target.filename();
    return file;
}

bool areSame(const NamedFile& a, const NamedFile& b)
{
    if (a.target == b.target)
        return true;
    if (!a.isThere || !b.isThere)
        return false;
    const bool isDevice = S_ISCHR(a.info.st_mode) || S_ISBLK(a.info.st_mode);
    if (isDevice && (a.info.st_mode & S_IFMT) == (b.info.st_mode & S_IFMT))
        return a.info.st_rdev == b.info.st_rdev;
    return a.info.st_ino == b.info.st_ino && a.info.st_dev == b.info.st_dev;
}

struct FileRoles {
    std::vector<NamedFile> inputs;
    std::vector<NamedFile> outputs;
    std::vector<NamedFile> partFiles; ///< files of --parts that are known in advance
};

/// Returns the model that is read with a project. Ignores a damaged project, which is refused later.
std::optional<std::string> modelOfProject(const std::string& path)
{
    if (!isProjectPath(path))
        return std::nullopt;
    const Result<ProjectFile> project = readProjectFile(path);
    return project ? findSource(project->source, path) : std::nullopt;
}

FileRoles rolesOf(const Command& command, const QCommandLineParser& options, const std::vector<std::string>& files)
{
    FileRoles roles;
    std::istringstream words(command.positionals);
    std::size_t at = 0;
    for (std::string word; words >> word && at < files.size(); ++at) {
        std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
        if (std::ranges::find(kFiles, word) == kFiles.end())
            continue;
        (word == "OUT" ? roles.outputs : roles.inputs).push_back(namedFile(word, files[at]));
        if (const std::optional<std::string> model = modelOfProject(files[at]); model && word != "OUT")
            roles.inputs.push_back(namedFile("the model of " + word, *model));
        if (word == "OUT" && hasSuffix(files[at], {".json"}))
            roles.outputs.push_back(namedFile("the tags file of OUT", tagsPathFor(files[at])));
    }
    for (const CommandOption& option : joined({command.options, commonOptions()})) {
        if ((option.takes != Takes::input && option.takes != Takes::output) || !options.isSet(QLatin1String(option.name)))
            continue;
        (option.takes == Takes::input ? roles.inputs : roles.outputs)
            .push_back(namedFile(spelled(option.name), options.value(QLatin1String(option.name)).toStdString()));
    }
    if (!options.optionNames().contains(QStringLiteral("parts"))) // isSet() warns about options that the command lacks
        return roles;
    const fs::path folder = options.value(QStringLiteral("parts")).toStdString();
    const std::string manifest = (folder / "manifest.json").string();
    roles.partFiles.push_back(namedFile("--parts", manifest));
    for (const std::string& name : filesOfManifest(manifest))
        roles.partFiles.push_back(namedFile("--parts", (folder / name).string()));
    return roles;
}

tl::unexpected<Error> refuse(const NamedFile& output, const NamedFile& other)
{
    return fail(ErrorCode::usage,
                output.path + " is used twice: as the output " + output.role + " and as " + other.role
                    + (other.path == output.path ? "" : " (" + other.path + ")"));
}

/// Refuses an output in the folder of --parts that could have the name of a part.
Result<void> checkAgainstParts(const NamedFile& file, const fs::path& folder)
{
    if (file.target.parent_path() == folder && hasSuffix(file.path, {".pt2", ".fxj", "/run.py"}))
        return fail(ErrorCode::usage,
                    file.path + ", the output " + file.role + ", is among the parts of --parts; write it elsewhere");
    return {};
}

} // namespace

Result<void> checkFileRoles(const Command& command, const QCommandLineParser& options, const std::vector<std::string>& files)
{
    const FileRoles roles = rolesOf(command, options, files);
    for (std::size_t i = 0; i < roles.outputs.size(); ++i) {
        const NamedFile& output = roles.outputs[i];
        if (output.path.empty())
            return fail(ErrorCode::usage, output.role + " needs a file name");
        for (const std::vector<NamedFile>* others : {&roles.inputs, &roles.partFiles})
            for (const NamedFile& other : *others)
                if (areSame(output, other))
                    return refuse(output, other);
        for (std::size_t j = 0; j < i; ++j)
            if (areSame(output, roles.outputs[j]))
                return refuse(output, roles.outputs[j]);
        if (!roles.partFiles.empty())
            if (const Result<void> apart = checkAgainstParts(output, roles.partFiles.front().target.parent_path()); !apart)
                return apart;
        if (options.isSet(QStringLiteral("json")) && openFileOf(output.target) == STDOUT_FILENO)
            return fail(ErrorCode::usage,
                        output.path + " is used twice: as the output " + output.role + " and for the output of --json");
    }
    for (const NamedFile& part : roles.partFiles)
        for (const NamedFile& input : roles.inputs)
            if (areSame(part, input))
                return refuse(part, input);
    return {};
}

} // namespace sunder::cli
