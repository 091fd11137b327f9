#include "verify/leaf_module_facts.h"

namespace sunder {
namespace {

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    for (const std::string_view word : words)
        if (text == word)
            return true;
    return false;
}

} // namespace

LeafModuleFacts leafModuleFacts(std::string_view cls)
{
    constexpr std::string_view kTorch = "torch.nn.modules.";
    const std::size_t dot = cls.rfind('.');
    const std::string_view name = cls.substr(dot == std::string_view::npos ? 0 : dot + 1);
    LeafModuleFacts facts;
    facts.guards = name == "GuardsFn";
    if (!cls.starts_with(kTorch))
        return facts;
    const std::string_view rest = cls.substr(kTorch.size());
    const std::string_view file = rest.substr(0, rest.find('.'));
    facts.identity = name == "Identity";
    if (isOneOf(file, {"linear", "conv", "batchnorm", "normalization", "instancenorm", "sparse", "pooling", "rnn",
                       "upsampling", "loss", "padding"}))
        facts.aliasing = Aliasing::fresh;
    facts.random = file == "dropout" || name.starts_with("FractionalMaxPool")
        || isOneOf(name, {"RReLU", "MultiheadAttention", "Transformer", "TransformerEncoder", "TransformerDecoder",
                          "TransformerEncoderLayer", "TransformerDecoderLayer", "RNN", "LSTM", "GRU"});
    facts.writesBuffers = file == "batchnorm" || file == "instancenorm";
    facts.neverInPlace = facts.aliasing == Aliasing::fresh || isOneOf(file, {"flatten", "fold"});
    return facts;
}

} // namespace sunder
