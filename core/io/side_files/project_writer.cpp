#include "io/side_files/devices_file.h"
#include "io/side_files/partitioner_files.h"
#include "io/side_files/project_file.h"
#include "support/file.h"
#include "support/json_writer.h"

namespace sunder {
namespace {

constexpr std::size_t kProjectLineDepth = 2; ///< a line per member of the file, tag, run, bookmark, and note

/// Writes the members of a project, without default values.
class ProjectWriter {
public:
    std::string write(const ProjectFile& project)
    {
        m_json.object([&] { writeMembers(project); });
        return m_json.take();
    }

private:
    void flag(std::string_view name, bool isSet)
    {
        if (isSet)
            m_json.member(name, true);
    }

    /// Writes a list of objects; `members(item)` writes the members of each.
    template <typename Items, typename Members>
    void objects(std::string_view name, const Items& items, const Members& members)
    {
        m_json.key(name);
        m_json.list(items, [&](const auto& item) { m_json.object([&] { members(item); }); });
    }

    template <typename Items, typename Members>
    void objectsIfAny(std::string_view name, const Items& items, const Members& members)
    {
        if (!items.empty())
            objects(name, items, members);
    }

    void writeMembers(const ProjectFile& project)
    {
        m_json.member("sunder", 1);
        m_json.key("source");
        m_json.object([&] { writeSource(project.source); });
        writeTags(project.tags);
        m_json.memberIfAny("active_tag", project.activeTag.view());
        flag("protect_tagged", project.protectsTagged);
        flag("backward_apart", project.isBackwardApart);
        writeText("devices", devicesFileText(project.devices));
        m_json.key("sizes");
        m_json.object([&] {
            for (const auto& [symbol, size] : project.sizes)
                m_json.member(symbol.view(), size);
        });
        m_json.memberIfAny("operators", project.operatorsFile);
        objects("runs", project.runs, [this](const ProjectRun& run) { writeRun(run); });
        objects("bookmarks", project.bookmarks, [this](const ProjectBookmark& bookmark) {
            m_json.memberIfAny("name", bookmark.name);
            m_json.rawMember("sight", bookmark.sight);
        });
        objectsIfAny("notes", project.notes, [this](const ProjectNote& note) { writeNote(note); });
        writeCosts(project);
        m_json.rawMember("view", project.view);
        m_json.memberIfAny("arrangement", project.arrangement);
        m_json.rawMember("identity", project.identity);
        m_json.rawMember("figures", project.figures);
        m_json.rawMember("rules", project.rules);
        objectsIfAny("lost", project.lost, [this](const ProjectLostTags& lost) {
            m_json.rawMember("identity", lost.identity);
            writeTags(lost.tags);
        });
        if (project.unsaved)
            writeUnsaved(*project.unsaved);
        m_json.rawMembers(project.extra); // members of a newer version
    }

    void writeCosts(const ProjectFile& project)
    {
        if (!project.costs.empty()) {
            m_json.key("costs");
            m_json.object([&] {
                m_json.memberIfAny("source", project.costsSource);
                m_json.rawMember("file", project.costs);
            });
        }
        if (!project.nodeData.empty()) {
            m_json.key("node_data");
            m_json.list(project.nodeData, [this](const std::string& data) { m_json.raw(data); });
        }
    }

    /// Writes the text of a JSON file, without its line end.
    void writeText(std::string_view name, std::string_view file) { m_json.rawMember(name, file.substr(0, file.size() - 1)); }

    void writeSource(const ProjectSource& source)
    {
        m_json.memberIfAny("relative", source.relative);
        m_json.memberIfAny("absolute", source.absolute);
        m_json.memberIfAny("program", source.program);
        m_json.member("bytes", source.mark.bytes);
        m_json.memberIfAny("content", source.mark.content);
        m_json.member("nodes", source.mark.nodes);
        m_json.memberIfAny("graph", source.mark.graph);
    }

    void writeTags(const std::vector<ProjectTag>& tags)
    {
        objects("tags", tags, [this](const ProjectTag& tag) {
            m_json.member("name", tag.name.view());
            if (tag.hue)
                m_json.member("hue", *tag.hue);
            flag("chosen", tag.isHueChosen);
            m_json.memberIfAny("color", tag.color);
            m_json.memberIfAny("code", tag.code);
            flag("locked", tag.isLocked);
            flag("hidden", tag.isHidden);
            m_json.key("nodes");
            m_json.list(tag.nodes, [this](InternedString node) { m_json.value(node.view()); });
        });
    }

    void writeRun(const ProjectRun& run)
    {
        m_json.member("number", run.number);
        m_json.memberIfAny("pass", run.pass);
        m_json.rawMember("options", run.options);
        m_json.memberIfAny("name", run.name);
        flag("shown", run.isShown);
        if (run.tags)
            writeTags(*run.tags);
        if (!run.partition)
            return;
        m_json.key("partition");
        m_json.object([&] {
            flag("as_2020", run.partition->is2020);
            flag("as_upstream", run.partition->asUpstream);
            writeText("config", partitionerConfigText(run.partition->config));
        });
    }

    void writeNote(const ProjectNote& note)
    {
        m_json.memberIfAny("node", note.node.view());
        m_json.memberIfAny("text", note.text);
        m_json.member("x", note.x);
        m_json.member("y", note.y);
    }

    void writeUnsaved(const UnsavedOrigin& origin)
    {
        m_json.key("unsaved");
        m_json.object([&] {
            m_json.memberIfAny("project", origin.project);
            m_json.member("when", origin.when);
        });
    }

    JsonWriter m_json{kProjectLineDepth};
};

} // namespace

std::string projectFileText(const ProjectFile& project)
{
    return ProjectWriter().write(project);
}

Result<void> writeProjectFile(const ProjectFile& project, const std::string& path)
{
    return writeFileAtomically(path, projectFileText(project));
}

} // namespace sunder
