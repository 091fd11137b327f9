#include "passes/unflatten/tensor_names.h"

namespace sunder {

bool isConstant(const TensorEntry& entry, const TensorTable& tensors)
{
    if (entry.role == TensorRole::constant)
        return true;
    const std::optional<bool> persistent = entry.persistent || !entry.same ? entry.persistent
                                                                           : tensors[tensors.object(entry.same)].persistent;
    return entry.role == TensorRole::buffer && !persistent.value_or(true);
}

Result<TensorNames> TensorNames::of(const Program& program, TensorKeys& keys)
{
    TensorNames names;
    const TensorTable& tensors = program.tensors;
    const std::size_t inputs = program.signature->inputs.size();
    names.m_numberOf.reserve(inputs);
    names.m_names.reserve(inputs);
    names.m_tensors.reserve(inputs);
    names.m_placeholders.reserve(inputs);
    std::vector<std::uint32_t> numbers(keys.bound(), kNone); // by key
    std::vector<char> isNamed(tensors.size());
    for (const InputSpec& input : program.signature->inputs) {
        if (input.kind == InputKind::user || input.kind == InputKind::token)
            continue;
        const TensorId id = input.kind == InputKind::object ? TensorId() : tensors.find(input.target);
        auto number = static_cast<std::uint32_t>(names.m_tensors.size());
        if (id) {
            isNamed[id.index()] = 1;
            std::uint32_t& known = numbers[keys.of(id)];
            known = known == kNone ? number : known;
            number = known;
        }
        if (number == names.m_tensors.size())
            names.m_tensors.emplace_back();
        names.add(number, input.target);
        if (!input.name.empty() && names.m_numberOf.emplace(input.name, number).second)
            names.m_placeholders.push_back(input.name);
    }
    for (const bool constants : {true, false}) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const TensorEntry& entry = tensors[TensorId(i)];
            if (isNamed[i] || isConstant(entry, tensors) != constants)
                continue;
            if (const std::uint32_t number = numbers[keys.of(TensorId(i))]; number != kNone)
                names.add(number, entry.fqn);
            else if (constants)
                return fail(ErrorCode::refused,
                            "constant " + entry.fqn.str() + " is not an input of the program and shares no tensor with one",
                            {.other = entry.fqn.str()});
        }
    }
    return names;
}

void TensorNames::add(std::uint32_t number, InternedString name)
{
    const auto at = static_cast<std::uint32_t>(m_names.size());
    m_names.push_back({name, kNone});
    Tensor& tensor = m_tensors[number];
    (tensor.last == kNone ? tensor.first : m_names[tensor.last].next) = at;
    tensor.last = at;
}

InternedString TensorNames::nameBelow(std::string_view path, std::uint32_t number) const
{
    for (std::uint32_t at = m_tensors[number].first; at != kNone; at = m_names[at].next) {
        const std::string_view text = m_names[at].name.view();
        if (path.empty() || (text.size() > path.size() && text[path.size()] == '.' && text.starts_with(path)))
            return m_names[at].name;
    }
    return {};
}

TensorKeys::TensorKeys(const TensorTable& tensors)
    : m_tensors(tensors), m_keyOf(tensors.size(), kNone), m_first(tensors.storageCount())
{
}

std::uint32_t TensorKeys::of(TensorId id)
{
    const TensorId object = m_tensors.object(id);
    std::uint32_t& key = m_keyOf[object.index()];
    if (key == kNone)
        key = keyOf(object);
    return key;
}

std::uint32_t TensorKeys::keyOf(TensorId object)
{
    const StorageId storage = m_tensors[object].storage;
    if (!storage)
        return m_count++;
    TensorId& first = m_first[storage.index()];
    if (!first) {
        first = object;
        return m_count++;
    }
    if (areOne(object, first))
        return m_keyOf[first.index()];
    std::vector<TensorId>& others = m_others[storage.index()];
    for (const TensorId other : others)
        if (areOne(object, other))
            return m_keyOf[other.index()];
    others.push_back(object);
    return m_count++;
}

bool TensorKeys::areOne(TensorId a, TensorId b) const
{
    const TensorMeta& x = m_tensors[a].meta;
    const TensorMeta& y = m_tensors[b].meta;
    const Argument zero = Argument::integer(0);
    return x.shape == y.shape && x.stride == y.stride && x.offset.value_or(zero) == y.offset.value_or(zero);
}

} // namespace sunder
