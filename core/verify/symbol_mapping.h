#pragma once

#include "ir/program.h"
#include "support/interned_string.h"
#include "support/progress_monitor.h"
#include "verify/term_table.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// An index of the names of one program, for look-up by names of another. A name matches itself, itself without the path of a
/// part ("part0.lin.weight" for "lin.weight"), or such a name with "_" for "." if the match is unique.
class NameIndex {
public:
    void add(InternedString name, std::uint32_t value);
    /// Returns the value for `name`; nothing if there is none, if it is ambiguous, or if it is nested in more than 64 parts.
    /// O(length × parts).
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;

private:
    static constexpr std::uint32_t kSeveral = 0xffffffffU;
    static std::string flat(std::string_view name);

    std::unordered_map<std::string_view, std::uint32_t> m_names;
    std::unordered_map<std::string, std::uint32_t> m_flatNames;
};

/// One of the two programs.
enum class Side : std::uint8_t { a, b };

/// The meaning of a placeholder of a root graph.
struct InputSlot {
    enum class Kind : std::uint8_t { user, tensor, object, token } kind = Kind::user;
    std::uint32_t index = 0; ///< number of the user input or token
    InternedString fqn = {}; ///< of tensors and objects
};

/// A tensor whose strides, offset, or memory differ between the two programs.
struct LayoutMismatch {
    InternedString fqn;
    std::array<TermId, 2> places; ///< places in the first and the second program
    bool sameStrides = false;
};

/// The properties that distinguish tensors of two programs.
struct Matching {
    bool sharedStorages = false; ///< equal storage ids denote the same memory, as in a program and a pass's result
    bool layouts = true;   ///< offsets and strides are visible, so tensors with different layouts are distinct
    bool gradients = true; ///< tensors that differ in requires_grad are distinct; otherwise both may require gradients
};

/// Whether the file states the storage of each tensor, or there is at most one tensor. O(tensors).
bool hasKnownStorages(const TensorTable& tensors);

/// Returns, by graph, the module whose attributes the graph reads. The graphs of a dispatcher read the attributes of the
/// dispatcher. O(modules).
std::vector<ModuleId> readersOfGraphs(const Program& program);

/// Maps the inputs, tensors, leaf modules, and symbols of two programs to terms that are equal for corresponding things.
///
/// - Inputs correspond by position.
/// - Parameters, buffers, and constants correspond by name, after removal of part prefixes, or by storage if the programs share
///   storage ids. A tensor with a storage that the first program does not have is a copy: it corresponds by name as long as
///   neither tensor is written to.
/// - Leaf modules correspond by class and path.
/// - Symbols correspond by the input dimension that they denote.
class SymbolMapping {
public:
    /// Matches the programs, which must outlive the mapping, like `terms`. Fails with ErrorCode::cancelled.
    static Result<SymbolMapping> of(const Program& a, const Program& b, const Matching& matching, TermTable& terms,
                                    ProgressMonitor& monitor = ProgressMonitor::none());

    /// Whether the program's signature is used. It is not if the other program is the raw graph of this one: without a signature,
    /// and with a placeholder for every parameter.
    [[nodiscard]] bool usesSignature(Side side) const { return m_usesSignature[index(side)]; }
    /// Returns one slot per placeholder of the root graph, in order.
    [[nodiscard]] const std::vector<InputSlot>& inputs(Side side) const { return m_inputs[index(side)]; }

    /// Returns the place of a tensor; corresponding tensors have equal places.
    [[nodiscard]] TermId tensor(Side side, TensorId id) const;
    /// Returns the number of the tensor's storage; corresponding storages have equal numbers.
    [[nodiscard]] std::uint32_t storage(Side side, TensorId id) const;
    /// Whether a storage of the first program corresponds to several in the second. Their contents are equal only until one of
    /// them is written to.
    [[nodiscard]] bool isSplit(std::uint32_t storage) const { return m_splitStorages.contains(storage); }
    /// Whether the file states which tensors of the program share memory. If not, any of them may.
    [[nodiscard]] bool hasKnownStorages(Side side) const { return m_hasKnownStorages[index(side)]; }
    /// Whether equal storage ids, or equal names of tensors without one, denote the same memory in both programs.
    [[nodiscard]] bool sharesStorages() const { return m_matching.sharedStorages; }
    /// Whether only the second program has this storage, under names that the first does not have. Its final contents are not
    /// compared.
    [[nodiscard]] bool isNew(std::uint32_t storage) const { return m_newStorages.contains(storage); }
    /// Returns tensors that differ only in memory layout in the second program, if layouts may matter.
    [[nodiscard]] std::span<const LayoutMismatch> layoutMismatch() const { return m_layoutMismatch; }
    /// Returns the first tensor of the second program whose requires_grad differs from that of its counterpart (same memory or
    /// same name) in the first program; empty if there is none.
    [[nodiscard]] InternedString otherGradients() const { return m_otherGradients; }
    /// Returns the places that hold both tensors that require gradients and tensors that do not, if `gradients` does not
    /// distinguish them.
    [[nodiscard]] std::span<const TermId> eitherGradients() const { return m_eitherGradients; }
    /// Returns pairs of a tensor of the second program and the tensor of the same name, but different memory, in the first. They
    /// are distinct as soon as either is written to.
    [[nodiscard]] std::span<const std::pair<TensorId, TensorId>> elsewhere() const { return m_elsewhere; }
    /// Returns the tensors of a module without a graph and of its descendants, in file order.
    [[nodiscard]] std::span<const TensorId> tensorsBelow(Side side, ModuleId id) const
    {
        return m_tensorsBelow[index(side)][id.index()];
    }
    /// Returns the path of a leaf module, or of an attribute that is not a tensor, in the first program.
    [[nodiscard]] InternedString modulePath(Side side, ModuleId id) const;
    /// Whether both files list the attributes of this leaf module.
    [[nodiscard]] bool knowsAttributes(Side side, ModuleId id) const { return m_withAttributes.contains(modulePath(side, id)); }
    [[nodiscard]] InternedString attributePath(Side side, std::string_view path) const;
    /// Returns the term of a symbol: the input dimension that it denotes, or its text.
    TermId symbol(Side side, const Argument& symbol);
    /// Returns the symbol of a dimension of a user input; invalid if the dimension is not symbolic.
    [[nodiscard]] TermId sizeOf(std::uint32_t input, std::int64_t dimension) const;
    /// Returns the term of a user input: a symbol if it is symbolic, otherwise the input itself.
    TermId input(std::uint32_t index);
    /// Returns false if the files state that no tensor in this input requires gradients.
    [[nodiscard]] bool mayRequireGradient(std::uint32_t input) const;
    /// Returns, for each user input, the number of its group of inputs that share memory.
    [[nodiscard]] const std::vector<std::uint32_t>& inputGroups() const { return m_inputGroups; }

private:
    SymbolMapping(const Program& a, const Program& b, const Matching& matching, TermTable& terms);
    static std::size_t index(Side side) { return static_cast<std::size_t>(side); }
    const Program& program(Side side) const { return *m_programs[index(side)]; }

    void matchInputs();
    void matchSymbols(Side side);
    void groupInputs(Side side);
    void matchTensors();
    TermId withGradients(TermId place);
    void joinGradients();
    void findOtherGradients(const std::vector<TensorId>& same);
    void collectElsewhere();
    void collectAttribute(InternedString path);
    void collectObjects(const Argument& argument);
    void collectAttributes();
    void matchModules();
    void collectTensors(Side side);
    TermId tensorTerm(Side side, TensorId object, std::uint32_t storage, std::uint64_t elsewhere = 0);

    std::array<const Program*, 2> m_programs;
    TermTable& m_terms;
    Matching m_matching;
    std::vector<LayoutMismatch> m_layoutMismatch;
    std::unordered_map<TermId, std::uint8_t> m_gradientsAt; ///< by place: a set of kRequires* bits
    static constexpr std::uint8_t kRequiresNone = 1;
    static constexpr std::uint8_t kRequiresGradients = 2;
    InternedString m_otherGradients;
    std::vector<TermId> m_eitherGradients;
    std::array<bool, 2> m_hasKnownStorages;
    std::array<bool, 2> m_usesSignature;
    std::array<std::vector<InputSlot>, 2> m_inputs;
    std::array<std::size_t, 2> m_userInputs{};
    std::array<std::vector<TermId>, 2> m_tensors; ///< by TensorId
    std::array<std::vector<std::uint32_t>, 2> m_storages; ///< by TensorId
    std::array<std::vector<std::vector<TensorId>>, 2> m_tensorsBelow; ///< by ModuleId
    std::array<std::vector<InternedString>, 2> m_modulePaths; ///< by ModuleId
    std::unordered_set<InternedString> m_withAttributes; ///< paths of leaf modules whose attributes both files list
    NameIndex m_attributes; ///< attributes of the first program that are neither tensors nor modules
    std::vector<InternedString> m_attributeNames;
    std::array<std::unordered_map<InternedString, TermId>, 2> m_symbols;
    std::unordered_map<std::uint64_t, TermId> m_sizes; ///< by input and dimension
    std::vector<TermId> m_inputTerms;
    std::vector<bool> m_gradients;
    std::vector<std::uint32_t> m_inputGroups;
    bool m_symbolsAgree = true; ///< symbols of equal names denote sizes of the same inputs
    std::unordered_set<std::uint32_t> m_splitStorages;
    std::unordered_set<std::uint32_t> m_newStorages;
    std::vector<std::pair<TensorId, TensorId>> m_elsewhere;
};

} // namespace sunder
