#include "io/torch_save/torch_save_file.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

using PickleKind = PickleValue::Kind;

constexpr std::uint64_t kLargestPickle = 256U << 20U;

struct StorageClass {
    std::string_view name;
    std::string_view dtype;
};

constexpr std::array kStorageClasses = std::to_array<StorageClass>({{"FloatStorage", "float32"},
                                                                    {"DoubleStorage", "float64"},
                                                                    {"HalfStorage", "float16"},
                                                                    {"BFloat16Storage", "bfloat16"},
                                                                    {"LongStorage", "int64"},
                                                                    {"IntStorage", "int32"},
                                                                    {"ShortStorage", "int16"},
                                                                    {"CharStorage", "int8"},
                                                                    {"ByteStorage", "uint8"},
                                                                    {"BoolStorage", "bool"},
                                                                    {"ComplexFloatStorage", "complex64"},
                                                                    {"ComplexDoubleStorage", "complex128"}});

Arguments argumentsOf(const std::vector<std::int64_t>& numbers)
{
    Arguments arguments;
    for (const std::int64_t number : numbers)
        arguments.push_back(Argument::integer(number));
    return arguments;
}

/// True if a view fits into this number of elements.
bool fits(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides, std::int64_t offset,
          std::int64_t elements)
{
    std::int64_t last = offset;
    bool isEmpty = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::int64_t reach = 0;
        if (sizes[i] < 0 || strides[i] < 0)
            return false;
        isEmpty |= sizes[i] == 0;
        if (sizes[i] > 0
            && (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last)))
            return false;
    }
    return offset >= 0 && (isEmpty || last < elements);
}

/// A function that rebuilds a tensor, with its arguments; empty if the value is not a tensor.
struct Rebuilding {
    std::string_view function = {};
    const std::vector<std::uint32_t>* arguments = nullptr;

    [[nodiscard]] bool isParameter() const
    {
        return function == "torch._utils _rebuild_parameter" || function == "torch._utils _rebuild_parameter_with_state";
    }
};

/// A tensor with custom attributes is rebuilt by _rebuild_from_type_v2(function, class, arguments, attributes).
Rebuilding rebuildingOf(const PickleTree& tree, std::uint32_t value)
{
    const std::vector<std::uint32_t>* arguments = tree.argumentsOf(value);
    if (arguments == nullptr)
        return {};
    const PickleValue& function = tree[tree[value].items[0]];
    if (function.text != "torch._tensor _rebuild_from_type_v2")
        return {.function = function.text, .arguments = arguments};
    if (arguments->size() != 4 || !tree[(*arguments)[2]].is(PickleValue::Kind::tuple))
        return {};
    const std::string& cls = tree[(*arguments)[1]].text;
    if (cls != "torch Tensor" && cls != "torch.nn.parameter Parameter")
        return {};
    return {.function = tree[(*arguments)[0]].text, .arguments = &tree[(*arguments)[2]].items};
}

} // namespace

std::string_view dtypeOfStorageClass(std::string_view global)
{
    for (const StorageClass& known : kStorageClasses)
        if (global.starts_with("torch ") && global.substr(6) == known.name)
            return known.dtype;
    return {};
}

std::string_view storageClassOfDtype(std::string_view dtype)
{
    for (const StorageClass& known : kStorageClasses)
        if (known.dtype == dtype)
            return known.name;
    return {};
}

Result<TorchSaveFile> TorchSaveFile::open(const ZipArchive& archive, std::string_view member)
{
    SUNDER_TRY(ZipArchive inner, archive.openArchive(member));
    const std::string root = inner.commonRoot();
    if (inner.find(root + "byteorder") != nullptr)
        if (const auto order = inner.readMember(root + "byteorder", 16); !order || *order != "little")
            return fail(ErrorCode::unsupported, "has a byte order other than little-endian",
                        {.file = archive.path(), .member = std::string(member)});
    SUNDER_TRY(const std::string pickle, inner.readMember(root + "data.pkl", kLargestPickle));
    Result<PickleTree> tree = readPickle(pickle);
    if (!tree) {
        Error error = tree.error();
        error.where = {.file = archive.path(), .member = std::string(member)};
        return tl::unexpected<Error>(std::move(error));
    }
    return TorchSaveFile(std::move(inner), std::move(*tree), root);
}

std::optional<std::vector<std::int64_t>> TorchSaveFile::integers(std::uint32_t value) const
{
    const bool isSize = m_tree.isCall(value, "torch Size") && m_tree.argumentsOf(value) != nullptr
        && m_tree.argumentsOf(value)->size() == 1;
    const PickleValue& list = m_tree[isSize ? m_tree.argumentsOf(value)->front() : value];
    if (!list.is(PickleKind::tuple) && !list.is(PickleKind::list))
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const std::uint32_t item : list.items) {
        if (!m_tree[item].is(PickleKind::integer))
            return std::nullopt;
        numbers.push_back(m_tree[item].integer);
    }
    return numbers;
}

/// ('storage', class, key, device, number of elements)
bool TorchSaveFile::readStorage(std::uint32_t value, SavedTensor& tensor) const
{
    const PickleValue& persistent = m_tree[value];
    if (!persistent.is(PickleKind::persistent) || persistent.items.size() != 1)
        return false;
    const PickleValue& id = m_tree[persistent.items[0]];
    if (!id.is(PickleKind::tuple) || id.items.size() != 5 || m_tree[id.items[0]].text != "storage"
        || !m_tree[id.items[2]].is(PickleKind::text) || !m_tree[id.items[3]].is(PickleKind::text))
        return false;
    tensor.meta.dtype = intern(dtypeOfStorageClass(m_tree[id.items[1]].text));
    tensor.storage = m_tree[id.items[2]].text;
    tensor.meta.device = intern(m_tree[id.items[3]].text);
    return true;
}

std::optional<SavedTensor> TorchSaveFile::tensor(std::uint32_t value) const
{
    const Rebuilding rebuilding = rebuildingOf(m_tree, value);
    const std::vector<std::uint32_t>* arguments = rebuilding.arguments;
    if (arguments == nullptr)
        return std::nullopt;
    if (rebuilding.isParameter() && arguments->size() >= 2) {
        if (rebuildingOf(m_tree, arguments->front()).isParameter())
            return std::nullopt;
        std::optional<SavedTensor> data = tensor(arguments->front());
        if (data) {
            data->isParameter = true;
            data->meta.requiresGrad = m_tree[(*arguments)[1]].integer != 0;
        }
        return data;
    }
    const bool isUntyped = rebuilding.function == "torch._utils _rebuild_tensor_v3";
    if ((!isUntyped && rebuilding.function != "torch._utils _rebuild_tensor_v2") || arguments->size() < (isUntyped ? 7 : 5))
        return std::nullopt;
    SavedTensor tensor;
    const auto sizes = integers((*arguments)[2]);
    const auto strides = integers((*arguments)[3]);
    const PickleValue& offset = m_tree[(*arguments)[1]];
    if (!readStorage((*arguments)[0], tensor) || !sizes || !strides || sizes->size() != strides->size()
        || !offset.is(PickleKind::integer))
        return std::nullopt;
    if (isUntyped && m_tree[(*arguments)[6]].text.starts_with("torch "))
        tensor.meta.dtype = intern(m_tree[(*arguments)[6]].text.substr(6));
    const std::optional<std::uint64_t> elementBytes = elementSize(tensor.meta.dtype.view());
    const ZipMember* member = storage(tensor.storage);
    if (!elementBytes || *elementBytes == 0 || member == nullptr
        || !fits(*sizes, *strides, offset.integer, static_cast<std::int64_t>(member->size / *elementBytes)))
        return std::nullopt;
    tensor.meta.shape = argumentsOf(*sizes);
    tensor.meta.stride = argumentsOf(*strides);
    tensor.meta.offset = Argument::integer(offset.integer);
    tensor.meta.requiresGrad = m_tree[(*arguments)[4]].integer != 0;
    return tensor;
}

std::optional<std::string> TorchSaveFile::fakeTensor(std::uint32_t value, bool& isParameter) const
{
    const std::vector<std::uint32_t>* arguments = m_tree.argumentsOf(value);
    if (arguments == nullptr || arguments->size() != 2
        || !m_tree.isCall(value, "torch._export.serde.serialize _reconstruct_fake_tensor"))
        return std::nullopt;
    isParameter = m_tree[(*arguments)[1]].integer != 0;
    const PickleValue& given = m_tree[arguments->front()]; // bytes, or a text to encode
    if (given.is(PickleKind::bytes))
        return given.text;
    const std::vector<std::uint32_t>* encoded = m_tree.argumentsOf(arguments->front());
    if (!m_tree.isCall(arguments->front(), "_codecs encode") || encoded == nullptr || encoded->empty())
        return std::nullopt;
    return m_tree[encoded->front()].text;
}

std::optional<std::vector<std::pair<std::string, std::uint32_t>>> TorchSaveFile::entries(std::uint32_t value) const
{
    const PickleValue& dict = m_tree[value];
    const bool isOrdered = m_tree.isCall(value, "collections OrderedDict");
    if (!isOrdered && !dict.is(PickleKind::dict))
        return std::nullopt;
    const std::vector<std::uint32_t>& items = isOrdered ? dict.entries : dict.items;
    std::vector<std::pair<std::string, std::uint32_t>> found;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (!m_tree[items[i]].is(PickleKind::text))
            return std::nullopt;
        found.emplace_back(m_tree[items[i]].text, items[i + 1]);
    }
    return found;
}

} // namespace sunder
