#pragma once

#include "io/sympy/size_assumptions.h"
#include "ir/argument.h"
#include "ir/tree_spec.h"
#include "support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A value that enters, leaves, or passes between parts, named by its producer in the source.
struct ManifestValue {
    std::string name;
    std::optional<Argument> val = {}; ///< a tensor, a symbolic number, or a literal, if known
    std::string example = {}; ///< of a part's input: origin of its example; empty if there is none
    std::optional<Argument> literal = {}; ///< constant value of an input that is not a tensor: none, a number, or a text
    /// For an output of a joint forward and backward program: "loss" or "gradient", and for a gradient the name of its parameter
    /// or input.
    std::string kind = {};
    std::string of = {};
};

/// An output of the whole model: a value, or a literal that no part produces.
struct ManifestOutput {
    ManifestValue value = {};
    std::optional<Argument> literal = {}; ///< none, boolean, integer, floating, or string
};

/// Weights with shared storage that have several names or are in several parts.
struct ManifestTie {
    std::vector<std::string> names; ///< in source order
    std::vector<std::string> parts; ///< names of the parts that contain one of them
};

/// An operator that `import torch` does not register.
struct ManifestOperator {
    std::string name; ///< as in schemas: "mylib::scale"
    std::string module = {}; ///< module of PyTorch that registers it; empty: not an operator of PyTorch
    bool operator==(const ManifestOperator&) const = default;
};

struct ManifestPart {
    std::string name; ///< its tag
    std::vector<std::int64_t> devices = {}; ///< logical ids of its devices; empty if none were assigned
    std::string file; ///< relative to the manifest, with "/"
    std::string sha256 = {}; ///< of that file; empty if unknown
    std::string weights = {}; ///< separate archive with its weights; empty if they are in the file, or it has none
    std::string weightsSha256 = {};
    std::vector<ManifestValue> inputs;
    std::vector<ManifestValue> outputs;
    std::vector<ManifestOperator> operators = {}; ///< must be registered before loading; sorted
    std::vector<std::string> writes = {}; ///< names of the model inputs whose tensors it mutates
    std::vector<std::string> notes = {}; ///< notes for users of the part
    std::string backwardOf = {}; ///< name of the part whose backward pass this is; empty: none
};

/// Contents of manifest.json: how the parts of a model form the whole. Parts are in call order.
struct PartManifest {
    std::string sourceFile; ///< file name of the source
    std::string sha256; ///< of the source when it was read; empty if unknown
    std::string model; ///< name of the program in its archive; empty if it has none
    std::vector<AssumedSize> assumed = {}; ///< values of symbolic dimensions for all sizes and hints
    std::vector<ManifestValue> inputs;
    std::vector<ManifestOutput> outputs;
    std::vector<ManifestPart> parts;
    StoredTreeSpec inSpec = {}; ///< how arguments map to `inputs`; empty if unknown
    StoredTreeSpec outSpec = {}; ///< how `outputs` form the result; empty if unknown
    std::vector<std::string> argNames = {}; ///< parameter names of the model, used in guards; empty if unknown
    std::vector<std::string> guards = {}; ///< conditions on inputs in PyTorch's syntax: "L['x'].size()[0] % 2 == 0"
    std::vector<ManifestTie> tied = {};
    std::string runner = {}; ///< name of the file that runs the parts; empty if there is none
};

/// Returns the manifest as JSON, format "sunder-parts" version 1.
std::string manifestJson(const PartManifest& manifest);

} // namespace sunder
