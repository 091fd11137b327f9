#pragma once

#include "document/document.h"
#include "document/passes/cli_command.h"

#include <QObject>

#include <map>

namespace sunder {

/// The sunder-cli commands of those undo steps that have one.
class StepCommands final : public QObject {
    Q_OBJECT

public:
    StepCommands(Document& document, QObject* parent);

    /// Assigns a command to the last undo step.
    void note(CliCommand command);
    /// Returns the command of a step (counted from 1), or null.
    [[nodiscard]] const CliCommand* of(int step) const;

private:
    struct Noted {
        const QUndoCommand* step = nullptr; ///< step in the document's undo stack
        CliCommand command;
    };

    void forgetGone();

    Document& m_document;
    std::map<int, Noted> m_noted; ///< by step
};

} // namespace sunder
