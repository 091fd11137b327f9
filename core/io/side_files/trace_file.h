#pragma once

#include "analysis/cost/node_seconds.h"
#include "io/json/json_file.h"
#include "support/json_tape.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// Seconds per node from a Chrome trace.
struct TraceSeconds {
    std::vector<std::optional<double>> nodes; ///< per NodeId of the root graph
    std::string device; ///< as stated by sunder.profile(); empty: unknown
    TraceMatch match;
};

/// Returns whether a JSON text is a Chrome trace: a list of events, or an object with "traceEvents".
bool isTrace(JsonValue root);

/// Reads the seconds of calls from a Chrome trace. A trace of sunder.profile() has an event per run of a node, by its name. In other
/// traces, of torch.profiler, an event is matched with the calls of its operator that have the same input shapes and data types, in
/// order; 0-dimensional inputs are ignored, because numbers in the arguments of a call appear as such. An event inside a matched event
/// belongs to that one. If each call has the same number of events, the model was run that often, and the median is taken. The
/// duration is that of the kernels launched by the event, if the trace has any, else that of the event. Refused: names in a trace of
/// sunder.profile() that are not nodes. O(events × log events).
Result<TraceSeconds> secondsOfTrace(const Program& program, JsonValue root, const JsonFile& file);

} // namespace sunder
