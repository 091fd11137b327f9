#pragma once

#include "ir/program.h"
#include "ir/tensor_table.h"
#include "passes/unflatten/outline.h"
#include "support/flat_map.h"
#include "support/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sunder {

/// The tensors and objects of a flat program, with their aliases, names, and writes.
class FlatTensors {
public:
    /// Refuses a constant that no input of the program represents. `asUpstream`: no memory counts as written. Linear, plus
    /// comparisons of tensors that share a storage.
    static Result<FlatTensors> of(const Program& program, bool asUpstream);

    /// Returns the key of a tensor, equal for those that PyTorch treats as one: same storage, offset, shape and stride.
    [[nodiscard]] std::uint32_t keyOf(TensorId id) const { return m_keyOf[m_tensors->object(id).index()]; }
    /// Returns an upper bound of all keys.
    [[nodiscard]] std::size_t keyBound() const { return m_keyOf.size(); }
    /// Returns whether the memory of a tensor may be written.
    [[nodiscard]] bool isWritten(TensorId id) const;

    /// Returns the number of a placeholder's tensor or object, equal for placeholders of one tensor; null for other inputs.
    [[nodiscard]] const std::uint32_t* numberOf(InternedString placeholder) const { return m_numberOf.find(placeholder); }
    /// Returns the preferred name in the module at a path or its descendants; empty if there is none.
    [[nodiscard]] InternedString nameBelow(std::string_view path, std::uint32_t number) const;

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Name {
        InternedString name;
        std::uint32_t next; ///< the next name of the same tensor
    };
    struct Tensor {
        std::uint32_t first = kNone; ///< index into m_names: the name in the signature comes first, then constants, then others
        std::uint32_t last = kNone;
    };

    explicit FlatTensors(const TensorTable& tensors) : m_tensors(&tensors) {}
    void findKeys();
    Result<void> findNames(const ExportSignature& signature);
    void add(std::uint32_t number, InternedString name);

    const TensorTable* m_tensors;
    std::vector<std::uint32_t> m_keyOf; ///< per tensor object
    std::vector<char> m_written;        ///< per storage
    std::vector<Name> m_names;
    std::vector<Tensor> m_byNumber;
    FlatMap<std::uint32_t> m_numberOf;
};

/// True for tensors outside the state dict: constants and non-persistent buffers.
bool isConstant(const TensorEntry& entry, const TensorTable& tensors);

/// Which tensors of a program become one object in the unflattened program, and their positions. As in PyTorch, parameters with
/// equal storage, offset, shape and stride become one, and so do such buffers of the state dict. Other tensors that share memory
/// are separated.
struct TensorGroups {
    struct Group {
        TensorId source;     ///< the first tensor of the group; invalid for a new attribute
        bool copied = true;  ///< PyTorch gives it its own memory
        bool shares = false; ///< it overlaps another group in a written memory, and keeps sharing it
        bool isParameter = false; ///< a parameter occupies exactly the same memory
        NodeId value = {};   ///< of the flat graph: the value of a new attribute
    };
    std::vector<Group> groups;
};

/// Assigns every tensor of the program to the modules that its name leads to, including all their calls. Linear, except that
/// modules called several times get every tensor once per call. Tensors that overlap in written memory keep sharing it; torch
/// would separate them.
TensorGroups assignTensors(const Program& flat, const FlatTensors& tensors, Outline& outline);

} // namespace sunder
