#pragma once

#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/partition/accelerator_partitioner.h"
#include "passes/partition/size_based_partitioner.h"
#include "passes/regions/find_regions.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_module/split_module.h"
#include "passes/unflatten/unflatten.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sunder {

enum class OptionKind : std::uint8_t {
    flag,
    choice,
    file,   ///< path of a file to read
    text,   ///< a line of text; may be empty
    number, ///< integer from 1 to `most`
    tags,   ///< names of tags of the model; empty for all
    note,   ///< a value from a form of its own; display only
};

/// A value of an option with choices.
struct OptionChoice {
    const char* id = "";    ///< in stored runs
    const char* word = "";  ///< in sunder-cli; empty if the option has to be left out for this choice
    const char* title = ""; ///< with mnemonic
    const char* tip = "";
    const char* brief = ""; ///< used in the name of a run with this value
};

/// An option of a pass, declared once. Menus and forms of the window, stored runs, the options of sunder-cli with their help, and
/// the table in docs/passes.md are derived from it.
struct OptionSpec {
    OptionKind kind = OptionKind::flag;
    const char* id = ""; ///< in stored runs: "keepSignature"
    const char* word = ""; ///< in sunder-cli: "keep-signature"; empty if there is no such option
    const char* value =
        ""; ///< name of its value: "AFFIX", or the words of a choice. A choice without one is a flag for the first
    const char* title = ""; ///< with mnemonic
    const char* help = ""; ///< a sentence with a full stop
    const char* brief = ""; ///< of a flag: used in the name of a run with this flag
    std::span<const OptionChoice> choices = {}; ///< the first is the default
    const char* belongsTo = ""; ///< "from=file": the choice that enables this option; empty if always enabled
    int most = 1; ///< maximum of a number
};

/// A flag, the id of a choice or a text, or tags.
using OptionValue = std::variant<bool, std::string, std::vector<std::string>>;

/// An option and its place in the options of a pass. `write` is null for options that choose another input of the pass.
template <typename Options>
struct PassOptionOf {
    OptionSpec spec;
    void (*write)(Options& options, const OptionValue& value) = nullptr;
};

/// Returns the options of a pass, in the order of forms and of --help.
template <typename Options>
std::span<const PassOptionOf<Options>> passOptions();

template <>
std::span<const PassOptionOf<SplitOptions>> passOptions();
template <>
std::span<const PassOptionOf<SplitModuleOptions>> passOptions();
template <>
std::span<const PassOptionOf<UnflattenOptions>> passOptions();
template <>
std::span<const PassOptionOf<RegionOptions>> passOptions();
template <>
std::span<const PassOptionOf<MoveByTagsOptions>> passOptions();
template <>
std::span<const PassOptionOf<SizeBasedOptions>> passOptions();
template <>
std::span<const PassOptionOf<PartitionTodayOptions>> passOptions();

template <typename Options>
std::vector<OptionSpec> optionSpecs()
{
    std::vector<OptionSpec> specs;
    for (const PassOptionOf<Options>& option : passOptions<Options>())
        specs.push_back(option.spec);
    return specs;
}

/// Converts plain values to the options of a pass. `valueOf` returns the effective value of each option.
template <typename Options>
Options optionsFrom(const std::function<OptionValue(const OptionSpec&)>& valueOf)
{
    Options options;
    for (const PassOptionOf<Options>& option : passOptions<Options>())
        if (option.write != nullptr)
            option.write(options, valueOf(option.spec));
    return options;
}

} // namespace sunder
