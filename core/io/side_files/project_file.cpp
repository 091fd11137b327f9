#include "io/side_files/project_file.h"

#include "analysis/tag_palette.h"
#include "io/json/json_file.h"
#include "io/side_files/devices_file.h"
#include "io/side_files/partitioner_files.h"
#include "support/file.h"
#include "support/json_tape.h"
#include "support/json_text.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxProjectBytes = 256ULL << 20U;
constexpr std::size_t kMaxEntries = 100'000; ///< maximum number of tags, runs, bookmarks, notes, or sizes
constexpr std::size_t kLongestName = 4096;    ///< bytes in the name of a tag, run, or bookmark, or in the text of a note
constexpr std::int64_t kFarthestNote = 1'000'000; ///< pixels
constexpr std::size_t kLongestArrangement = 1U << 20U;
constexpr std::int64_t kProjectVersion = 1;

class ProjectReader : private JsonFile {
public:
    explicit ProjectReader(const std::string& name) : JsonFile("project", name) {}

    Result<ProjectFile> read(JsonValue root)
    {
        if (!root.is(JsonType::object))
            return wrong("is not an object", "");
        // Checked first, because other members may have another meaning in a newer version.
        SUNDER_PROPAGATE(checkVersion(root));
        ProjectFile project;
        SUNDER_PROPAGATE(members(root, "", project.extra, [&](std::string_view key, JsonValue value, bool& isKnown) {
            return take(key, value, project, isKnown);
        }));
        for (const char* needed : {"source", "tags"})
            if (!m_seen.contains(needed))
                return wrong("lacks a required key", needed);
        return project;
    }

private:
    [[nodiscard]] Result<void> checkVersion(JsonValue root) const
    {
        for (JsonValue key = root.firstItem(); key; key = key.nextMember()) {
            if (key.text() != "sunder")
                continue;
            const JsonValue version = key.memberValue();
            if (!version.is(JsonType::integer) || version.asInteger() < 1)
                return wrong("must have a version number", "sunder");
            if (version.asInteger() <= kProjectVersion)
                return {};
            return fail(ErrorCode::unsupported,
                        "was written by a newer Sunder: its version is " + std::to_string(version.asInteger())
                            + "; this program reads version " + std::to_string(kProjectVersion),
                        {.file = path(), .member = "sunder"});
        }
        return wrong("is not a Sunder project: it lacks the key \"sunder\"", "sunder");
    }

    /// Visits the members of an object. Members unknown to `takeOne` are added to `extra` unchanged.
    template <typename Take>
    Result<void> members(JsonValue object, const std::string& where, std::string& extra, const Take& takeOne)
    {
        if (!object.is(JsonType::object))
            return wrong("must have an object", where);
        std::unordered_set<std::string_view> seen;
        for (JsonValue key = object.firstItem(); key; key = key.nextMember()) {
            if (!seen.insert(key.text()).second)
                return wrong("has a duplicate key", inside(where, key.text()));
            bool isKnown = true;
            SUNDER_PROPAGATE(takeOne(key.text(), key.memberValue(), isKnown));
            if (isKnown)
                continue;
            key.memberValue().appendRaw(startJsonMember(extra, key.text()));
        }
        closeJsonObject(extra);
        if (where.empty())
            m_seen.insert(seen.begin(), seen.end());
        return {};
    }

    template <typename Take>
    Result<void> items(JsonValue list, const std::string& where, const Take& takeOne) const
    {
        if (!list.is(JsonType::array))
            return wrong("must have a list", where);
        std::size_t at = 0;
        for (JsonValue item = list.firstItem(); item; item = item.nextItem(), ++at) {
            const std::string place = where + "[" + std::to_string(at) + "]";
            if (at == kMaxEntries)
                return wrong("has more than 100,000 entries", place);
            SUNDER_PROPAGATE(takeOne(item, place));
        }
        return {};
    }

    static std::string inside(const std::string& where, std::string_view key)
    {
        return where.empty() ? std::string(key) : where + "." + std::string(key);
    }

    Result<void> text(JsonValue value, const std::string& where, std::string& into, std::size_t longest = kLongestName) const
    {
        if (!value.is(JsonType::string))
            return wrong("must have a string", where);
        if (value.text().size() > longest)
            return wrong("has a string of more than " + std::to_string(longest) + " bytes", where);
        into = value.text();
        return {};
    }

    Result<void> flag(JsonValue value, const std::string& where, bool& into) const
    {
        if (!value.is(JsonType::boolean))
            return wrong("must have true or false", where);
        into = value.asBoolean();
        return {};
    }

    template <typename Number>
    Result<void> number(JsonValue value, const std::string& where, Number least, Number& into) const
    {
        if (!value.is(JsonType::integer) || value.asInteger() < static_cast<std::int64_t>(least)
            || static_cast<std::uint64_t>(value.asInteger()) > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
            return wrong("must have an integer of at least " + std::to_string(least), where);
        into = static_cast<Number>(value.asInteger());
        return {};
    }

    /// Keeps an object unchanged.
    Result<void> object(JsonValue value, const std::string& where, std::string& into) const
    {
        if (!value.is(JsonType::object))
            return wrong("must have an object", where);
        into = value.raw();
        return {};
    }

    Result<void> take(std::string_view key, JsonValue value, ProjectFile& project, bool& isKnown)
    {
        const std::string where(key);
        if (key == "sunder")
            return {};
        if (key == "source")
            return takeSource(value, project.source);
        if (key == "tags")
            return takeTags(value, where, project.tags);
        if (key == "active_tag")
            return takeName(value, where, project.activeTag);
        if (key == "protect_tagged")
            return flag(value, where, project.protectsTagged);
        if (key == "backward_apart")
            return flag(value, where, project.isBackwardApart);
        if (key == "devices")
            return takeDevices(value, project.devices);
        if (key == "sizes")
            return takeSizes(value, project.sizes);
        if (key == "operators")
            return text(value, where, project.operatorsFile);
        if (key == "runs")
            return items(value, where,
                         [&](JsonValue run, const std::string& place) { return takeRun(run, place, project.runs); });
        if (key == "bookmarks")
            return items(value, where, [&](JsonValue bookmark, const std::string& place) {
                return takeBookmark(bookmark, place, project.bookmarks);
            });
        if (key == "notes")
            return items(value, where,
                         [&](JsonValue note, const std::string& place) { return takeNote(note, place, project.notes); });
        if (key == "costs")
            return takeCosts(value, project);
        if (key == "node_data")
            return items(value, where, [&](JsonValue data, const std::string& place) {
                return object(data, place, project.nodeData.emplace_back());
            });
        if (key == "view")
            return object(value, where, project.view);
        if (key == "arrangement")
            return text(value, where, project.arrangement, kLongestArrangement);
        if (key == "lost")
            return items(value, where,
                         [&](JsonValue lost, const std::string& place) { return takeLost(lost, place, project.lost); });
        if (key == "unsaved")
            return takeUnsaved(value, project.unsaved.emplace());
        isKnown = key == "identity" || key == "rules" || key == "figures";
        if (isKnown)
            (key == "rules" ? project.rules : key == "figures" ? project.figures : project.identity) = value.raw();
        return {};
    }

    Result<void> takeSource(JsonValue value, ProjectSource& source)
    {
        std::string unknown;
        return members(value, "source", unknown, [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
            const std::string where = inside("source", key);
            if (key == "relative")
                return text(item, where, source.relative);
            if (key == "absolute")
                return text(item, where, source.absolute);
            if (key == "program")
                return text(item, where, source.program);
            if (key == "content")
                return text(item, where, source.mark.content);
            if (key == "graph")
                return text(item, where, source.mark.graph);
            if (key == "bytes")
                return number<std::uint64_t>(item, where, 0, source.mark.bytes);
            if (key == "nodes")
                return number<std::uint64_t>(item, where, 0, source.mark.nodes);
            isKnown = false;
            return {};
        });
    }

    Result<void> takeName(JsonValue value, const std::string& where, InternedString& into) const
    {
        std::string name;
        Result<void> taken = text(value, where, name);
        if (taken)
            into = intern(name);
        return taken;
    }

    Result<void> takeTags(JsonValue list, const std::string& where, std::vector<ProjectTag>& tags)
    {
        std::unordered_set<InternedString> names;
        std::unordered_set<InternedString> nodes;
        return items(list, where, [&](JsonValue item, const std::string& place) -> Result<void> {
            ProjectTag& tag = tags.emplace_back();
            std::string unknown;
            Result<void> taken = members(item, place, unknown, [&](std::string_view key, JsonValue value, bool& isKnown) {
                return takeTag(key, value, place, tag, nodes, isKnown);
            });
            if (taken && !names.insert(tag.name).second)
                return wrong("has the tag \"" + tag.name.str() + "\" twice", place);
            return taken;
        });
    }

    Result<void> takeTag(std::string_view key, JsonValue value, const std::string& place, ProjectTag& tag,
                         std::unordered_set<InternedString>& nodes, bool& isKnown) const
    {
        const std::string where = inside(place, key);
        if (key == "name")
            return takeName(value, where, tag.name);
        if (key == "hue")
            return number<std::uint32_t>(value, where, 0, tag.hue.emplace());
        if (key == "color")
            return takeColor(value, where, tag.color);
        if (key == "code")
            return text(value, where, tag.code, 16);
        if (key == "chosen")
            return flag(value, where, tag.isHueChosen);
        if (key == "locked")
            return flag(value, where, tag.isLocked);
        if (key == "hidden")
            return flag(value, where, tag.isHidden);
        if (key != "nodes") {
            isKnown = false;
            return {};
        }
        if (!value.is(JsonType::array))
            return wrong("must have a list", where);
        for (JsonValue node = value.firstItem(); node; node = node.nextItem()) {
            const std::string at = where + "[" + std::to_string(tag.nodes.size()) + "]";
            if (!node.is(JsonType::string))
                return wrong("must have a string", at);
            tag.nodes.push_back(intern(node.text()));
            if (!nodes.insert(tag.nodes.back()).second)
                return wrong("assigns two tags to node \"" + tag.nodes.back().str() + '"', at);
        }
        return {};
    }

    Result<void> takeColor(JsonValue value, const std::string& where, std::string& color) const
    {
        SUNDER_PROPAGATE(text(value, where, color));
        if (isHexColor(color))
            return {};
        return wrong("must have a color such as \"#88ccee\"", where);
    }

    Result<void> takeDevices(JsonValue value, std::vector<Device>& devices) const
    {
        Result<std::vector<Device>> read = parseDevicesFile(value.raw(), path(), LinkPairs::some);
        if (!read)
            return wrong("has devices that cannot be read: " + read.error().message,
                         inside("devices", read.error().where.member));
        devices = std::move(*read);
        return {};
    }

    Result<void> takeSizes(JsonValue value, std::vector<AssumedSize>& sizes)
    {
        std::string unknown;
        return members(value, "sizes", unknown, [&](std::string_view key, JsonValue size, bool&) {
            sizes.emplace_back(intern(key), 0);
            return number<std::int64_t>(size, inside("sizes", key), 0, sizes.back().second);
        });
    }

    Result<void> takeRun(JsonValue value, const std::string& place, std::vector<ProjectRun>& runs)
    {
        ProjectRun run;
        std::string unknown;
        Result<void> done = members(value, place, unknown,
                                    [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
                                        const std::string where = inside(place, key);
                                        if (key == "number")
                                            return number<int>(item, where, 1, run.number);
                                        if (key == "pass")
                                            return text(item, where, run.pass);
                                        if (key == "options")
                                            return object(item, where, run.options);
                                        if (key == "name")
                                            return text(item, where, run.name);
                                        if (key == "shown")
                                            return flag(item, where, run.isShown);
                                        if (key == "tags")
                                            return takeTags(item, where, run.tags.emplace());
                                        if (key == "partition")
                                            return takePartition(item, where, run.partition.emplace());
                                        isKnown = false;
                                        return {};
                                    });
        if (done && !m_numbers.insert(run.number).second)
            return wrong("has two runs of number " + std::to_string(run.number), place);
        runs.push_back(std::move(run));
        return done;
    }

    Result<void> takePartition(JsonValue value, const std::string& place, ProjectPartition& partition)
    {
        std::string unknown;
        return members(value, place, unknown, [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
            const std::string where = inside(place, key);
            if (key == "as_2020")
                return flag(item, where, partition.is2020);
            if (key == "as_upstream")
                return flag(item, where, partition.asUpstream);
            isKnown = key == "config";
            if (!isKnown)
                return {};
            Result<PartitionerConfig> config = parsePartitionerConfig(item.raw(), path());
            if (!config)
                return wrong("has a partition that cannot be read: " + config.error().message,
                             inside(where, config.error().where.member));
            partition.config = std::move(*config);
            return {};
        });
    }

    Result<void> takeBookmark(JsonValue value, const std::string& place, std::vector<ProjectBookmark>& bookmarks)
    {
        ProjectBookmark& bookmark = bookmarks.emplace_back();
        std::string unknown;
        return members(value, place, unknown, [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
            if (key == "name")
                return text(item, inside(place, key), bookmark.name);
            if (key == "sight")
                return object(item, inside(place, key), bookmark.sight);
            isKnown = false;
            return {};
        });
    }

    Result<void> takeNote(JsonValue value, const std::string& place, std::vector<ProjectNote>& notes)
    {
        ProjectNote& note = notes.emplace_back();
        std::string unknown;
        Result<void> taken = members(value, place, unknown,
                                     [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
                                         if (key == "node")
                                             return takeName(item, inside(place, key), note.node);
                                         if (key == "text")
                                             return text(item, inside(place, key), note.text);
                                         if (key == "x" || key == "y")
                                             return offset(item, inside(place, key), key == "x" ? note.x : note.y);
                                         isKnown = false;
                                         return {};
                                     });
        if (taken && note.node.empty())
            return wrong("has a note without a node", place);
        if (taken && !m_noted.insert(note.node.view()).second)
            return wrong("has two notes for one node", place);
        return taken;
    }

    Result<void> offset(JsonValue value, const std::string& where, std::int32_t& into) const
    {
        if (!value.is(JsonType::integer) || value.asInteger() < -kFarthestNote || value.asInteger() > kFarthestNote)
            return wrong("must have an integer from -1000000 to 1000000", where);
        into = static_cast<std::int32_t>(value.asInteger());
        return {};
    }

    Result<void> takeCosts(JsonValue value, ProjectFile& project)
    {
        std::string unknown;
        return members(value, "costs", unknown, [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
            isKnown = key == "source" || key == "file";
            if (!isKnown)
                return {};
            return key == "file" ? object(item, "costs.file", project.costs) : text(item, "costs.source", project.costsSource);
        });
    }

    Result<void> takeLost(JsonValue value, const std::string& place, std::vector<ProjectLostTags>& all)
    {
        ProjectLostTags& lost = all.emplace_back();
        std::string unknown;
        return members(value, place, unknown, [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
            if (key == "tags")
                return takeTags(item, inside(place, key), lost.tags);
            isKnown = key == "identity";
            if (isKnown)
                lost.identity = item.raw();
            return {};
        });
    }

    Result<void> takeUnsaved(JsonValue value, UnsavedOrigin& origin)
    {
        std::string unknown;
        return members(value, "unsaved", unknown, [&](std::string_view key, JsonValue item, bool& isKnown) -> Result<void> {
            isKnown = key == "project" || key == "when";
            return isKnown ? text(item, inside("unsaved", key), key == "project" ? origin.project : origin.when) : Result<void>();
        });
    }

    std::unordered_set<std::string_view> m_seen; ///< keys of the file
    std::unordered_set<std::string_view> m_noted; ///< names of nodes with a note
    std::unordered_set<int> m_numbers;           ///< of runs
};

} // namespace

Result<ProjectFile> parseProjectFile(std::string_view text, const std::string& nameForMessages)
{
    JsonTape tape;
    SUNDER_PROPAGATE(JsonFile("project", nameForMessages).parse(tape, text, kMaxProjectDepth));
    return ProjectReader(nameForMessages).read(tape.root());
}

Result<ProjectFile> readProjectFile(const std::string& path)
{
    SUNDER_TRY(const std::string text, readFile(path, kMaxProjectBytes));
    return parseProjectFile(text, path);
}

bool isProjectPath(std::string_view path)
{
    constexpr std::string_view kSuffix = ".sunder";
    return path.size() > kSuffix.size()
        && std::equal(kSuffix.begin(), kSuffix.end(), path.end() - kSuffix.size(),
                      [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

} // namespace sunder
