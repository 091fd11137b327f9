#include "passes/pass_options.h"

namespace sunder {
namespace {

bool isOn(const OptionValue& value)
{
    const bool* on = std::get_if<bool>(&value);
    return on != nullptr && *on;
}

std::string textOf(const OptionValue& value)
{
    const std::string* text = std::get_if<std::string>(&value);
    return text == nullptr ? std::string() : *text;
}

template <typename Options, bool Options::* member>
constexpr PassOptionOf<Options> flag(const OptionSpec& spec)
{
    return {.spec = spec, .write = [](Options& options, const OptionValue& value) { options.*member = isOn(value); }};
}

constexpr const char* kAsTorch = "Bug-for-bug &compatible with PyTorch";

// split_by_tags

constexpr PassOptionOf<SplitOptions> kSplit[] = {
    flag<SplitOptions, &SplitOptions::keepSignature>(
        {.id = "keepSignature",
         .word = "keep-signature",
         .title = "Keep the &signature of the model",
         .help = "Keep *args, **kwargs, and default values of inputs, which PyTorch's split drops.",
         .brief = "signature kept"}),
    flag<SplitOptions, &SplitOptions::returnTuple>({.id = "returnTuple",
                                                    .word = "return-tuple",
                                                    .title = "Return single results as 1-&tuples",
                                                    .help = "A part with one result returns (x,) instead of x.",
                                                    .brief = "results as tuples"}),
};

// split_module

constexpr OptionChoice kPartitionSources[] = {
    {.id = "tags", .title = "tag", .brief = "by tags"},
    {.id = "file", .title = "entry of a partitions file", .brief = "by a file"},
    {.id = "modules", .title = "module of the model", .brief = "by modules"},
};

constexpr PassOptionOf<SplitModuleOptions> kSplitModule[] = {
    {.spec = {.kind = OptionKind::choice,
              .id = "from",
              .title = "One partition p&er",
              .help = "Source of the partitions.",
              .choices = kPartitionSources}},
    {.spec = {.kind = OptionKind::file,
              .id = "file",
              .word = "partitions",
              .value = "PARTITIONS.json",
              .title = "Partitions &file",
              .help = "Partition of each op, a number or a name.",
              .belongsTo = "from=file"}},
    {.spec = {.kind = OptionKind::number,
              .id = "level",
              .word = "by-module",
              .value = "LEVEL",
              .title = "Module &level",
              .help =
                  "One partition per module of this level. 1: modules that the model itself calls. Ops in no module join the op "
                  "before them.",
              .belongsTo = "from=modules",
              .most = 1000}},
    flag<SplitModuleOptions, &SplitModuleOptions::keepOriginalOrder>(
        {.id = "keepOriginalOrder",
         .word = "keep-original-order",
         .title = "Keep the original &order of ops",
         .help = "Call partitions in the order of their first ops; refused if one depends on a later one.",
         .brief = "original order"}),
    flag<SplitModuleOptions, &SplitModuleOptions::keepOriginalNodeNames>(
        {.id = "keepOriginalNodeNames",
         .word = "keep-original-node-names",
         .title = "Keep original op &names",
         .help = "Keep the names of ops. Otherwise they are named after their targets, as in PyTorch.",
         .brief = "original names"}),
    flag<SplitModuleOptions, &SplitModuleOptions::dropOriginalInputNames>(
        {.id = "dropOriginalInputNames",
         .word = "drop-original-input-names",
         .title = "Name &inputs of parts arg_0, arg_1, and so on",
         .help = "Name the inputs of parts arg_0, arg_1, and so on, instead of after their producers.",
         .brief = "numbered inputs"}),
    {.spec = {.kind = OptionKind::text,
              .id = "partitionAffix",
              .word = "partition-affix",
              .value = "AFFIX",
              .title = "&Affix of part names",
              .help = "Name parts submod_AFFIX_ID instead of submod_ID."},
     .write =
         [](SplitModuleOptions& options, const OptionValue& value) {
             if (std::string affix = textOf(value); !affix.empty())
                 options.partitionAffix = std::move(affix);
         }},
    flag<SplitModuleOptions, &SplitModuleOptions::tupleReturn>({.id = "tupleReturn",
                                                                .word = "tuple-return",
                                                                .title = "Return single results as 1-&tuples",
                                                                .help = "A part with one result returns (x,) instead of x.",
                                                                .brief = "results as tuples"}),
    flag<SplitModuleOptions, &SplitModuleOptions::keepSignature>(
        {.id = "keepSignature",
         .word = "keep-signature",
         .title = "Keep the &signature of the model",
         .help = "Keep *args and **kwargs of inputs, which PyTorch drops together with original names.",
         .brief = "signature kept"}),
};

// unflatten

constexpr OptionChoice kCrossings[] = {
    {.id = "buffer",
     .word = "buffer",
     .title = "Pass through the module's &buffer",
     .tip = "The producer writes the value to the buffer; the module reads it from there"},
    {.id = "attribute",
     .word = "attributes",
     .title = "Pass through a new &attribute",
     .tip = "A buffer named __ival__NAME, as in PyTorch before 2.7",
     .brief = "values in attributes"},
};

constexpr PassOptionOf<UnflattenOptions> kUnflatten[] = {
    flag<UnflattenOptions, &UnflattenOptions::asUpstream>(
        {.id = "asUpstream",
         .word = "as-upstream",
         .title = kAsTorch,
         .help = "Reproduce PyTorch, even if the result is not equivalent to the model.",
         .brief = "as in PyTorch"}),
    {.spec = {.kind = OptionKind::choice,
              .id = "crossing",
              .word = "ivals",
              .value = "buffer|attributes",
              .title = "&Implicit module inputs",
              .help =
                  "How intermediate values of buffers reach modules with a preserved signature: through the buffer (default), "
                  "or through attributes __ival__NAME.",
              .choices = kCrossings},
     .write =
         [](UnflattenOptions& options, const OptionValue& value) {
             options.crossing = textOf(value) == "attribute" ? CrossingValues::attribute : CrossingValues::buffer;
         }},
    flag<UnflattenOptions, &UnflattenOptions::sharedResults>(
        {.id = "sharedResults",
         .word = "shared-results",
         .title = "Results share &memory as in the model",
         .help = "Let results share memory with buffers and inputs as in program.module().",
         .brief = "shared results"}),
};

// regions, deduplicate

constexpr OptionChoice kKeys[] = {
    {.title = "by keys if the model has them, e&lse by structure"},
    {.id = "tracked",
     .word = "tracked",
     .title = "by &tracked keys",
     .tip = "Keys from TorchDynamo's region tracker, if the file has them"},
    {.id = "structural",
     .word = "structural",
     .title = "by &structure",
     .tip = "Target, constants, and shapes and dtypes of inputs"},
};

constexpr PassOptionOf<RegionOptions> kRegions[] = {
    {.spec = {.kind = OptionKind::choice,
              .id = "key",
              .word = "key",
              .value = "tracked|structural",
              .title = "Compare &ops",
              .help =
                  "How ops of repeated regions are compared: by the region keys in the file (tracked, default if present) or by "
                  "their own properties (structural).",
              .choices = kKeys},
     .write =
         [](RegionOptions& options, const OptionValue& value) {
             if (const std::string key = textOf(value); !key.empty())
                 options.key = key == "tracked" ? RegionKey::tracked : RegionKey::structural;
         }},
    flag<RegionOptions, &RegionOptions::asUpstream>(
        {.id = "asUpstream",
         .word = "as-upstream",
         .title = kAsTorch,
         .help = "Keep repeated regions that overlap or cannot run as one call, as PyTorch does.",
         .brief = "as in PyTorch"}),
};

// move_non_tensor

constexpr OptionChoice kTellings[] = {
    {.title = "by out_type, else by value"},
    {.id = "type", .title = "by out_type only, as PyTorch does", .brief = "by out_type"},
};

constexpr PassOptionOf<MoveByTagsOptions> kMoves[] = {
    {.spec = {.kind = OptionKind::choice,
              .id = "telling",
              .word = "by-values",
              .title = "Identify &tensors",
              .help = "For ops without out_type, as in files of torch.export, let the value decide whether it is a "
                      "tensor.",
              .choices = kTellings},
     .write =
         [](MoveByTagsOptions& options, const OptionValue& value) {
             options.telling = textOf(value) == "type" ? TensorTelling::byType : TensorTelling::byValue;
         }},
    {.spec = {.kind = OptionKind::tags,
              .id = "accelerators",
              .word = "accelerators",
              .value = "TAG,TAG",
              .title = "&Accelerator parts",
              .help = "Move only ops with these tags. Default: all tags."},
     .write =
         [](MoveByTagsOptions& options, const OptionValue& value) {
             if (const auto* tags = std::get_if<std::vector<std::string>>(&value))
                 for (const std::string& tag : *tags)
                     options.accelerators.push_back(intern(tag));
         }},
};

// partition; for the configuration of a partitioner, see partitionerKeys()

constexpr PassOptionOf<SizeBasedOptions> kSizeBased[] = {
    flag<SizeBasedOptions, &SizeBasedOptions::exact>({.id = "asTorch",
                                                      .word = "exact-2020",
                                                      .title = kAsTorch,
                                                      .help = "With --devices: reproduce the bugs of the 2020 partitioner.",
                                                      .brief = "as in PyTorch"}),
};

constexpr PassOptionOf<PartitionTodayOptions> kPartitionToday[] = {
    flag<PartitionTodayOptions, &PartitionTodayOptions::asUpstream>({.id = "asTorch",
                                                                     .word = "as-upstream",
                                                                     .title = kAsTorch,
                                                                     .help = "With --config: reproduce the bugs of PyTorch.",
                                                                     .brief = "as in PyTorch"}),
};

} // namespace

template <>
std::span<const PassOptionOf<SplitOptions>> passOptions()
{
    return kSplit;
}

template <>
std::span<const PassOptionOf<SplitModuleOptions>> passOptions()
{
    return kSplitModule;
}

template <>
std::span<const PassOptionOf<UnflattenOptions>> passOptions()
{
    return kUnflatten;
}

template <>
std::span<const PassOptionOf<RegionOptions>> passOptions()
{
    return kRegions;
}

template <>
std::span<const PassOptionOf<MoveByTagsOptions>> passOptions()
{
    return kMoves;
}

template <>
std::span<const PassOptionOf<SizeBasedOptions>> passOptions()
{
    return kSizeBased;
}

template <>
std::span<const PassOptionOf<PartitionTodayOptions>> passOptions()
{
    return kPartitionToday;
}

} // namespace sunder
