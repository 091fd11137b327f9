#pragma once

#include "document/runs/outcome.h"

#include <QString>

#include <vector>

namespace sunder {

/// A value of an option with choices.
struct PassChoice {
    QString id;         ///< the value in PassOptions
    QString title;      ///< with mnemonic
    QString brief = {}; ///< used in the name of a run with this value
};

/// An option of a pass. A plain value: dialogs, menus, history, and panes are derived from it.
struct PassOption {
    enum class Kind : quint8 {
        flag,   ///< bool
        choice, ///< id of a PassChoice
        file,   ///< path of a file to read
        text,   ///< a line of text; may be empty
        number, ///< integer from 1 to `most`
        tags,   ///< names of tags of the model; empty for all
        note,   ///< a value from the pass's own form; display only
    };

    QString id; ///< the key in PassOptions
    Kind kind = Kind::flag;
    QString title;                        ///< with mnemonic
    QString tip = {};                     ///< a sentence
    QString brief = {};                   ///< of a flag: used in the name of a run with this flag
    std::vector<PassChoice> choices = {}; ///< of a choice; the first is the default
    QString belongsTo = {};               ///< "from=file": the choice that enables this option; empty if always enabled
    QString filter = {};                  ///< file dialog filter of a file
    int most = 1;                         ///< maximum of a number
};

/// Returns the effective value: the given one, or the default (false, the first choice, no file or text, 1, all tags).
[[nodiscard]] QVariant valueOf(const PassOption& option, const PassOptions& options);

/// Returns whether the other options enable this one.
[[nodiscard]] bool isInUse(const PassOption& option, const std::vector<PassOption>& all, const PassOptions& options);

/// Returns the parts of a run's name that describe its options: "signature kept", "results as tuples".
[[nodiscard]] QStringList briefsOf(const std::vector<PassOption>& all, const PassOptions& options);

/// Returns all enabled options with their values, one per line: "Keep the signature of the model: no".
[[nodiscard]] QStringList linesOf(const std::vector<PassOption>& all, const PassOptions& options);

} // namespace sunder
