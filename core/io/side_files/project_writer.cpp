#include "io/side_files/partitioner_files.h"
#include "io/side_files/project_file.h"
#include "support/file.h"
#include "support/json_text.h"

namespace sunder {
namespace {

/// Writes the members of an object and omits default values.
class ProjectObject {
public:
    explicit ProjectObject(std::string& out, const char* between = ",") : m_out(out), m_between(between) { m_out += '{'; }

    std::string& key(std::string_view name)
    {
        m_out += m_isFirst ? "" : m_between;
        m_isFirst = false;
        appendJsonString(m_out, name);
        m_out += ':';
        return m_out;
    }
    void text(std::string_view name, std::string_view value)
    {
        if (!value.empty())
            appendJsonString(key(name), value);
    }
    void number(std::string_view name, std::uint64_t value) { appendJsonInteger(key(name), static_cast<std::int64_t>(value)); }
    void flag(std::string_view name, bool isSet)
    {
        if (isSet)
            key(name) += "true";
    }
    void raw(std::string_view name, std::string_view json)
    {
        if (!json.empty())
            key(name) += json;
    }
    /// Writes members of a newer version unchanged.
    void extra(const std::string& object)
    {
        if (m_isFirst && object.size() > 2)
            m_out += object.substr(1, object.size() - 2);
        else
            appendJsonMembers(m_out, object);
    }
    void end() { m_out += '}'; }

private:
    std::string& m_out;
    const char* m_between;
    bool m_isFirst = true;
};

template <typename Values, typename Append>
void appendList(std::string& out, const Values& values, const char* between, const Append& appendOne)
{
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        out += i == 0 ? "" : between;
        appendOne(values[i]);
    }
    out += ']';
}

void appendSource(std::string& out, const ProjectSource& source)
{
    ProjectObject object(out);
    object.text("relative", source.relative);
    object.text("absolute", source.absolute);
    object.text("program", source.program);
    object.number("bytes", source.mark.bytes);
    object.text("content", source.mark.content);
    object.number("nodes", source.mark.nodes);
    object.text("graph", source.mark.graph);
    object.end();
}

void appendTag(std::string& out, const ProjectTag& tag)
{
    ProjectObject object(out);
    appendJsonString(object.key("name"), tag.name.view()); // written even if empty
    if (tag.hue)
        object.number("hue", *tag.hue);
    object.flag("chosen", tag.isHueChosen);
    object.text("color", tag.color);
    object.text("code", tag.code);
    object.flag("locked", tag.isLocked);
    object.flag("hidden", tag.isHidden);
    appendList(object.key("nodes"), tag.nodes, ",", [&out](InternedString node) { appendJsonString(out, node.view()); });
    object.end();
}

void appendTags(std::string& out, const std::vector<ProjectTag>& tags)
{
    appendList(out, tags, ",\n", [&out](const ProjectTag& tag) { appendTag(out, tag); });
}

void appendRun(std::string& out, const ProjectRun& run)
{
    ProjectObject object(out);
    object.number("number", static_cast<std::uint64_t>(run.number));
    object.text("pass", run.pass);
    object.raw("options", run.options);
    object.text("name", run.name);
    object.flag("shown", run.isShown);
    if (run.tags)
        appendTags(object.key("tags"), *run.tags);
    if (run.partition) {
        ProjectObject partition(object.key("partition"));
        partition.flag("as_2020", run.partition->is2020);
        partition.flag("as_upstream", run.partition->asUpstream);
        const std::string config = partitionerConfigText(run.partition->config);
        partition.raw("config", std::string_view(config).substr(0, config.size() - 1)); // without its line end
        partition.end();
    }
    object.end();
}

} // namespace

std::string projectFileText(const ProjectFile& project)
{
    std::string out;
    ProjectObject object(out, ",\n");
    object.number("sunder", 1);
    appendSource(object.key("source"), project.source);
    appendTags(object.key("tags"), project.tags);
    object.text("active_tag", project.activeTag.view());
    object.flag("protect_tagged", project.protectsTagged);
    object.flag("backward_apart", project.isBackwardApart);
    const std::string devices = devicesFileText(project.devices);
    object.raw("devices", std::string_view(devices).substr(0, devices.size() - 1));
    ProjectObject sizes(object.key("sizes"));
    for (const auto& [symbol, size] : project.sizes)
        appendJsonInteger(sizes.key(symbol.view()), size);
    sizes.end();
    object.text("operators", project.operatorsFile);
    appendList(object.key("runs"), project.runs, ",\n", [&out](const ProjectRun& run) { appendRun(out, run); });
    appendList(object.key("bookmarks"), project.bookmarks, ",\n", [&out](const ProjectBookmark& bookmark) {
        ProjectObject one(out);
        one.text("name", bookmark.name);
        one.raw("sight", bookmark.sight);
        one.end();
    });
    if (!project.notes.empty())
        appendList(object.key("notes"), project.notes, ",\n", [&out](const ProjectNote& note) {
            ProjectObject one(out);
            one.text("node", note.node.view());
            one.text("text", note.text);
            appendJsonInteger(one.key("x"), note.x);
            appendJsonInteger(one.key("y"), note.y);
            one.end();
        });
    object.raw("view", project.view);
    object.text("arrangement", project.arrangement);
    object.raw("identity", project.identity);
    object.raw("rules", project.rules);
    if (!project.lost.empty())
        appendList(object.key("lost"), project.lost, ",\n", [&out](const ProjectLostTags& lost) {
            ProjectObject one(out);
            one.raw("identity", lost.identity);
            appendTags(one.key("tags"), lost.tags);
            one.end();
        });
    object.extra(project.extra);
    object.end();
    return out + "\n";
}

Result<void> writeProjectFile(const ProjectFile& project, const std::string& path)
{
    return writeFileAtomically(path, projectFileText(project));
}

} // namespace sunder
