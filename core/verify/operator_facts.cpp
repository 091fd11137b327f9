#include "verify/operator_facts.h"

#include "analysis/operator_names.h"

#include <array>
#include <span>

namespace sunder {
namespace {

/// Operators whose arguments decide what they do. ATen's order of arguments unless `functional`.
struct Conditional {
    std::string_view name;
    bool functional; ///< of torch.nn.functional
    RandomRule random;
    WriteRule write;
    std::uint8_t flag;
    std::int8_t inPlaceFlag;
    std::uint32_t written;
};

constexpr auto R0 = RandomRule::never;
constexpr auto W0 = WriteRule::none;

constexpr std::array kConditional{
    Conditional{"dropout", true, RandomRule::training, W0, 2, 3, 0},
    Conditional{"dropout1d", true, RandomRule::training, W0, 2, 3, 0},
    Conditional{"dropout2d", true, RandomRule::training, W0, 2, 3, 0},
    Conditional{"dropout3d", true, RandomRule::training, W0, 2, 3, 0},
    Conditional{"alpha_dropout", true, RandomRule::training, W0, 2, 3, 0},
    Conditional{"feature_alpha_dropout", true, RandomRule::training, W0, 2, 3, 0},
    Conditional{"rrelu", true, RandomRule::training, W0, 3, 4, 0},
    Conditional{"dropout", false, RandomRule::training, W0, 2, -1, 0},
    Conditional{"dropout_", false, RandomRule::training, WriteRule::first, 2, -1, 0},
    Conditional{"alpha_dropout", false, RandomRule::training, W0, 2, -1, 0},
    Conditional{"alpha_dropout_", false, RandomRule::training, WriteRule::first, 2, -1, 0},
    Conditional{"feature_dropout", false, RandomRule::training, W0, 2, -1, 0},
    Conditional{"feature_dropout_", false, RandomRule::training, WriteRule::first, 2, -1, 0},
    Conditional{"feature_alpha_dropout", false, RandomRule::training, W0, 2, -1, 0},
    Conditional{"feature_alpha_dropout_", false, RandomRule::training, WriteRule::first, 2, -1, 0},
    Conditional{"native_dropout", false, RandomRule::training, W0, 2, -1, 0},
    Conditional{"rrelu", false, RandomRule::training, W0, 3, -1, 0},
    Conditional{"rrelu_", false, RandomRule::training, WriteRule::first, 3, -1, 0},
    Conditional{"rrelu_with_noise", false, RandomRule::training, WriteRule::mask, 4, -1, 0b10},
    Conditional{"rrelu_with_noise_", false, RandomRule::training, WriteRule::mask, 4, -1, 0b11},
    Conditional{"scaled_dot_product_attention", false, RandomRule::dropoutP, W0, 4, -1, 0},
    Conditional{"lstm", false, RandomRule::recurrent, W0, 5, -1, 0},
    Conditional{"gru", false, RandomRule::recurrent, W0, 5, -1, 0},
    Conditional{"rnn_tanh", false, RandomRule::recurrent, W0, 5, -1, 0},
    Conditional{"rnn_relu", false, RandomRule::recurrent, W0, 5, -1, 0},
    Conditional{"multi_head_attention_forward", true, RandomRule::attention, W0, 10, -1, 0},
    Conditional{"batch_norm", true, R0, WriteRule::maskTraining, 5, -1, 0b110},
    Conditional{"instance_norm", true, R0, WriteRule::maskTraining, 5, -1, 0b110},
    Conditional{"batch_norm", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"native_batch_norm", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"cudnn_batch_norm", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"miopen_batch_norm", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"_batch_norm_impl_index", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"_native_batch_norm_legit", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"instance_norm", false, R0, WriteRule::maskTraining, 5, -1, 0b11000},
    Conditional{"_batch_norm_with_update", false, R0, WriteRule::mask, 0, -1, 0b11000},
    Conditional{"batch_norm_gather_stats", false, R0, WriteRule::mask, 0, -1, 0b11000},
    Conditional{"batch_norm_gather_stats_with_counts", false, R0, WriteRule::mask, 0, -1, 0b11000},
    Conditional{"batch_norm_update_stats", false, R0, WriteRule::mask, 0, -1, 0b110},
    Conditional{"fused_moving_avg_obs_fake_quant", false, R0, WriteRule::mask, 0, -1, 0b1111000},
    Conditional{"_fused_moving_avg_obs_fq_helper", false, R0, WriteRule::mask, 0, -1, 0b1111000},
    Conditional{"_cummax_helper", false, R0, WriteRule::mask, 0, -1, 0b110},
    Conditional{"_cummin_helper", false, R0, WriteRule::mask, 0, -1, 0b110},
    Conditional{"embedding", true, R0, WriteRule::maxNorm, 3, -1, 0b10},
    Conditional{"embedding_bag", true, R0, WriteRule::maxNorm, 3, -1, 0b10},
    Conditional{"relu", true, R0, W0, 0, 1, 0},
    Conditional{"relu6", true, R0, W0, 0, 1, 0},
    Conditional{"hardtanh", true, R0, W0, 0, 3, 0},
    Conditional{"hardsigmoid", true, R0, W0, 0, 1, 0},
    Conditional{"hardswish", true, R0, W0, 0, 1, 0},
    Conditional{"elu", true, R0, W0, 0, 2, 0},
    Conditional{"selu", true, R0, W0, 0, 1, 0},
    Conditional{"celu", true, R0, W0, 0, 2, 0},
    Conditional{"leaky_relu", true, R0, W0, 0, 2, 0},
    Conditional{"silu", true, R0, W0, 0, 1, 0},
    Conditional{"mish", true, R0, W0, 0, 1, 0},
    Conditional{"threshold", true, R0, W0, 0, 3, 0},
};

void applyConditional(const OperatorName& name, OperatorFacts& facts)
{
    const bool functional = name.library.starts_with("torch.nn.functional");
    for (const Conditional& known : kConditional) {
        if (known.name != name.name || (known.functional && !functional))
            continue;
        facts.random = known.random;
        facts.write = known.write != WriteRule::none ? known.write : facts.write;
        facts.flag = known.flag;
        facts.inPlaceFlag = known.inPlaceFlag;
        facts.written = known.written;
        if (known.random == RandomRule::recurrent && name.overload == "data")
            ++facts.flag;
        facts.identityUnlessRandom = known.random == RandomRule::training && name.name.find("dropout") != std::string_view::npos
            && name.name != "native_dropout";
        return;
    }
}

/// "x += y" and the like of Python: in place where x is a tensor or a list, a new value where it is a number.
bool isAugmented(std::string_view name)
{
    static constexpr std::array<std::string_view, 14> kPython{
        "iadd", "isub", "imul", "imatmul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift",
        "irshift", "iconcat"};
    if (name.size() > 6 && name.starts_with("__") && name.ends_with("__"))
        name = name.substr(2, name.size() - 4);
    for (const std::string_view known : kPython)
        if (name == known)
            return true;
    return false;
}

bool endsInOneUnderscore(const OperatorName& name)
{
    const bool python = name.library == "_operator" || name.library == "operator"; // and_, or_, not_, is_
    return !python && name.name.size() > 1 && name.name.ends_with('_') && !name.name.ends_with("__");
}

void applyWrites(const OperatorName& name, OperatorFacts& facts)
{
    facts.changesMetadata = changesMetadata(name.name);
    if (isAugmented(name.name)) {
        facts.write = WriteRule::first;
        facts.aliasing = Aliasing::maybeAny;
    } else if (endsInOneUnderscore(name)) {
        facts.write = WriteRule::first;
        facts.returnsFirst = isTensorLibrary(name.library);
        facts.overwrites = name.name == "copy_";
        facts.detaches = name.name == "detach_" && facts.returnsFirst;
        if (name.name.starts_with("_fused_") || name.name.starts_with("_amp_"))
            facts.write = WriteRule::all;
        if (name.name.starts_with("_foreach_") || facts.write == WriteRule::all)
            facts.returnsFirst = false;
        if (!facts.returnsFirst)
            facts.aliasing = Aliasing::maybeAny;
    } else if (changesContainer(name.name) || facts.changesMetadata) {
        facts.write = WriteRule::first;
        facts.aliasing = Aliasing::maybeAny;
    }
}

bool applyHigherOrder(const OperatorName& name, OperatorFacts& facts)
{
    if (name.library != "torch.ops.higher_order")
        return false;
    static constexpr std::array<std::string_view, 5> kInvoke{"invoke_subgraph", "wrap", "strict_mode",
                                                             "tag_activation_checkpoint", "wrap_activation_checkpoint"};
    facts.role = CallRole::closures;
    facts.aliasing = Aliasing::maybeAny;
    static constexpr std::array<std::string_view, 6> kFresh{"cond", "while_loop", "scan", "map", "map_impl",
                                                            "associative_scan"};
    for (const std::string_view known : kInvoke)
        if (name.name == known)
            facts.role = CallRole::invoke;
    for (const std::string_view known : kFresh) // PyTorch refuses bodies that return what they are given
        if (name.name == known)
            facts.aliasing = Aliasing::fresh;
    if (name.name == "wrap_with_set_grad_enabled")
        facts.role = CallRole::gradRegion;
    else if (name.name == "wrap_with_autocast")
        facts.role = CallRole::autocastRegion;
    else if (name.name == "with_effects")
        facts.role = CallRole::withEffects;
    else if (name.name == "print")
        facts.role = CallRole::effect;
    else if (name.name.find("mutation") != std::string_view::npos || name.name == "call_torchbind"
             || name.name.starts_with("auto_functionalized"))
        facts.write = WriteRule::all;
    return true;
}

/// Setters of the global state by the field that they set. The second name undoes the first with a default.
struct Setter {
    std::string_view name;
    std::string_view field;
    bool gradient;
};
constexpr std::array kSetters{
    Setter{"_set_grad_enabled", "grad mode", true},
    Setter{"set_grad_enabled", "grad mode", true},
    Setter{"_saved_tensors_hooks_disable", "saved tensor hooks", true},
    Setter{"_saved_tensors_hooks_enable", "saved tensor hooks", true},
    Setter{"_set_default_dtype", "default dtype", false},
    Setter{"set_default_dtype", "default dtype", false},
    Setter{"_set_deterministic_algorithms", "determinism", false},
    Setter{"use_deterministic_algorithms", "determinism", false},
};

bool applyState(const OperatorName& name, OperatorFacts& facts)
{
    const bool torch = name.library == "torch" || name.library.starts_with("torch.");
    const bool operators = name.library.starts_with("torch.ops.") && !isStatefulLibrary(name.library);
    if (!torch || operators)
        return false;
    for (const Setter& setter : kSetters) {
        if (setter.name != name.name)
            continue;
        facts.role = CallRole::setState;
        facts.field = intern(setter.field);
        facts.gradField = setter.gradient;
        return true;
    }
    if (name.name == "_enter_autocast" || name.name == "_enter_inference_mode") {
        facts.role = CallRole::enter;
        facts.field = intern(name.name.substr(7));
    } else if (name.name == "_exit_autocast" || name.name == "_exit_inference_mode") {
        facts.role = CallRole::leave;
        facts.field = intern(name.name.substr(6));
    } else if (isRandom(name.name)) {
        return false;
    } else if (name.name.starts_with("set_") || name.name.starts_with("_set_")
               || (isStatefulLibrary(name.library) && !isTensorLibrary(name.library))) {
        facts.role = CallRole::stir;
    } else {
        return false;
    }
    return true;
}

CallRole plainRole(Op op, const OperatorName& name)
{
    const bool python = name.library.empty() || name.library == "builtins";
    if (name.name == "getitem" || name.name == "__getitem__")
        return CallRole::getItem;
    if (op == Op::callFunction && python && (name.name == "dict" || name.name == "list" || name.name == "tuple"))
        return CallRole::container;
    if (name.library == "torch.fx._pytree" && name.name == "tree_flatten_spec")
        return CallRole::treeFlatten;
    if (name.library == "torch.utils._pytree" && name.name == "tree_unflatten")
        return CallRole::treeUnflatten;
    if (isAssertion(name.name))
        return CallRole::assertion;
    if (name.name == "_print" || (python && name.name == "print" && op == Op::callFunction))
        return CallRole::effect;
    if (name.name == "is_" || name.name == "is_not" || (python && name.name == "id"))
        return CallRole::undecidable;
    if (isQuery(name.name))
        return CallRole::query;
    return CallRole::function;
}

} // namespace

OperatorFacts operatorFacts(Op op, std::string_view target)
{
    OperatorName name = operatorName(target);
    if (op == Op::callMethod)
        name = {"torch.Tensor", target, {}};
    OperatorFacts facts;
    if (applyHigherOrder(name, facts))
        return facts;
    if (op == Op::callFunction && applyState(name, facts))
        return facts;
    facts.role = plainRole(op, name);
    const bool builtin = name.library.empty() || name.library == "builtins";
    const bool known = isTensorLibrary(name.library) || builtin || facts.role != CallRole::function;
    if (isRandom(name.name))
        facts.random = RandomRule::always;
    if (!known || mayReturnAny(name.name) || builtin)
        facts.aliasing = Aliasing::maybeAny;
    else if (mayReturnFirst(name.name) && !(name.name == "copy" && !name.overload.empty())) // aten.copy; dicts have another
        facts.aliasing = Aliasing::maybe;
    else if (isView(name.name))
        facts.aliasing = Aliasing::view;
    applyWrites(name, facts);
    if (known)
        applyConditional(name, facts);
    facts.ordersKeywords = !isTensorLibrary(name.library);
    facts.assumedPure = !known && facts.write == WriteRule::none && facts.random == RandomRule::never;
    return facts;
}

const OperatorFacts& OperatorCatalogue::of(Op op, InternedString target)
{
    const std::uint64_t key = static_cast<std::uint64_t>(target.id()) << 8U | static_cast<std::uint64_t>(op);
    const auto found = m_known.find(key);
    return found != m_known.end() ? found->second : m_known.emplace(key, operatorFacts(op, target.view())).first->second;
}

} // namespace sunder
