#include "io/side_files/alignment_report.h"

#include "support/file.h"

#include <ranges>

namespace sunder {
namespace {

/// Writes the members of ops. The report must outlive it.
class AlignedOps {
public:
    AlignedOps(const AlignmentReport& report, JsonWriter& json) : m_report(report), m_json(json) {}

    void write(const AlignedCall& call, const CarriedTag& tag) const
    {
        writePlace(m_report.now, call.node);
        m_json.member("match", name(call.kind));
        if (call.old != AlignedCall::kNone)
            m_json.member("old", oldName(call.old));
        writeTag("tag", tag.tag);
        if (call.kind == MatchKind::identity)
            return;
        if (!call.others.empty()) {
            m_json.key("others");
            m_json.list(call.others, [this](std::uint32_t other) { m_json.value(oldName(other)); });
        }
        writeFlag("has_more", call.hasMore);
        writeFlag("may_be_new", call.mayBeNew);
        writeFlag("either_way", tag.isEitherWay);
        writeTag("suggestion", tag.suggestion);
        m_json.member("why", reasonOf(m_report.old, call, tag));
    }

    /// Writes an old op without a match.
    void writeLost(std::uint32_t node) const
    {
        writePlace(m_report.old, node);
        writeTag("tag", m_report.oldTags[node]);
    }

private:
    [[nodiscard]] std::string_view oldName(std::uint32_t node) const { return m_report.old.nodes[node].name.view(); }
    void writeFlag(std::string_view key, bool is) const
    {
        if (is)
            m_json.member(key, true);
    }
    void writeTag(std::string_view key, std::int32_t tag) const
    {
        if (tag >= 0)
            m_json.member(key, m_report.order[static_cast<std::size_t>(tag)].view());
    }
    void writePlace(const GraphIdentity& identity, std::uint32_t node) const
    {
        const NodeIdentity& it = identity.nodes[node];
        m_json.member("node", it.name.view());
        m_json.member("module", identity.modules[it.module].path.view());
        if (const std::uint32_t call = identity.modules[it.module].call; call > 0)
            m_json.member("call", call);
        m_json.member("target", it.target.view());
    }

    const AlignmentReport& m_report;
    JsonWriter& m_json;
};

} // namespace

void writeMatchCounts(const AlignmentReport& report, JsonWriter& json)
{
    json.key("counts");
    json.object([&] {
        for (std::size_t kind = 0; kind < kMatchKinds; ++kind)
            json.member(name(static_cast<MatchKind>(kind)), report.carried.counts[kind]);
        json.member("lost", report.alignment.lost.size());
        json.member("untagged", report.carried.untagged);
    });
}

Result<void> writeAlignmentReport(const AlignmentReport& report, const std::string& path)
{
    constexpr std::size_t kLineDepth = 2;
    JsonWriter json(kLineDepth);
    const AlignedOps ops(report, json);
    json.object([&] {
        writeMatchCounts(report, json);
        json.key("calls");
        json.list(std::views::iota(std::size_t{0}, report.alignment.calls.size()),
                  [&](std::size_t i) { json.object([&] { ops.write(report.alignment.calls[i], report.carried.calls[i]); }); });
        json.key("lost");
        json.list(report.alignment.lost, [&](std::uint32_t node) { json.object([&] { ops.writeLost(node); }); });
    });
    return writeFileAtomically(path, json.take());
}

} // namespace sunder
