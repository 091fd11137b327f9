#pragma once

#include "document/runs/outcome.h"

#include <QString>

#include <vector>

namespace sunder {

/// One of the values that an option may have.
struct PassChoice {
    QString id;         ///< the value in PassOptions
    QString title;      ///< with its mnemonic
    QString brief = {}; ///< in the name of a run that was made with it
};

/// Something that a pass can be told. A plain value: dialog, menu, history and panes are made from it.
struct PassOption {
    enum class Kind : quint8 {
        flag,   ///< bool
        choice, ///< id of a PassChoice
        file,   ///< path of a file to read
        text,   ///< a line of text; empty: none
        number, ///< whole, from 1 to `most`
        tags,   ///< names of tags of the model; none: all
        note,   ///< what a form of its own has asked for: only shown
    };

    QString id; ///< the key in PassOptions
    Kind kind = Kind::flag;
    QString title;                        ///< with its mnemonic
    QString tip = {};                     ///< a sentence
    QString brief = {};                   ///< of a flag, in the name of a run that was made with it
    std::vector<PassChoice> choices = {}; ///< of a choice; the first is the usual one
    QString belongsTo = {};               ///< "from=file": the choice that it goes with; empty: it always counts
    QString filter = {};                  ///< of a file
    int most = 1;                         ///< of a number
};

/// The effective value: the given one, or the default (false, the first choice, no file or text, 1, all tags).
[[nodiscard]] QVariant valueOf(const PassOption& option, const PassOptions& options);

/// Whether the option counts beside the others.
[[nodiscard]] bool isInUse(const PassOption& option, const std::vector<PassOption>& all, const PassOptions& options);

/// What a run made with them is called by, behind the name of its pass: "signature kept", "results as tuples".
[[nodiscard]] QStringList briefsOf(const std::vector<PassOption>& all, const PassOptions& options);

/// All that counts, a line each: "Keep the signature of the model: no". The whole story of how a run was made.
[[nodiscard]] QStringList linesOf(const std::vector<PassOption>& all, const PassOptions& options);

} // namespace sunder
