#pragma once

#include "verify/name_index.h"
#include "verify/term_table.h"

#include "ir/program.h"
#include "support/progress_monitor.h"

#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sunder {

/// Which of two programs.
enum class Side : std::uint8_t { a, b };

/// What a placeholder of a root graph stands for.
struct InputSlot {
    enum class Kind : std::uint8_t { user, tensor, object, token } kind = Kind::user;
    std::uint32_t index = 0; ///< user: its number; token: its number
    InternedString fqn = {}; ///< tensor, object
};

/// A tensor that has other strides, another offset or other memory in the second program than in the first.
struct LaidOtherwise {
    InternedString fqn;
    std::array<TermId, 2> places; ///< where it lies in the first, and in the second
    bool sameStrides = false;
};

/// The properties that distinguish tensors of two programs.
struct Matching {
    bool sharedStorages = false; ///< equal storage ids mean the same memory, as between a program and a pass's result
    bool layouts = true;   ///< offsets and strides are visible, so tensors with other layouts are distinct
    bool gradients = true; ///< tensors that differ in requires_grad are distinct; otherwise both may require gradients
};

/// Whether a file says of each tensor which memory it lies in, or holds one tensor at most. O(tensors).
bool knowsMemory(const TensorTable& tensors);

/// By graph: the module whose attributes it reads. Graphs of a dispatcher have no owner, and read what it holds. O(modules).
std::vector<ModuleId> readersOfGraphs(const Program& program);

/// What in one program is the same thing as in another: inputs by position; parameters, buffers and constants by name
/// (with the name of a part taken off) or, where programs share their storage ids, by storage; what has a storage
/// that the first does not know is a copy, by name, as long as nothing is written to either; leaf modules by class
/// and path; sizes by the input whose size they are. Everything is numbered as terms, equal for what corresponds.
class Correspondence {
public:
    /// Unfinished once `monitor` was cancelled.
    Correspondence(const Program& a, const Program& b, const Matching& matching, TermTable& terms,
                   ProgressMonitor& monitor = ProgressMonitor::none());

    /// Whether the program's signature counts. It does not when the other program is its raw graph: when it has no
    /// signature itself and a placeholder for every parameter.
    [[nodiscard]] bool usesSignature(Side side) const { return m_usesSignature[index(side)]; }
    /// One slot for each placeholder of the root graph, in order.
    [[nodiscard]] const std::vector<InputSlot>& inputs(Side side) const { return m_inputs[index(side)]; }

    /// Where the tensor lies; equal for tensors that are the same.
    [[nodiscard]] TermId tensor(Side side, TensorId id) const;
    /// Number of the tensor's storage, equal for storages that are the same.
    [[nodiscard]] std::uint32_t storage(Side side, TensorId id) const;
    /// True for a storage of the first program that is several in the second: their contents are the same only as long
    /// as nothing is written to them.
    [[nodiscard]] bool isSplit(std::uint32_t storage) const { return m_splitStorages.contains(storage); }
    /// False where the file does not say which of the program's tensors share memory: any of them may then.
    [[nodiscard]] bool knowsMemory(Side side) const { return m_knowsMemory[index(side)]; }
    /// Whether equal storages, and equal names where there are none, are the same memory in both programs.
    [[nodiscard]] bool sharesStorages() const { return m_matching.sharedStorages; }
    /// True for a storage that only the second program has, under names that the first does not know: what it leaves
    /// there concerns nobody.
    [[nodiscard]] bool isNew(std::uint32_t storage) const { return m_newStorages.contains(storage); }
    /// Tensors that only lie otherwise in memory in the second program, where that may matter.
    [[nodiscard]] std::span<const LaidOtherwise> laidOtherwise() const { return m_laidOtherwise; }
    /// The first tensor of the second program whose requires_grad differs from that of the tensor of the first program
    /// with the same memory or name; empty if there is none.
    [[nodiscard]] InternedString otherGradients() const { return m_otherGradients; }
    /// Places with both tensors that require gradients and tensors that do not, if `gradients` does not distinguish them.
    [[nodiscard]] std::span<const TermId> eitherGradients() const { return m_eitherGradients; }
    /// Tensors of the second program, each with one of the first under the same name in what is other memory: to be
    /// told apart as soon as something is written to either.
    [[nodiscard]] std::span<const std::pair<TensorId, TensorId>> elsewhere() const { return m_elsewhere; }
    /// The tensors that a module without a graph holds, itself and in modules inside of it, in file order.
    [[nodiscard]] std::span<const TensorId> tensorsBelow(Side side, ModuleId id) const
    {
        return m_tensorsBelow[index(side)][id.index()];
    }
    /// Path under which the first program knows a leaf module, or an attribute that is no tensor.
    [[nodiscard]] InternedString modulePath(Side side, ModuleId id) const;
    /// Whether both files give the attributes of this leaf module.
    [[nodiscard]] bool knowsAttributes(Side side, ModuleId id) const { return m_withAttributes.contains(modulePath(side, id)); }
    [[nodiscard]] InternedString attributePath(Side side, std::string_view path) const;
    /// A size: the input that it is the size of, or its text.
    TermId symbol(Side side, const Argument& symbol);
    /// The symbol that dimension `dimension` of user input `input` is, or an invalid id.
    [[nodiscard]] TermId sizeOf(std::uint32_t input, std::int64_t dimension) const;
    /// The value of a user input: a symbol when it is one, else the input itself.
    TermId input(std::uint32_t index);
    /// False when the files say that no tensor in this input requires gradients.
    [[nodiscard]] bool mayRequireGradient(std::uint32_t input) const;
    /// Groups of user inputs that share memory: number of the group of each.
    [[nodiscard]] const std::vector<std::uint32_t>& inputGroups() const { return m_inputGroups; }

private:
    static std::size_t index(Side side) { return static_cast<std::size_t>(side); }
    const Program& program(Side side) const { return *m_programs[index(side)]; }

    void matchInputs();
    void matchSymbols(Side side);
    void groupInputs(Side side);
    std::uint32_t inputGroup(std::uint32_t input);
    void mergeInputGroups(std::uint32_t a, std::uint32_t b);
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
    std::vector<LaidOtherwise> m_laidOtherwise;
    std::unordered_map<TermId, std::uint8_t> m_gradientsAt; ///< per place: set of kRequires* bits
    static constexpr std::uint8_t kRequiresNone = 1;
    static constexpr std::uint8_t kRequiresGradients = 2;
    InternedString m_otherGradients;
    std::vector<TermId> m_eitherGradients;
    std::array<bool, 2> m_knowsMemory;
    std::array<bool, 2> m_usesSignature{};
    std::array<std::vector<InputSlot>, 2> m_inputs;
    std::array<std::size_t, 2> m_userInputs{};
    std::array<std::vector<TermId>, 2> m_tensors;           ///< by TensorId
    std::array<std::vector<std::uint32_t>, 2> m_storages;   ///< by TensorId
    std::array<std::vector<std::vector<TensorId>>, 2> m_tensorsBelow; ///< by ModuleId
    std::array<std::vector<InternedString>, 2> m_modulePaths; ///< by ModuleId
    std::unordered_set<InternedString> m_withAttributes;      ///< paths of leaf modules whose attributes both files give
    NameIndex m_attributes; ///< attributes of the first program that are no tensors and no modules
    std::vector<InternedString> m_attributeNames;
    std::array<std::unordered_map<InternedString, TermId>, 2> m_symbols;
    std::unordered_map<std::uint64_t, TermId> m_sizes; ///< by input and dimension
    std::vector<TermId> m_inputTerms;
    std::vector<bool> m_gradients;
    std::vector<std::uint32_t> m_inputGroups;
    bool m_symbolsAgree = true; ///< symbols of one name are sizes of the same inputs
    std::unordered_set<std::uint32_t> m_splitStorages;
    std::unordered_set<std::uint32_t> m_newStorages;
    std::vector<std::pair<TensorId, TensorId>> m_elsewhere;
};

} // namespace sunder
