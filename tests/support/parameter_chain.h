#pragma once

#include "test_support.h"

namespace sunder::test {

/// Adds a float32 tensor of `size` elements, 4 bytes each.
inline void addTensor(Program& program, const char* fqn, std::int64_t size)
{
    TensorEntry entry{.fqn = intern(fqn), .persistent = true};
    entry.meta.dtype = intern("float32");
    entry.meta.shape = {Argument::integer(size)};
    program.tensors.add(std::move(entry));
}

/// x → a (reads w of 400 bytes) → b → c (reads w and v of 80 bytes) → d
inline Program parameterChain()
{
    Program made = programFromText(R"(
        x = placeholder() : 10
        w = get_attr[m.w]()
        v = get_attr[m.v]()
        a = mul(x, w) : 10
        b = relu(a) : 10
        c = add(b, w, v) : 10
        d = relu(c) : 5
        out = output(d))");
    made.modules.ensure("m");
    addTensor(made, "m.w", 100);
    addTensor(made, "m.v", 20);
    return made;
}

} // namespace sunder::test
