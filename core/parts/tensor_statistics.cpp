#include "parts/tensor_statistics.h"

#include "parts/elements.h"
#include "parts/stored_elements.h"
#include "support/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

constexpr std::size_t kChunk = 1024;         ///< elements summed before they are merged with the others
constexpr std::uint64_t kMaxOverlaps = 64;  ///< elements per memory location, not counting dimensions of stride 0
constexpr double kExactIntegers = 0x1p53;

/// Passes the elements as numbers to `use`, in chunks, with their bytes.
template <typename Use>
void forEachChunk(NumberReader read, std::size_t size, std::span<const char> elements, const Use& use)
{
    std::array<double, kChunk> numbers{};
    for (std::size_t at = 0; at < elements.size(); at += kChunk * size) {
        const std::span<const char> bytes = elements.subspan(at, std::min(kChunk * size, elements.size() - at));
        const std::span<double> chunk = std::span(numbers).first(bytes.size() / size);
        read(bytes, chunk);
        use(std::span<const double>(chunk), bytes);
    }
}

/// Computes everything but the histogram in one pass.
class Moments {
public:
    explicit Moments(std::string_view dtype) : m_dtype(dtype), m_isWide(dtype == "int64" || dtype == "uint64") {}

    void add(std::span<const double> numbers, std::span<const char> bytes)
    {
        const std::size_t size = bytes.size() / numbers.size();
        std::uint64_t finite = 0;
        long double sum = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double number = numbers[i];
            if (!std::isfinite(number)) {
                ++(std::isnan(number) ? m_nans : m_infinities);
                continue;
            }
            m_zeros += number == 0 ? 1 : 0;
            sum += number;
            if (m_finite + finite++ == 0 || number <= m_min || number >= m_max)
                takeExtreme(number, bytes.subspan(i * size, size), m_finite + finite == 1);
        }
        if (finite != 0)
            merge(numbers, finite, sum);
    }

    /// `repeats`: number of times that each element counts.
    [[nodiscard]] TensorStatistics result(std::uint64_t repeats) const
    {
        TensorStatistics found{.count = (m_finite + m_nans + m_infinities) * repeats,
                               .zeros = m_zeros * repeats,
                               .nans = m_nans * repeats,
                               .infinities = m_infinities * repeats,
                               .finite = std::nullopt,
                               .note = {}};
        if (m_finite != 0)
            found.finite = FiniteElements{
                .min = m_min,
                .max = m_max,
                .minText = elementText(m_dtype, m_minBytes),
                .maxText = elementText(m_dtype, m_maxBytes),
                .mean = static_cast<double>(m_mean),
                .deviation = static_cast<double>(std::sqrt(m_squares / static_cast<long double>(m_finite))),
                .histogram = {}};
        return found;
    }

private:
    /// Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
    void merge(std::span<const double> numbers, std::uint64_t finite, long double sum)
    {
        const long double mean = sum / static_cast<long double>(finite);
        long double squares = 0;
        for (const double number : numbers)
            if (std::isfinite(number))
                squares += (number - mean) * (number - mean);
        const auto before = static_cast<long double>(m_finite);
        m_finite += finite;
        const long double share = static_cast<long double>(finite) / static_cast<long double>(m_finite);
        const long double distance = mean - m_mean;
        m_mean += distance * share;
        m_squares += squares + distance * distance * before * share;
    }

    [[nodiscard]] bool isBelow(double a, std::span<const char> bytesA, double b, std::span<const char> bytesB) const
    {
        if (m_isWide && a == b && std::abs(a) >= kExactIntegers)
            return isLessInteger(m_dtype, bytesA, bytesB);
        return a < b;
    }

    void takeExtreme(double number, std::span<const char> bytes, bool isFirst)
    {
        if (isFirst || isBelow(number, bytes, m_min, m_minBytes))
            take(number, bytes, m_min, m_minBytes);
        if (isFirst || isBelow(m_max, m_maxBytes, number, bytes))
            take(number, bytes, m_max, m_maxBytes);
    }

    static void take(double number, std::span<const char> bytes, double& known, std::string& knownBytes)
    {
        known = number;
        knownBytes.assign(bytes.begin(), bytes.end());
    }

    std::string_view m_dtype;
    bool m_isWide;
    std::uint64_t m_finite = 0;
    std::uint64_t m_zeros = 0;
    std::uint64_t m_nans = 0;
    std::uint64_t m_infinities = 0;
    double m_min = 0;
    double m_max = 0;
    std::string m_minBytes;
    std::string m_maxBytes;
    long double m_mean = 0;
    long double m_squares = 0; ///< sum of squared deviations from the mean
};

void countInto(FiniteElements& finite, std::span<const double> numbers, std::uint64_t repeats)
{
    const std::size_t bins = finite.histogram.size();
    const auto low = static_cast<long double>(finite.min);
    const long double width = static_cast<long double>(finite.max) - low;
    for (const double number : numbers) {
        if (!std::isfinite(number))
            continue;
        const long double share = bins == 1 ? 0 : (static_cast<long double>(number) - low) / width;
        const auto bin = static_cast<std::size_t>(share * static_cast<long double>(bins));
        finite.histogram[std::min(bin, bins - 1)] += repeats;
    }
}

} // namespace

Result<TensorStatistics> tensorStatistics(const Program& program, TensorId id, ProgressMonitor& monitor)
{
    StorageArchives archives(program, monitor);
    SUNDER_TRY(const StoredTensor stored, findStoredTensor(program, archives, id));
    const TensorEntry& entry = program.tensors[stored.object];
    const std::string name = program.tensors[id].fqn.str();
    const NumberReader read = numberReaderOf(entry.meta.dtype.view());
    if (read == nullptr)
        return fail(ErrorCode::unsupported,
                    name + " has dtype " + entry.meta.dtype.str() + ", for which statistics are not supported");
    const StridedWindow window = stored.window.inMemoryOrder();
    const std::size_t size = window.elementSize();
    if (window.elementCount() / kMaxOverlaps > window.length() / size)
        return fail(ErrorCode::unsupported,
                    name + " has " + formatCount(window.elementCount()) + " elements in " + formatBytes(window.length())
                        + " of memory: too many overlap");
    const std::uint64_t repeats = window.elementCount() == 0 ? 1 : stored.window.elementCount() / window.elementCount();
    ByteProgress progress(monitor, 2 * window.elementCount() * size, "Reading " + name);
    Moments moments(entry.meta.dtype.view());
    SUNDER_PROPAGATE(readElements(stored, window, progress, [&](std::span<const char> elements) -> Result<void> {
        forEachChunk(read, size, elements,
                     [&](std::span<const double> numbers, std::span<const char> bytes) { moments.add(numbers, bytes); });
        return {};
    }));
    TensorStatistics found = moments.result(repeats);
    found.note = stored.note;
    if (!found.finite)
        return found;
    FiniteElements& finite = *found.finite;
    finite.histogram.resize(finite.min == finite.max ? 1 : kHistogramBins, 0);
    SUNDER_PROPAGATE(readElements(stored, window, progress, [&](std::span<const char> elements) -> Result<void> {
        forEachChunk(read, size, elements,
                     [&](std::span<const double> numbers, std::span<const char>) { countInto(finite, numbers, repeats); });
        return {};
    }));
    return found;
}

} // namespace sunder
