#include "analysis/cost/flop_formulas.h"

#include "analysis/cost/einsum_flops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace sunder {
namespace {

using Count = std::optional<std::uint64_t>;

using Products = std::vector<OperatorFlops>;

Count times(std::initializer_list<Count> factors)
{
    std::uint64_t product = 1;
    for (const Count& factor : factors)
        if (!factor || __builtin_mul_overflow(product, *factor, &product))
            return std::nullopt;
    return product;
}

Count productOf(std::span<const std::uint64_t> sizes)
{
    Count product = 1;
    for (const std::uint64_t size : sizes)
        product = times({product, size});
    return product;
}

/// 2 · m · k · n for [m, k] times [k, n].
Count ofMatrices(const Shape& a, const Shape& b)
{
    return a.sizes.size() == 2 && b.sizes.size() == 2 ? times({2, a.sizes[0], a.sizes[1], b.sizes[1]}) : std::nullopt;
}

Count ofBatches(const Shape& a, const Shape& b)
{
    return a.sizes.size() == 3 && b.sizes.size() == 3 ? times({2, a.sizes[0], a.sizes[1], a.sizes[2], b.sizes[2]}) : std::nullopt;
}

/// Returns the product of the batch sizes of two operands of matmul, broadcast; of all dimensions but the last two.
Count broadcastBatch(const Shape& a, const Shape& b)
{
    const auto batchOf = [](const Shape& shape) {
        return std::span(shape.sizes).first(shape.sizes.size() - std::min<std::size_t>(2, shape.sizes.size()));
    };
    const auto inA = batchOf(a);
    const auto inB = batchOf(b);
    Count batch = 1;
    for (std::size_t back = 1; back <= std::max(inA.size(), inB.size()); ++back) {
        const std::uint64_t sizeA = back <= inA.size() ? inA[inA.size() - back] : 1;
        const std::uint64_t sizeB = back <= inB.size() ? inB[inB.size() - back] : 1;
        batch = times({batch, sizeA == 1 ? sizeB : sizeA});
    }
    return batch;
}

/// Whether matmul folds the dimensions of its larger operand into a matrix, which it does if that copies nothing.
bool folds(const Shape& a, const Shape& b)
{
    const bool aIsLarger = a.sizes.size() >= b.sizes.size();
    Shape larger = aIsLarger ? a : b;
    if (larger.sizes.size() < 3 || std::min(a.sizes.size(), b.sizes.size()) > 2 || a.sizes.size() == 2)
        return false;
    if (!aIsLarger)
        larger.transpose();
    if (std::ranges::find(larger.sizes, 0U) != larger.sizes.end())
        return true;
    for (std::size_t i = 0; i + 2 < larger.sizes.size(); ++i)
        if (larger.strides[i] != larger.strides[i + 1] * larger.sizes[i + 1])
            return false;
    return true;
}

/// matmul: products of vectors count nothing, and neither do products of matrices and vectors.
Products ofMatmul(const Shape& a, const Shape& b)
{
    const std::size_t dimsA = a.sizes.size();
    const std::size_t dimsB = b.sizes.size();
    if (dimsA == 0 || dimsB == 0)
        return {};
    const bool isVector = dimsA == 1 || dimsB == 1;
    if (dimsB == 1 && (dimsA <= 2 || folds(a, b)))
        return {};
    if (dimsA == 1 && dimsB > 2 && folds(a, b))
        return {};
    const std::uint64_t inner = a.sizes.back();
    const std::uint64_t rows = dimsA == 1 ? 1 : a.sizes[dimsA - 2];
    const std::uint64_t columns = dimsB == 1 ? 1 : b.sizes.back();
    const bool isFolded = dimsA <= 2 && dimsB <= 2 ? true : !isVector && folds(a, b);
    return {{isFolded ? "aten::mm" : "aten::bmm", times({2, broadcastBatch(a, b), rows, inner, columns})}};
}

Products ofLinear(const Shape& input, const Shape& weight, bool hasBias)
{
    if (weight.sizes.size() != 2)
        return ofMatmul(input, weight);
    if (input.sizes.empty())
        return {};
    return {{hasBias ? "aten::addmm" : "aten::mm", times({2, productOf(input.sizes), weight.sizes[0]})}};
}

/// A convolution by its weight [out, in / groups, …], for each point of the output, or of the input if it is transposed.
Count ofConvolution(const Shape& input, const Shape& weight, const Shape& output, bool isTransposed)
{
    const std::size_t points = weight.sizes.size() - std::min<std::size_t>(2, weight.sizes.size());
    const Shape& counted = isTransposed ? input : output;
    if (counted.sizes.size() < points || input.sizes.empty() || points == 0)
        return std::nullopt;
    const std::uint64_t batch = input.sizes.size() > points + 1 ? input.sizes[0] : 1;
    return times({2, batch, productOf(std::span(counted.sizes).last(points)), productOf(weight.sizes)});
}

Shape channelsFirst(Shape shape)
{
    if (shape.sizes.size() >= 2)
        std::swap(shape.sizes[0], shape.sizes[1]);
    return shape;
}

Products ofConvolutionBackward(const CallShapes& call)
{
    const std::optional<Shape> gradient = call.tensor("grad_output", 0);
    const std::optional<Shape> input = call.tensor("input", 1);
    const std::optional<Shape> weight = call.tensor("weight", 2);
    const bool isTransposed = call.flag("transposed", 7).value_or(false);
    const std::vector<bool> mask = call.flags("output_mask", 10);
    const std::optional<Shape> ofInput = call.result(0);
    const std::optional<Shape> ofWeight = call.result(1);
    constexpr std::string_view kPacket = "aten::convolution_backward";
    if (!gradient || !input || !weight || mask.size() != 3 || (mask[0] && !ofInput) || (mask[1] && !ofWeight))
        return {{kPacket, std::nullopt}};
    Count count = 0;
    if (mask[0])
        count = sumOf(count, ofConvolution(*gradient, *weight, *ofInput, !isTransposed));
    if (mask[1])
        count = sumOf(count,
                      isTransposed
                          ? ofConvolution(channelsFirst(*gradient), channelsFirst(*input), channelsFirst(*ofWeight), false)
                          : ofConvolution(channelsFirst(*input), channelsFirst(*gradient), channelsFirst(*ofWeight), false));
    return {{kPacket, count}};
}

/// Attention of queries [batch, heads, length, size]; keys and values may have fewer heads. The forward pass multiplies the scores
/// once by the size of the queries and once by that of the values, the backward pass three times and twice.
Count ofAttention(const Shape& query, const Shape& key, const Shape& value, bool isBackward)
{
    const std::uint64_t byQuery = isBackward ? 3 : 1;
    const std::uint64_t byValue = isBackward ? 2 : 1;
    if (query.sizes.size() != 4 || key.sizes.size() != 4 || value.sizes.size() != 4)
        return std::nullopt;
    const Count scores = times({2, query.sizes[0], query.sizes[1], query.sizes[2], key.sizes[2]});
    return sumOf(times({byQuery, scores, query.sizes[3]}), times({byValue, scores, value.sizes[3]}));
}

/// Flash and memory-efficient attention, whose operands may hold sequences of several lengths: each counts with the largest.
Products ofPackedAttention(const CallShapes& call, std::string_view packet, std::size_t first, std::size_t lengths,
                           bool isBackward)
{
    std::optional<Shape> query = call.tensor("query", first);
    std::optional<Shape> key = call.tensor("key", first + 1);
    std::optional<Shape> value = call.tensor("value", first + 2);
    if (!query || !key || !value)
        return {{packet, std::nullopt}};
    const std::optional<Shape> starts = call.tensor("", lengths);
    if (!starts)
        return {{packet, ofAttention(*query, *key, *value, isBackward)}};
    const Count longestQuery = call.size(lengths + 2);
    const Count longestKey = call.size(lengths + 3);
    const std::size_t dims = query->sizes.size();
    if (!longestQuery || !longestKey || dims < 2 || key->sizes.size() < 2 || value->sizes.size() < 2 || starts->sizes.empty())
        return {{packet, std::nullopt}};
    const auto padded = [](const Shape& shape, std::uint64_t length) {
        const std::size_t last = shape.sizes.size() - 1;
        return Shape{.sizes = {1, shape.sizes[last - 1], length, shape.sizes[last]}, .strides = {}};
    };
    const Count one = ofAttention(padded(*query, *longestQuery), padded(*key, *longestKey), padded(*value, *longestKey),
                                  isBackward);
    return {{packet, times({one, starts->sizes[0] - std::min<std::uint64_t>(1, starts->sizes[0])})}};
}

/// scaled_dot_product_attention on meta tensors: two calls of matmul, the keys and values repeated for grouped queries.
Products ofPlainAttention(const CallShapes& call)
{
    std::optional<Shape> query = call.tensor("query", 0);
    std::optional<Shape> key = call.tensor("key", 1);
    std::optional<Shape> value = call.tensor("value", 2);
    if (!query || !key || !value || query->sizes.size() < 2 || key->sizes.size() < 2 || value->sizes.size() < 2)
        return {{"aten::bmm", std::nullopt}};
    if (call.flag("enable_gqa", 7).value_or(false) && query->sizes.size() > 2 && key->sizes.size() > 2
        && value->sizes.size() > 2) {
        const std::uint64_t heads = query->sizes[query->sizes.size() - 3];
        key->sizes[key->sizes.size() - 3] = heads;
        value->sizes[value->sizes.size() - 3] = heads;
    }
    const std::uint64_t length = key->sizes[key->sizes.size() - 2];
    key->transpose();
    Products products = ofMatmul(*query, *key);
    Shape scores = *query;
    const std::size_t dims = std::max(query->sizes.size(), key->sizes.size());
    scores.sizes.insert(scores.sizes.begin(), dims - scores.sizes.size(), 1);
    for (std::size_t back = 3; back <= key->sizes.size(); ++back) {
        std::uint64_t& size = scores.sizes[dims - back];
        size = size == 1 ? key->sizes[key->sizes.size() - back] : size;
    }
    scores.sizes.back() = length;
    scores.makeContiguous();
    for (const OperatorFlops& product : ofMatmul(scores, *value))
        products.push_back(product);
    return products;
}

/// Recurrent layers: each of the weights of a layer and direction multiplies every step of every sequence once.
Products ofRecurrent(const CallShapes& call, std::size_t first)
{
    const std::optional<Shape> input = call.tensor("input", 0);
    const std::vector<Shape> weights = call.tensors("params", first);
    const bool hasBiases = call.flag("has_biases", first + 1).value_or(true);
    const std::string_view packet = hasBiases ? "aten::addmm" : "aten::mm";
    if (!input || input->sizes.size() < 2 || weights.empty())
        return {{packet, std::nullopt}};
    const Count steps = productOf(std::span(input->sizes).first(input->sizes.size() - 1));
    Products products;
    const bool isProjected = hasBiases && weights.size() % 5 == 0
        && weights[4].sizes.size() == 2; // by each fifth, without a bias
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i].sizes.size() == 2)
            products.push_back({isProjected && i % 5 == 4 ? "aten::mm" : packet, times({2, steps, productOf(weights[i].sizes)})});
    return products;
}

Products ofRecurrentCell(const CallShapes& call)
{
    const std::optional<Shape> input = call.tensor("input", 0);
    const std::optional<Shape> toGates = call.tensor("w_ih", 2);
    const std::optional<Shape> ofState = call.tensor("w_hh", 3);
    const std::string_view packet = call.tensor("b_ih", 4) ? "aten::addmm" : "aten::mm";
    if (!input || !toGates || !ofState || input->sizes.empty())
        return {{packet, std::nullopt}};
    const Count rows = productOf(std::span(input->sizes).first(input->sizes.size() - 1));
    return {{packet, times({2, rows, sumOf(productOf(toGates->sizes), productOf(ofState->sizes))})}};
}

/// A chain of matrices in the order with the fewest multiplications; vectors at its ends count as matrices.
Products ofChain(std::vector<Shape> matrices)
{
    if (matrices.size() < 2)
        return {};
    if (matrices.front().sizes.size() == 1)
        matrices.front().sizes.insert(matrices.front().sizes.begin(), 1);
    if (matrices.back().sizes.size() == 1)
        matrices.back().sizes.push_back(1);
    std::vector<std::uint64_t> edges;
    for (const Shape& matrix : matrices) {
        if (matrix.sizes.size() != 2 || matrices.size() > 64)
            return {{"aten::mm", std::nullopt}};
        edges.push_back(matrix.sizes[0]);
    }
    edges.push_back(matrices.back().sizes[1]);
    // The least number of multiplications for the matrices from i to i + length.
    const std::size_t count = matrices.size();
    std::vector<std::vector<Count>> least(count, std::vector<Count>(count, 0));
    for (std::size_t length = 1; length < count; ++length)
        for (std::size_t i = 0; i + length < count; ++i) {
            Count best;
            for (std::size_t at = i; at < i + length; ++at) {
                const Count cost = sumOf(sumOf(least[i][at], least[at + 1][i + length]),
                                         times({edges[i], edges[at + 1], edges[i + length + 1]}));
                if (cost && (!best || *cost < *best))
                    best = cost;
            }
            least[i][i + length] = best;
        }
    return {{"aten::mm", times({2, least[0][count - 1]})}};
}

/// matrix_power by repeated squaring: a square per binary digit after the first, and a product per further digit that is 1.
Products ofPower(const CallShapes& call)
{
    const std::optional<Shape> matrix = call.tensor("self", 0);
    const std::optional<std::int64_t> power = call.integer("n", 1);
    if (!matrix || !power || matrix->sizes.size() < 2)
        return {{"aten::mm", std::nullopt}};
    const std::uint64_t exponent = *power < 0 ? -static_cast<std::uint64_t>(*power) : static_cast<std::uint64_t>(*power);
    const std::uint64_t products = exponent == 0
        ? 0
        : static_cast<std::uint64_t>(std::bit_width(exponent) + std::popcount(exponent)) - 2;
    Shape plain = *matrix;
    plain.makeContiguous();
    const Products one = ofMatmul(plain, plain);
    return one.empty() || products == 0 ? Products{} : Products{{one[0].packet, times({one[0].count, products})}};
}

Products ofTensordot(const Shape& a, const Shape& b, const std::vector<std::int64_t>& dimsA,
                     const std::vector<std::int64_t>& dimsB)
{
    const auto at = [](const Shape& shape, std::int64_t dim) {
        return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(shape.sizes.size()) : dim);
    };
    if (dimsA.size() != dimsB.size())
        return {{"aten::mm", std::nullopt}};
    Shape left = a;
    Shape right = b;
    Count contracted = 1;
    for (std::size_t i = 0; i < dimsA.size(); ++i) {
        const std::size_t inA = at(a, dimsA[i]);
        const std::size_t inB = at(b, dimsB[i]);
        if (inA >= a.sizes.size() || inB >= b.sizes.size())
            return {{"aten::mm", std::nullopt}};
        if (a.sizes[inA] != 1 && b.sizes[inB] != 1) // otherwise summed before
            contracted = times({contracted, a.sizes[inA]});
        left.sizes[inA] = 1;
        right.sizes[inB] = 1;
    }
    const Count rows = productOf(left.sizes);
    const Count columns = productOf(right.sizes);
    if (rows == 1U && columns == 1U) // a product of vectors
        return {};
    return {{"aten::mm", times({2, rows, contracted, columns})}};
}

Products ofInner(const CallShapes& call)
{
    const std::optional<Shape> a = call.tensor("self", 0);
    const std::optional<Shape> b = call.tensor("other", 1);
    if (!a || !b)
        return {{"aten::mm", std::nullopt}};
    if (a->sizes.empty() || b->sizes.empty() || (a->sizes.size() == 1 && b->sizes.size() == 1))
        return {};
    return ofTensordot(*a, *b, {-1}, {-1});
}

template <typename Formula>
Products withOperands(const CallShapes& call, std::size_t first, std::string_view packet, Formula formula)
{
    const std::optional<Shape> a = call.tensor("", first);
    const std::optional<Shape> b = call.tensor("", first + 1);
    return {{packet, a && b ? formula(*a, *b) : Count()}};
}

using Formula = Products (*)(const CallShapes& call, std::string_view packet);

struct FormulaRow {
    std::string_view packet;
    Formula formula;
};

Products matmulFormula(const CallShapes& call, std::string_view)
{
    const std::optional<Shape> a = call.tensor("self", 0);
    const std::optional<Shape> b = call.tensor("other", 1);
    return a && b ? ofMatmul(*a, *b) : Products{{"aten::bmm", std::nullopt}};
}

Products convolutionFormula(const CallShapes& call, std::string_view packet)
{
    const std::optional<Shape> input = call.tensor("input", 0);
    const std::optional<Shape> weight = call.tensor("weight", 1);
    const std::optional<Shape> output = call.result(0);
    const bool isTransposed = packet.find("_transpose") != packet.npos
        || (packet.ends_with("convolution") && call.flag("transposed", 6).value_or(false));
    return {{"aten::convolution", input && weight && output ? ofConvolution(*input, *weight, *output, isTransposed) : Count()}};
}

Products attentionFormula(const CallShapes& call, std::string_view packet)
{
    const bool isBackward = packet.ends_with("_backward");
    const std::size_t first = isBackward ? 1 : 0;
    const std::optional<Shape> query = call.tensor("query", first);
    const std::optional<Shape> key = call.tensor("key", first + 1);
    const std::optional<Shape> value = call.tensor("value", first + 2);
    return {{packet, query && key && value ? ofAttention(*query, *key, *value, isBackward) : Count()}};
}

Products chainFormula(const CallShapes& call, std::string_view)
{
    return ofChain(call.tensors("tensors", 0));
}

Products recurrentFormula(const CallShapes& call, std::string_view packet)
{
    return packet.ends_with("_cell") ? ofRecurrentCell(call) : ofRecurrent(call, 2);
}

// Sorted by packet.
constexpr std::array kFormulas{
    FormulaRow{"aten::_convolution", convolutionFormula},
    FormulaRow{"aten::_efficient_attention_backward",
               [](const CallShapes& call, std::string_view packet) { return ofPackedAttention(call, packet, 1, 6, true); }},
    FormulaRow{"aten::_efficient_attention_forward",
               [](const CallShapes& call, std::string_view packet) { return ofPackedAttention(call, packet, 0, 4, false); }},
    FormulaRow{"aten::_flash_attention_backward",
               [](const CallShapes& call, std::string_view packet) { return ofPackedAttention(call, packet, 1, 6, true); }},
    FormulaRow{"aten::_flash_attention_forward",
               [](const CallShapes& call, std::string_view packet) { return ofPackedAttention(call, packet, 0, 3, false); }},
    FormulaRow{"aten::_scaled_dot_product_attention_math",
               [](const CallShapes& call, std::string_view) { return ofPlainAttention(call); }},
    FormulaRow{"aten::_scaled_dot_product_cudnn_attention", attentionFormula},
    FormulaRow{"aten::_scaled_dot_product_cudnn_attention_backward", attentionFormula},
    FormulaRow{"aten::_scaled_dot_product_efficient_attention", attentionFormula},
    FormulaRow{"aten::_scaled_dot_product_efficient_attention_backward", attentionFormula},
    FormulaRow{"aten::_scaled_dot_product_flash_attention", attentionFormula},
    FormulaRow{"aten::_scaled_dot_product_flash_attention_backward", attentionFormula},
    FormulaRow{"aten::_scaled_mm",
               [](const CallShapes& call, std::string_view packet) { return withOperands(call, 0, packet, ofMatrices); }},
    FormulaRow{"aten::addmm",
               [](const CallShapes& call, std::string_view packet) { return withOperands(call, 1, packet, ofMatrices); }},
    FormulaRow{"aten::baddbmm",
               [](const CallShapes& call, std::string_view packet) { return withOperands(call, 1, packet, ofBatches); }},
    FormulaRow{"aten::bmm",
               [](const CallShapes& call, std::string_view packet) { return withOperands(call, 0, packet, ofBatches); }},
    FormulaRow{"aten::chain_matmul", chainFormula},
    FormulaRow{"aten::conv1d", convolutionFormula},
    FormulaRow{"aten::conv2d", convolutionFormula},
    FormulaRow{"aten::conv3d", convolutionFormula},
    FormulaRow{"aten::conv_transpose1d", convolutionFormula},
    FormulaRow{"aten::conv_transpose2d", convolutionFormula},
    FormulaRow{"aten::conv_transpose3d", convolutionFormula},
    FormulaRow{"aten::convolution", convolutionFormula},
    FormulaRow{"aten::convolution_backward",
               [](const CallShapes& call, std::string_view) { return ofConvolutionBackward(call); }},
    FormulaRow{"aten::einsum",
               [](const CallShapes& call, std::string_view) -> Products {
                   const std::optional<EinsumFlops> flops = einsumFlops(call.text("equation", 0), call.tensors("tensors", 1),
                                                                        call.integers("path", 2));
                   if (flops && !flops->multiplies)
                       return {};
                   return {{"aten::bmm", flops ? flops->count : std::nullopt}};
               }},
    FormulaRow{"aten::gru", recurrentFormula},
    FormulaRow{"aten::gru_cell", recurrentFormula},
    FormulaRow{"aten::inner", [](const CallShapes& call, std::string_view) { return ofInner(call); }},
    FormulaRow{"aten::linalg_matmul", matmulFormula},
    FormulaRow{"aten::linalg_matrix_power", [](const CallShapes& call, std::string_view) { return ofPower(call); }},
    FormulaRow{"aten::linalg_multi_dot", chainFormula},
    FormulaRow{"aten::linear",
               [](const CallShapes& call, std::string_view) -> Products {
                   const std::optional<Shape> input = call.tensor("input", 0);
                   const std::optional<Shape> weight = call.tensor("weight", 1);
                   const bool hasBias = call.tensor("bias", 2).has_value();
                   return input && weight ? ofLinear(*input, *weight, hasBias)
                                          : Products{{hasBias ? "aten::addmm" : "aten::mm", std::nullopt}};
               }},
    FormulaRow{"aten::lstm", recurrentFormula},
    FormulaRow{"aten::lstm_cell", recurrentFormula},
    FormulaRow{"aten::matmul", matmulFormula},
    FormulaRow{"aten::matrix_power", [](const CallShapes& call, std::string_view) { return ofPower(call); }},
    FormulaRow{"aten::mm",
               [](const CallShapes& call, std::string_view packet) { return withOperands(call, 0, packet, ofMatrices); }},
    FormulaRow{"aten::rnn_relu", recurrentFormula},
    FormulaRow{"aten::rnn_relu_cell", recurrentFormula},
    FormulaRow{"aten::rnn_tanh", recurrentFormula},
    FormulaRow{"aten::rnn_tanh_cell", recurrentFormula},
    FormulaRow{"aten::scaled_dot_product_attention",
               [](const CallShapes& call, std::string_view) { return ofPlainAttention(call); }},
    FormulaRow{"aten::tensordot",
               [](const CallShapes& call, std::string_view) {
                   const std::optional<Shape> a = call.tensor("self", 0);
                   const std::optional<Shape> b = call.tensor("other", 1);
                   return a && b ? ofTensordot(*a, *b, call.integers("dims_self", 2), call.integers("dims_other", 3))
                                 : Products{{"aten::mm", std::nullopt}};
               }},
};
static_assert(std::ranges::is_sorted(kFormulas, {}, &FormulaRow::packet));

} // namespace

std::optional<std::uint64_t> sumOf(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b)
{
    std::uint64_t total = 0;
    if (!a || !b || __builtin_add_overflow(*a, *b, &total))
        return std::nullopt;
    return total;
}

std::vector<OperatorFlops> flopsOf(const CallShapes& call, std::string_view packet)
{
    const auto row = std::ranges::lower_bound(kFormulas, packet, {}, &FormulaRow::packet);
    return row != kFormulas.end() && row->packet == packet ? row->formula(call, row->packet) : Products();
}

} // namespace sunder
