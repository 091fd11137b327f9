#pragma once

#include "test_support.h"

#include <string_view>

namespace sunder::test {

/// Returns a program of programFromText() in which nodes whose names begin with one of these letters have tensor values.
inline Program programWithTensors(const char* text, std::string_view letters)
{
    Program program = programFromText(text);
    for (const NodeId id : program.rootGraph().order())
        if (letters.find(program.rootGraph()[id].name.view().front()) != std::string_view::npos)
            program.rootGraph().meta(id).outType = intern("torch.Tensor");
    return program;
}

} // namespace sunder::test
