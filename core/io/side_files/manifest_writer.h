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

/// A value that passes into, out of or between parts: the node of the whole that makes it.
struct ManifestValue {
    std::string name;
    std::optional<Argument> val = {}; ///< what is known of it: a tensor, a symbolic number, a literal
    std::string example = {}; ///< of a part's input: where its example comes from; empty when there is none
    std::optional<Argument> literal = {}; ///< of an input that is no tensor and always this: none, a number, a text
    /// Of an output of a joint forward and backward program: "loss" or "gradient"; and of what it is the gradient: the name of a
    /// parameter or an input.
    std::string kind = {};
    std::string of = {};
};

/// An output of the whole: a value, or a literal that no part makes.
struct ManifestOutput {
    ManifestValue value = {};
    std::optional<Argument> literal = {}; ///< none, boolean, integer, floating or string
};

/// Weights of one memory that have several names, or that several parts hold.
struct ManifestTie {
    std::vector<std::string> names; ///< in the source, in its order
    std::vector<std::string> parts; ///< names of the parts that hold one of them
};

/// An operator that `import torch` does not register.
struct ManifestOperator {
    std::string name; ///< as schemas say: "mylib::scale"
    std::string module = {}; ///< of PyTorch, which registers it; empty: the operator is not PyTorch's
    bool operator==(const ManifestOperator&) const = default;
};

struct ManifestPart {
    std::string name; ///< its tag
    std::vector<std::int64_t> devices = {}; ///< logical ids of those that it is for; empty where none were assigned
    std::string file; ///< relative to the manifest, with "/"
    std::string sha256 = {}; ///< of that file; empty when unknown
    std::string weights = {}; ///< the archive beside it that its weights lie in; empty when they lie in the file, or it has none
    std::string weightsSha256 = {};
    std::vector<ManifestValue> inputs;
    std::vector<ManifestValue> outputs;
    std::vector<ManifestOperator> operators = {}; ///< that have to be registered before it is loaded; sorted
    std::vector<std::string> writes = {}; ///< names of the inputs of the whole whose tensors it changes
    std::vector<std::string> notes = {}; ///< what whoever runs it should know
    std::string backwardOf = {}; ///< name of the part whose backward calls these are; empty: none
};

/// What manifest.json says: how the parts of a model put together make the whole. Parts in call order.
struct PartManifest {
    std::string sourceFile; ///< name of the source's file
    std::string sha256; ///< of that file as it was read; empty when unknown
    std::string model; ///< name of the program in its archive; empty when it has none
    std::vector<AssumedSize> assumed = {}; ///< what symbols of sizes are for all bytes and hints here
    std::vector<ManifestValue> inputs;
    std::vector<ManifestOutput> outputs;
    std::vector<ManifestPart> parts;
    StoredTreeSpec inSpec = {}; ///< how arguments and keyword arguments are taken apart into `inputs`; empty when unknown
    StoredTreeSpec outSpec = {}; ///< how `outputs` are put together; empty when unknown
    std::vector<std::string> argNames = {}; ///< names of the model's parameters, used in guards; empty when unknown
    std::vector<std::string> guards = {}; ///< conditions on inputs, as PyTorch writes them: "L['x'].size()[0] % 2 == 0"
    std::vector<ManifestTie> tied = {};
    std::string runner = {}; ///< name of the file beside it that runs the parts; empty when there is none
};

/// The manifest as JSON, format "sunder-parts" version 1.
std::string manifestJson(const PartManifest& manifest);

} // namespace sunder
