#include "io/pt2/sample_inputs.h"

#include <algorithm>

namespace sunder {
namespace {

using PickleKind = PickleValue::Kind;

constexpr unsigned kDeepestSample = 64;
constexpr std::size_t kMostLeaves = 1'000'000;

std::string memberOf(const ZipArchive& archive, const Program& program)
{
    const std::string root = archive.commonRoot();
    const std::string model = program.origin.model.empty() ? "model" : program.origin.model;
    for (const std::string& name : {root + "data/sample_inputs/" + model + ".pt", root + "serialized_example_inputs.pt"})
        if (const ZipMember* member = archive.find(name); member != nullptr && member->size > 0)
            return name;
    return {};
}

/// Names of the keyword inputs in the order of the program's input spec; empty when that says nothing.
std::vector<std::string> keywordOrder(const Program& program)
{
    const TreeSpec* spec = program.calls.empty() ? nullptr : program.calls.front().inSpec.tree();
    return spec != nullptr && spec->children.size() > 1 ? spec->children[1].keys : std::vector<std::string>();
}

bool isFitting(const TensorMeta& sample, const TensorMeta& wanted)
{
    if (sample.dtype != wanted.dtype || sample.shape.size() != wanted.shape.size())
        return false;
    for (std::size_t i = 0; i < wanted.shape.size(); ++i)
        if (wanted.shape[i].is(ArgumentKind::integer) && !(wanted.shape[i] == sample.shape[i]))
            return false;
    return true;
}

} // namespace

std::optional<SampleInputs> SampleInputs::read(const Program& program)
{
    if (program.origin.format != "pt2" || !program.signature)
        return std::nullopt;
    const Result<ZipArchive> archive = program.origin.opened ? ZipArchive::open(program.origin.opened)
                                                             : ZipArchive::open(program.origin.file);
    const std::string member = archive ? memberOf(*archive, program) : std::string();
    if (member.empty())
        return std::nullopt;
    SampleInputs samples;
    Result<TorchSaveFile> file = TorchSaveFile::open(*archive, member);
    if (!file)
        return samples;
    samples.m_file = std::make_shared<const TorchSaveFile>(std::move(*file));
    const PickleTree& tree = samples.m_file->tree();
    const std::vector<std::uint32_t>& both = tree[tree.root].items; // positional and keyword inputs
    if (!tree[tree.root].is(PickleKind::tuple) || both.size() != 2 || !samples.addLeaves(both[0], 0)
        || !samples.addKeywords(both[1], program))
        samples.m_leaves.clear();
    samples.keepFitting(program);
    return samples;
}

/// As torch's pytree flattens them.
bool SampleInputs::addLeaves(std::uint32_t value, unsigned depth)
{
    const PickleTree& tree = m_file->tree();
    if (depth > kDeepestSample || m_leaves.size() > kMostLeaves)
        return false;
    if (tree[value].is(PickleKind::tuple) || tree[value].is(PickleKind::list))
        return std::ranges::all_of(tree[value].items, [&](std::uint32_t item) { return addLeaves(item, depth + 1); });
    if (const auto entries = m_file->entries(value))
        return std::ranges::all_of(*entries, [&](const auto& entry) { return addLeaves(entry.second, depth + 1); });
    const bool isTree = tree[value].is(PickleKind::call) && !m_file->tensor(value);
    m_leaves.emplace_back(value);
    return !isTree && !tree[value].is(PickleKind::dict);
}

bool SampleInputs::addKeywords(std::uint32_t value, const Program& program)
{
    const auto entries = m_file->entries(value);
    if (!entries)
        return m_file->tree()[value].is(PickleKind::none);
    std::vector<std::string> order = keywordOrder(program);
    if (order.size() != entries->size()) {
        order.clear();
        for (const auto& [name, number] : *entries)
            order.push_back(name);
    }
    for (const std::string& name : order) {
        const auto entry = std::ranges::find(*entries, name, [](const auto& one) { return one.first; });
        if (entry == entries->end() || !addLeaves(entry->second, 0))
            return false;
    }
    return true;
}

/// Leaves that are not what the signature says are none.
void SampleInputs::keepFitting(const Program& program)
{
    std::vector<const InputSpec*> users;
    for (const InputSpec& input : program.signature->inputs)
        if (input.kind == InputKind::user)
            users.push_back(&input);
    if (users.size() != m_leaves.size())
        m_leaves.clear();
    for (std::size_t i = 0; i < m_leaves.size(); ++i) {
        const Argument& value = users[i]->value;
        const auto& val = value.is(ArgumentKind::node) ? program.rootGraph().node(value.asNode()).meta.val
                                                       : std::optional<Argument>();
        const std::optional<SavedTensor> tensor = m_file->tensor(*m_leaves[i]);
        const PickleValue& leaf = m_file->tree()[*m_leaves[i]];
        const bool isTensor = val && val->is(ArgumentKind::tensor);
        const bool isNumber = val && val->is(ArgumentKind::symbolic) && leaf.is(PickleKind::integer);
        if (isTensor ? !tensor || !isFitting(tensor->meta, val->asTensor()) : !isNumber)
            m_leaves[i].reset();
    }
}

void SampleInputs::write(std::size_t input, TorchSaveWriter& writer) const
{
    const std::uint32_t leaf = *m_leaves[input];
    if (const std::optional<SavedTensor> tensor = m_file->tensor(leaf))
        return writer.tensor(tensor->meta, m_file->archive(), *m_file->storage(tensor->storage), tensor->isParameter);
    writer.integer(m_file->tree()[leaf].integer);
}

} // namespace sunder
