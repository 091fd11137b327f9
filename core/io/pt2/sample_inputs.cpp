#include "io/pt2/sample_inputs.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace sunder {
namespace {

using PickleKind = PickleValue::Kind;

std::string memberOf(const ZipArchive& archive, const Program& program)
{
    const std::string root = archive.commonRoot();
    const std::string model = program.origin.model.empty() ? "model" : program.origin.model;
    for (const std::string& name : {root + "data/sample_inputs/" + model + ".pt", root + "serialized_example_inputs.pt"})
        if (const ZipMember* member = archive.find(name); member != nullptr && member->size > 0)
            return name;
    return {};
}

constexpr std::size_t kMaxCells = 256; ///< attributes per row

using Attributes = std::vector<std::pair<std::string, std::uint32_t>>;

/// Flattens a pickled value by a tree spec and collects a value for each leaf, which is empty if the pickle does not show it.
/// O(size of the spec + size of the pickle).
class SampleLeaves {
public:
    explicit SampleLeaves(const TorchSaveFile& file) : m_file(file), m_tree(file.tree()) {}

    void add(const TreeSpec& spec, std::uint32_t value)
    {
        if (spec.kind == TreeSpec::Kind::leaf)
            return m_leaves.emplace_back(value), void();
        if (!spend(value))
            return addUnknown(spec);
        const auto pairs = m_file.entries(value);
        if (pairs && spec.kind == TreeSpec::Kind::dict)
            return addNamed(spec, *pairs);
        if (const auto items = itemsOf(value, spec.kind); items && items->size() == spec.children.size())
            return addAll(spec, *items);
        if (const auto attributes = attributesOf(value))
            return addAttributes(spec, *attributes);
        if (const auto fields = fieldsOf(value); fields.size() == spec.children.size() && fields.size() == spec.keys.size())
            return addAll(spec, fields);
        addUnknown(spec);
    }

    std::vector<std::optional<std::uint32_t>> take() { return std::move(m_leaves); }

private:
    void addUnknown(const TreeSpec& spec) { m_leaves.resize(m_leaves.size() + spec.leafCount()); }

    void addAll(const TreeSpec& spec, const std::vector<std::uint32_t>& values)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            add(spec.children[i], values[i]);
    }

    /// Limits the work: many nodes of the spec may refer to the same large value.
    bool spend(std::uint32_t number)
    {
        const PickleValue& value = m_tree[number];
        const std::size_t state = value.state ? m_tree[*value.state].items.size() : 0;
        const std::size_t cost = 1 + value.items.size() + value.entries.size() + state;
        m_budget -= std::min(m_budget, cost);
        return m_budget > 0;
    }

    /// Matches by name, since PyTorch may use another order.
    void addNamed(const TreeSpec& spec, const Attributes& attributes)
    {
        const std::map<std::string_view, std::uint32_t> known(attributes.begin(), attributes.end());
        for (std::size_t i = 0; i < spec.children.size(); ++i)
            if (const auto found = known.find(spec.keys[i]); found != known.end())
                add(spec.children[i], found->second);
            else
                addUnknown(spec.children[i]);
    }

    /// Flattens an instance whose class names its children: attributes of these names, or columns of a list of rows.
    void addAttributes(const TreeSpec& spec, const Attributes& attributes)
    {
        if (spec.keys.empty())
            return addUnknown(spec);
        const auto isThere = [&](const std::string& key) {
            return std::ranges::any_of(attributes, [&](const auto& one) { return one.first == key; });
        };
        if (std::ranges::any_of(spec.keys, isThere) || !addColumns(spec, attributes))
            addNamed(spec, attributes);
    }

    /// Handles caches, which store keys and values per layer, while torch flattens them into all keys and all values.
    bool addColumns(const TreeSpec& spec, const Attributes& attributes)
    {
        std::optional<std::vector<std::vector<std::uint32_t>>> columns;
        for (const auto& [name, value] : attributes) {
            const auto rows = itemsOf(value, TreeSpec::Kind::list);
            if (!rows || rows->empty())
                continue;
            if (columns)
                return false; // ambiguous: several lists may have the rows
            columns = columnsOf(spec, *rows);
            if (!columns)
                return false;
        }
        for (std::size_t i = 0; columns && i < columns->size(); ++i)
            addAll(spec.children[i], (*columns)[i]);
        return columns.has_value();
    }

    std::optional<std::vector<std::vector<std::uint32_t>>> columnsOf(const TreeSpec& spec, const std::vector<std::uint32_t>& rows)
    {
        const auto isOfRows = [&](const TreeSpec& child) { return child.children.size() == rows.size(); };
        if (!std::ranges::all_of(spec.children, isOfRows))
            return std::nullopt;
        std::vector<std::vector<std::uint32_t>> columns(spec.children.size());
        for (const std::uint32_t row : rows) {
            const auto pairs = m_file.entries(row);
            const auto cells = pairs ? pairs : attributesOf(row);
            if (!cells || cells->size() > kMaxCells || !spend(row))
                return std::nullopt;
            std::vector<std::size_t> taken;
            for (std::size_t i = 0; i < spec.children.size(); ++i) {
                const std::optional<std::size_t> cell = likest(spec.keys[i], *cells);
                if (!cell || std::ranges::find(taken, *cell) != taken.end())
                    return std::nullopt;
                taken.push_back(*cell);
                columns[i].push_back((*cells)[*cell].second);
            }
        }
        return columns;
    }

    /// The attribute with the longest common prefix with a name, if it is unique: keys for key_cache.
    static std::optional<std::size_t> likest(std::string_view name, const Attributes& attributes)
    {
        std::optional<std::size_t> best;
        std::size_t most = 0;
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            const auto end = std::ranges::mismatch(name, attributes[i].first).in1;
            const auto common = static_cast<std::size_t>(end - name.begin());
            if (common > most)
                best = i;
            else if (common == most)
                best.reset();
            most = std::max(most, common);
        }
        return best;
    }

    /// The items of a list, tuple, deque, size, dict, or named tuple.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> itemsOf(std::uint32_t number, TreeSpec::Kind kind) const
    {
        const PickleValue& value = m_tree[number];
        if (value.is(PickleKind::tuple) || value.is(PickleKind::list))
            return value.items;
        if (value.is(PickleKind::dict))
            return everySecond(value.items);
        const std::vector<std::uint32_t>* arguments = m_tree.argumentsOf(number);
        if (arguments == nullptr)
            return std::nullopt;
        if (m_tree.isCall(number, "collections deque"))
            return value.entries;
        if (m_tree.isCall(number, "collections defaultdict") || m_tree.isCall(number, "collections OrderedDict"))
            return everySecond(value.entries);
        if (m_tree.isCall(number, "torch Size") && arguments->size() == 1)
            return m_tree[arguments->front()].items;
        return kind == TreeSpec::Kind::namedTuple ? std::optional(*arguments) : std::nullopt;
    }

    /// The values of a dict; its keys may be of any type.
    static std::vector<std::uint32_t> everySecond(const std::vector<std::uint32_t>& items)
    {
        std::vector<std::uint32_t> values;
        for (std::size_t i = 1; i < items.size(); i += 2)
            values.push_back(items[i]);
        return values;
    }

    /// The attributes of an instance: its __dict__ and its slots, if any.
    [[nodiscard]] std::optional<Attributes> attributesOf(std::uint32_t number) const
    {
        const PickleValue& value = m_tree[number];
        if (!value.is(PickleKind::call) || !value.state || m_file.tensor(number))
            return std::nullopt;
        const PickleValue& state = m_tree[*value.state];
        if (!state.is(PickleKind::tuple) || state.items.size() != 2)
            return m_file.entries(*value.state);
        std::optional<Attributes> slots = m_file.entries(state.items[1]);
        if (const auto own = m_file.entries(state.items[0]); own && slots)
            slots->insert(slots->end(), own->begin(), own->end());
        return slots;
    }

    /// The fields of a frozen data class with slots, in the order of its state, which is a list. None is not a child.
    [[nodiscard]] std::vector<std::uint32_t> fieldsOf(std::uint32_t number) const
    {
        const PickleValue& value = m_tree[number];
        if (!value.is(PickleKind::call) || !value.state || !m_tree[*value.state].is(PickleKind::list))
            return {};
        std::vector<std::uint32_t> fields = m_tree[*value.state].items;
        std::erase_if(fields, [&](std::uint32_t field) { return m_tree[field].is(PickleKind::none); });
        return fields;
    }

    const TorchSaveFile& m_file;
    const PickleTree& m_tree;
    std::vector<std::optional<std::uint32_t>> m_leaves;
    std::size_t m_budget = 10'000'000; ///< values to visit
};

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
    if (const TreeSpec* spec = program.calls.empty() ? nullptr : program.calls.front().inSpec.tree()) {
        SampleLeaves leaves(*samples.m_file);
        leaves.add(*spec, samples.m_file->tree().root); // positional and keyword inputs
        samples.m_leaves = leaves.take();
    }
    samples.keepFitting(program);
    return samples;
}

/// Leaves that do not match the signature are dropped.
void SampleInputs::keepFitting(const Program& program)
{
    std::vector<const InputSpec*> users;
    for (const InputSpec& input : program.signature->inputs)
        if (input.kind == InputKind::user)
            users.push_back(&input);
    if (users.size() != m_leaves.size())
        m_leaves.clear();
    for (std::size_t i = 0; i < m_leaves.size(); ++i) {
        if (!m_leaves[i])
            continue;
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
