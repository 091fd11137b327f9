#include "analysis/cut/storage_extent.h"

#include <vector>

namespace sunder {
namespace {

using SizeHints = std::vector<std::uint64_t>;

/// Returns sizes or strides as numbers; nothing if one is unknown.
std::optional<SizeHints> hintsOf(const Arguments& sizes)
{
    SizeHints numbers;
    for (const Argument& size : sizes) {
        const std::optional<std::uint64_t> hint = sizeHint(size);
        if (!hint)
            return std::nullopt;
        numbers.push_back(*hint);
    }
    return numbers;
}

/// Returns the strides of a view of another shape with as many elements, at least one; nothing if it would have to be a copy.
std::optional<SizeHints> stridesOfView(const SizeHints& sizes, const SizeHints& strides, const SizeHints& shape)
{
    SizeHints out(shape.size(), 1);
    if (sizes.empty())
        return out;
    std::size_t left = shape.size(); // dimensions of the view without a stride
    std::uint64_t base = strides.back();
    std::uint64_t chunk = 1; // elements of the dimensions that are contiguous to each other
    std::uint64_t placed = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        chunk *= sizes[i];
        if (i > 0 && (sizes[i - 1] == 1 || strides[i - 1] == chunk * base))
            continue;
        while (left > 0 && (placed < chunk || shape[left - 1] == 1)) {
            --left;
            out[left] = placed * base;
            placed *= shape[left];
        }
        if (placed != chunk)
            return std::nullopt;
        if (i > 0) {
            base = strides[i - 1];
            chunk = placed = 1;
        }
    }
    return left == 0 ? std::optional(out) : std::nullopt;
}

} // namespace

std::optional<std::uint64_t> extentBytes(const TensorMeta& meta)
{
    const std::optional<SizeHints> sizes = meta.stride ? hintsOf(meta.shape) : std::nullopt;
    const std::optional<SizeHints> strides = sizes ? hintsOf(*meta.stride) : std::nullopt;
    const std::optional<std::uint64_t> element = elementSize(meta.dtype.view());
    if (!strides || !element || strides->size() != sizes->size() || !byteSize(meta))
        return byteSize(meta);
    std::uint64_t elements = 1;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        std::uint64_t step = 0;
        if ((*sizes)[i] == 0)
            return 0;
        if (__builtin_mul_overflow((*sizes)[i] - 1, (*strides)[i], &step) || __builtin_add_overflow(elements, step, &elements))
            return std::nullopt;
    }
    std::uint64_t bytes = 0;
    return __builtin_mul_overflow(elements, *element, &bytes) ? std::nullopt : std::optional(bytes);
}

bool hasStridesOfView(const TensorMeta& base, const TensorMeta& result)
{
    const std::optional<std::uint64_t> elements = elementCount(base.shape);
    if (!base.stride || !result.stride || base.dtype != result.dtype || base.device != result.device || !elements
        || *elements == 0 || elements != elementCount(result.shape))
        return false;
    const std::optional<SizeHints> sizes = hintsOf(base.shape);
    const std::optional<SizeHints> strides = hintsOf(*base.stride);
    const std::optional<SizeHints> shape = hintsOf(result.shape);
    const std::optional<SizeHints> found = hintsOf(*result.stride);
    if (!sizes || !strides || !shape || !found || sizes->size() != strides->size() || shape->size() != found->size())
        return false;
    const std::optional<SizeHints> expected = stridesOfView(*sizes, *strides, *shape);
    if (!expected)
        return false;
    for (std::size_t i = 0; i < shape->size(); ++i)
        if ((*shape)[i] != 1 && (*expected)[i] != (*found)[i])
            return false;
    return true;
}

bool canMerge(const TensorMeta& meta, std::size_t first, std::size_t last)
{
    const std::optional<SizeHints> sizes = hintsOf(meta.shape);
    const std::optional<SizeHints> strides = meta.stride ? hintsOf(*meta.stride) : std::nullopt;
    if (!sizes || !strides || sizes->size() != strides->size() || last > sizes->size())
        return true;
    std::uint64_t step = 0; // of the dimension before; 0: none
    for (std::size_t i = last; i-- > first;) {
        if ((*sizes)[i] == 1)
            continue;
        if (step != 0 && (*strides)[i] != step)
            return false;
        step = (*sizes)[i] * (*strides)[i];
        if (step == 0 && i > first)
            return false; // expanded
    }
    return true;
}

} // namespace sunder
