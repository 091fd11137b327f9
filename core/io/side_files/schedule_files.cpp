#include "io/side_files/schedule_files.h"

#include "support/json_text.h"

#include <array>
#include <string_view>

namespace sunder {
namespace {

constexpr double kMicroseconds = 1e6; ///< per second
constexpr std::array<std::string_view, 3> kLaneNames = {"compute", "send", "receive"};
constexpr std::uint32_t kCompute = 0;
constexpr std::uint32_t kSend = 1;
constexpr std::uint32_t kReceive = 2;

std::string_view categoryOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::forward: return "forward";
    case ActionKind::backward: return "backward";
    case ActionKind::inputGradient: return "input gradient";
    case ActionKind::weightGradient: break;
    }
    return "weight gradient";
}

/// The events of a trace, a line each.
class TraceText {
public:
    /// `lane`: thread of the process.
    void begin(std::string_view phase, std::string_view name, std::size_t rank, std::uint32_t lane)
    {
        m_text += m_text.empty() ? "" : "},\n";
        m_text += R"({"ph":")";
        m_text += phase;
        m_text += R"(","name":)";
        appendJsonString(m_text, name);
        m_text += ",\"pid\":" + std::to_string(rank) + ",\"tid\":" + std::to_string(lane);
    }

    void seconds(std::string_view key, double value)
    {
        addKey(key);
        appendJsonFloat(m_text, value * kMicroseconds);
    }

    void text(std::string_view key, std::string_view value)
    {
        addKey(key);
        appendJsonString(m_text, value);
    }

    void number(std::string_view key, std::uint64_t value)
    {
        addKey(key);
        m_text += std::to_string(value);
    }

    void beginArguments()
    {
        addKey("args");
        m_text += '{';
    }
    void endArguments() { m_text += '}'; }

    [[nodiscard]] std::string take()
    {
        return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + m_text + (m_text.empty() ? "" : "}") + "\n]}\n";
    }

private:
    void addKey(std::string_view key)
    {
        m_text += m_text.back() == '{' ? "\"" : ",\"";
        m_text += key;
        m_text += "\":";
    }

    std::string m_text;
};

void addNames(std::size_t rank, std::string_view device, TraceText& trace)
{
    trace.begin("M", "process_name", rank, kCompute);
    trace.beginArguments();
    trace.text("name", "rank " + std::to_string(rank) + (device.empty() ? "" : ": " + std::string(device)));
    trace.endArguments();
    trace.begin("M", "process_sort_index", rank, kCompute);
    trace.beginArguments();
    trace.number("sort_index", rank);
    trace.endArguments();
    for (std::uint32_t lane = 0; lane < kLaneNames.size(); ++lane) {
        trace.begin("M", "thread_name", rank, lane);
        trace.beginArguments();
        trace.text("name", kLaneNames[lane]);
        trace.endArguments();
    }
}

void addTimes(double start, double end, TraceText& trace)
{
    trace.seconds("ts", start);
    trace.seconds("dur", end - start);
}

void addAction(std::size_t rank, const TimedAction& timed, TraceText& trace)
{
    trace.begin("X", describe(timed.action), rank, kCompute);
    trace.text("cat", categoryOf(timed.action.kind));
    addTimes(timed.start, timed.end, trace);
    trace.beginArguments();
    trace.number("stage", timed.action.stage);
    trace.number("micro_batch", timed.action.microBatch);
    trace.endArguments();
}

void addTransfer(const PipelineOrder& order, const TimedTransfer& transfer, std::size_t id, TraceText& trace)
{
    const std::string name = std::to_string(transfer.from) + "→" + std::to_string(transfer.to)
        + (transfer.isGradient() ? " gradient " : " value ") + std::to_string(transfer.microBatch);
    for (const std::uint32_t lane : {kSend, kReceive}) {
        const bool isSend = lane == kSend;
        const std::size_t rank = order.rankOf[isSend ? transfer.from : transfer.to];
        trace.begin("X", name, rank, lane);
        trace.text("cat", "transfer");
        addTimes(transfer.start, transfer.end, trace);
        trace.beginArguments();
        trace.number("micro_batch", transfer.microBatch);
        trace.endArguments();
        trace.begin(isSend ? "s" : "f", "transfer", rank, lane);
        trace.text("cat", "transfer");
        trace.number("id", id);
        trace.seconds("ts", isSend ? transfer.start : (transfer.start + transfer.end) / 2);
        if (!isSend)
            trace.text("bp", "e");
    }
}

} // namespace

std::string scheduleCsv(const PipelineOrder& order)
{
    std::string text;
    for (const std::vector<PipelineAction>& actions : order.ranks) {
        bool isFirst = true;
        for (const std::string& action : actionTexts(actions)) {
            text += isFirst ? "" : ",";
            text += action;
            isFirst = false;
        }
        text += '\n';
    }
    return text;
}

std::string scheduleTrace(const PipelineOrder& order, const Timetable& times, std::span<const std::string> names)
{
    TraceText trace;
    for (std::size_t rank = 0; rank < times.actions.size(); ++rank) {
        addNames(rank, rank < names.size() ? names[rank] : std::string(), trace);
        for (const TimedAction& timed : times.actions[rank])
            addAction(rank, timed, trace);
        for (const MemoryAt& at : times.memory[rank]) {
            trace.begin("C", "memory", rank, kCompute);
            trace.seconds("ts", at.time);
            trace.beginArguments();
            trace.number("bytes", at.bytes);
            trace.endArguments();
        }
    }
    for (std::size_t id = 0; id < times.transfers.size(); ++id)
        addTransfer(order, times.transfers[id], id + 1, trace);
    return trace.take();
}

} // namespace sunder
