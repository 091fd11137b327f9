#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <ostream>
#include <string>
#include <vector>

namespace sunder {

struct PythonOptions {
    bool returnTuple = false; ///< default of split(): parts with one result return a one-element tuple
};

/// Writes a program as Python.
///
/// Each graph module becomes a class whose forward() is the code printed by torch.fx, with modules, parameters, and buffers under
/// their names. Tensors are empty; their data stays in the model file. `arguments(program, …)` returns the arguments for
/// forward() of an exported program: the lifted weights, then the inputs. `run(model, program, …)` has the inputs and outputs of
/// program.module(). Modules that fx does not trace into cannot be written; `take(model, original)` copies them and all tensors
/// from another module.
///
/// If nodes have tags, the file also contains ORDER, TAGS, and `split(graph_module)`, which applies torch.fx's split_by_tags to
/// the same graph in PyTorch. When run as a script with a .pt2 file, it prints that split.
///
/// Names and texts of the program appear only as Python names and literals, and importing the file runs none of them: it imports
/// only PyTorch and some modules of Python, and annotations are not evaluated. Other packages that the graph calls are imported
/// when a Model is created. Constructs that Python cannot express, and functions that run code or access the system, are renamed
/// or omitted; the returned notes, which are also at the top of the file, list them.
///
/// Refused if two graphs use one name for different functions, naming both, or if values are nested too deeply for Python. O(size
/// of the text).
Result<std::vector<std::string>> writePython(const Program& program, std::ostream& out, const PythonOptions& options = {});

/// The same to a file, which is replaced atomically.
Result<std::vector<std::string>> writePython(const Program& program, const std::string& path);

} // namespace sunder
