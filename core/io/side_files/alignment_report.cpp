#include "io/side_files/alignment_report.h"

#include "support/file.h"
#include "support/json_text.h"

namespace sunder {
namespace {

class AlignmentReportText {
public:
    explicit AlignmentReportText(const AlignmentReport& report) : m_report(report) {}

    std::string text()
    {
        m_out = "{\"counts\":{";
        for (std::size_t kind = 0; kind < kMatchKinds; ++kind)
            count(name(static_cast<MatchKind>(kind)), m_report.carried.counts[kind]);
        count("lost", m_report.alignment.lost.size());
        count("untagged", m_report.carried.untagged);
        m_out += "},\n\"calls\":[";
        for (std::size_t i = 0; i < m_report.alignment.calls.size(); ++i) {
            m_out += i == 0 ? "\n{" : ",\n{";
            add(m_report.alignment.calls[i], m_report.carried.calls[i]);
            m_out += '}';
        }
        m_out += "],\n\"lost\":[";
        for (const std::uint32_t node : m_report.alignment.lost) {
            m_out += m_out.back() == '[' ? "\n{" : ",\n{";
            addPlace(m_report.old, node);
            addTag("tag", m_report.oldTags[node]);
            m_out += '}';
        }
        return std::move(m_out) + "]}\n";
    }

private:
    void key(std::string_view key)
    {
        m_out += m_out.back() == '{' ? "" : ",";
        appendJsonString(m_out, key);
        m_out += ':';
    }
    void count(std::string_view what, std::size_t number)
    {
        key(what);
        appendJsonInteger(m_out, static_cast<std::int64_t>(number));
    }
    void member(std::string_view what, std::string_view text)
    {
        key(what);
        appendJsonString(m_out, text);
    }
    void flag(std::string_view what, bool is)
    {
        if (is) {
            key(what);
            m_out += "true";
        }
    }
    void addTag(std::string_view what, std::int32_t tag)
    {
        if (tag >= 0)
            member(what, m_report.order[static_cast<std::size_t>(tag)].view());
    }
    void addPlace(const GraphIdentity& identity, std::uint32_t node)
    {
        const NodeIdentity& it = identity.nodes[node];
        member("node", it.name.view());
        member("module", identity.modules[it.module].path.view());
        if (const std::uint32_t call = identity.modules[it.module].call; call > 0)
            count("call", call);
        member("target", it.target.view());
    }
    void add(const AlignedCall& call, const CarriedTag& tag)
    {
        addPlace(m_report.now, call.node);
        member("match", name(call.kind));
        if (call.old != AlignedCall::kNone)
            member("old", m_report.old.nodes[call.old].name.view());
        addTag("tag", tag.tag);
        if (call.kind == MatchKind::identity)
            return;
        if (!call.others.empty()) {
            key("others");
            m_out += '[';
            for (const std::uint32_t other : call.others) {
                m_out += m_out.back() == '[' ? "" : ",";
                appendJsonString(m_out, m_report.old.nodes[other].name.view());
            }
            m_out += ']';
        }
        flag("has_more", call.hasMore);
        flag("may_be_new", call.mayBeNew);
        flag("either_way", tag.isEitherWay);
        addTag("suggestion", tag.suggestion);
        member("why", reasonOf(m_report.old, call, tag));
    }

    const AlignmentReport& m_report;
    std::string m_out;
};

} // namespace

std::string alignmentReportJson(const AlignmentReport& report)
{
    return AlignmentReportText(report).text();
}

Result<void> writeAlignmentReport(const AlignmentReport& report, const std::string& path)
{
    return writeFileAtomically(path, alignmentReportJson(report));
}

} // namespace sunder
