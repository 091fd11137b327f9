#pragma once

#include <QByteArray>

namespace sunder::test {

/// x → a → b → c, a → c.
inline const QByteArray kSkipModel = R"({"k":"fx-json","v":[1,0],"min":[1,0]}
{"k":"graph","id":"g0","module":""}
{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[]}
{"k":"node","g":"g0","name":"a","op":"call_function","target":"torch.relu","args":[{"n":"x"}],"kwargs":[]}
{"k":"node","g":"g0","name":"b","op":"call_function","target":"torch.tanh","args":[{"n":"a"}],"kwargs":[]}
{"k":"node","g":"g0","name":"c","op":"call_function","target":"_operator.add","args":[{"n":"a"},{"n":"b"}],"kwargs":[]}
{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{"n":"c"}],"kwargs":[]}
{"k":"end","nodes":5}
)";

} // namespace sunder::test
