#pragma once

#include "fingerprint.h"
#include "ir/structural_hash.h"

#include <memory>
#include <unordered_map>

namespace sunder::fuzz {

/// Runs a program on numbers that represent tensors.
class Interpreter {
public:
    Interpreter(const Program& program, const Givens& givens) : m_program(program), m_givens(givens) {}
    /// The initial contents of a tensor, independent of its memory.
    static std::uint64_t contentOf(const Program& program, TensorId tensor);
    std::optional<Fingerprint> run();

private:
    using Hash = std::uint64_t;
    /// A view: the steps from the whole memory of a cell to it.
    struct Tensor {
        std::uint32_t cell = 0;
        std::vector<Hash> path;
        bool requiresGrad = false; ///< independently of its memory
    };
    struct Cell {
        Hash content = 0;
        bool requiresGrad = false; ///< through values written to it
        std::optional<std::pair<std::vector<Hash>, Hash>> overwritten = {}; ///< last overwrite: the view, and its contents since
        Hash first = content;
        std::vector<std::pair<std::vector<Hash>, Hash>> writes = {}; ///< partial writes: the view, and the contents before
        bool isCopy = false; ///< a copy of contents that the other program holds in another memory
    };
    struct Value {
        enum class Kind : std::uint8_t { scalar, tensor, container, graph } kind = Kind::scalar;
        Hash hash = 0; ///< of a scalar, or of the kind and keys of a container
        Tensor tensor = {};
        std::shared_ptr<const std::vector<Value>> items = {};
        Arguments keys = {}; ///< of a dict
        GraphId graph = {};
        ModuleId module = {};
    };
    struct Frame {
        GraphId graph;
        ModuleId module;
        std::vector<Value> values;
        int depth = 0;
    };
    struct Call {
        std::vector<Value> args;
        std::vector<std::pair<InternedString, Value>> kwargs;
    };

    // interpreter.cpp
    Value runGraph(GraphId graph, ModuleId module, const std::vector<Value>& inputs, int depth);
    Value runNode(Frame& frame, const Node& node);
    Value attribute(Frame& frame, const Node& node);
    Value callModule(Frame& frame, const Node& node, const Call& call);
    Value leafModule(ModuleId module, const Call& call, bool inPlace);
    Value tensorOf(TensorId id);
    std::vector<Value> inputs();
    void collectOutputs(const Value& output, Fingerprint& result);
    std::optional<Tensor> mutated(const OutputSpec& output);
    void collectLeaves(const Value& value, std::vector<Hash>& leaves);
    void collectMemory(Fingerprint& result);
    Value valueOf(Frame& frame, const Argument& argument);
    Hash read(const Value& value);
    Hash readTensor(const Tensor& tensor);
    Value fresh(Hash content, bool requiresGrad);
    Value tuple(std::vector<Value> items);
    Value unknown();
    bool requiresGrad(const Value& value);
    bool requiresGrad(const Call& call);

    // interpreter_calls.cpp
    Value callFunction(Frame& frame, const Node& node, const Call& call);
    std::optional<Value> state(std::string_view name, const Call& call);
    std::optional<Value> higherOrder(Frame& frame, std::string_view name, const Call& call);
    std::optional<Value> view(std::string_view name, const Call& call);
    Value getItem(const Call& call);
    Value tree(std::string_view name, const Call& call);
    Value write(std::string_view name, const Call& call);
    void write(const Tensor& to, Hash content, bool requiresGrad);
    Value plain(Hash target, const Call& call);
    Hash argumentsOf(const Call& call);
    Hash stateOf(bool gradient) const;

    const Program& m_program;
    const Givens& m_givens;
    std::vector<Cell> m_cells;
    std::vector<std::uint32_t> m_inputCells;
    std::unordered_map<InternedString, std::uint32_t> m_storages;
    std::unordered_map<ModuleId, std::size_t> m_calls;
    std::vector<Hash> m_assertions;
    std::vector<Hash> m_saved; ///< autocast state before each entered region
    Hash m_autocast = 0;
    Hash m_gradMode = 0;
    Hash m_random = 1;
    Hash m_effects = 1;
    std::uint64_t m_steps = 0;
    bool m_unknown = false;
};

/// Mixes a number into a hash; the order matters.
inline std::uint64_t stir(std::uint64_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    hash = (hash ^ (hash >> 32U)) * 0xD6E8FEB86659FD93ULL;
    return hash ^ (hash >> 29U);
}

/// Values that are equal by operator== have equal hashes.
inline std::uint64_t hashOf(const Argument& value)
{
    return StructuralHash().of(value);
}

inline std::uint64_t numberOf(InternedString text)
{
    return stir(0x51ULL, text.id());
}

} // namespace sunder::fuzz
