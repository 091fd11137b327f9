#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <ostream>
#include <string>
#include <vector>

namespace sunder {

struct PythonOptions {
    bool returnTuple = false; ///< split() makes parts of one result return a tuple of one, unless it is told otherwise
};

/// Writes a program as Python: a class per graph module, whose forward() is the code as torch.fx prints it, with modules,
/// parameters and buffers under their names (empty; their data stays in the model file). `arguments(program, …)` gives
/// forward() of an exported program what it takes: the weights that were lifted out, then the inputs; `run(model, program,
/// …)` takes and gives what program.module() does. Modules that fx does not look into cannot be written; `take(model, original)` puts them, and all tensors, in from another module.
///
/// A program whose nodes carry tags also gets ORDER, TAGS and `split(graph_module)`, which applies torch.fx's
/// split_by_tags to the same graph in PyTorch; started as a script with a .pt2, the file prints that split.
///
/// Names and texts of the program stand in it as Python names and literals and as nothing else, and reading the file runs
/// none of them: only PyTorch and a few modules of Python are imported, annotations are not evaluated. Other packages that
/// the graph calls are imported when a Model is made. What Python cannot say, and functions that run code or reach the
/// system, are renamed or left out; notes, which are given back and stand at the top of the file, say so.
///
/// Refuses, naming both, when the code of two graphs calls different things by one name, and values that are nested deeper
/// than Python reads. O(size of the text).
Result<std::vector<std::string>> writePython(const Program& program, std::ostream& out, const PythonOptions& options = {});

/// The same to a file, which appears whole or not at all.
Result<std::vector<std::string>> writePython(const Program& program, const std::string& path);

} // namespace sunder
