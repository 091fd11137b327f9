#include "cli/old_export.h"

#include "cli/files.h"
#include "cli/tags.h"
#include "io/side_files/identity_file.h"
#include "io/side_files/project_tags.h"

#include <QFile>

namespace sunder::cli {
namespace {

bool isIdentityFile(const std::string& path)
{
    constexpr qint64 kHead = 200;
    QFile file(text(path));
    return file.open(QIODevice::ReadOnly) && looksLikeIdentity(file.read(kHead).toStdString());
}

Result<OldExport> ofModel(const Invocation& invocation, const std::string& path)
{
    SUNDER_TRY(const Program program, readInput(invocation, path));
    const TagAssignment own = tagsOnNodes(program);
    return OldExport{
        .identity = identityOf(program),
        .tags = {.order = own.order, .tags = tagPairs(program.rootGraph(), own), .colors = ownColoredTags(program).colors}};
}

} // namespace

Result<OldExport> oldExportOf(const ProjectFile& project, const std::string& path)
{
    if (project.identity.empty())
        return fail(ErrorCode::refused, "the project does not identify the nodes of its model",
                    {.file = path, .member = "identity"});
    SUNDER_TRY(GraphIdentity identity, parseIdentity(project.identity, path));
    OldExport old{.identity = std::move(identity)};
    for (std::size_t i = 0; i < project.tags.size(); ++i) {
        const ProjectTag& tag = project.tags[i];
        old.tags.order.push_back(tag.name);
        old.tags.colors.emplace_back(tag.name, intern(colorOf(tag, i)));
        for (const InternedString node : tag.nodes)
            old.tags.tags.emplace_back(node, tag.name);
    }
    return old;
}

Result<OldExport> readOldExport(const Invocation& invocation, const std::string& path)
{
    if (isIdentityFile(path)) {
        SUNDER_TRY(GraphIdentity identity, readIdentityFile(path));
        return OldExport{.identity = std::move(identity)};
    }
    if (!isProjectPath(path))
        return ofModel(invocation, path);
    SUNDER_TRY(const ProjectFile project, readProjectFile(path));
    return project.identity.empty() ? ofModel(invocation, path) : oldExportOf(project, path);
}

} // namespace sunder::cli
