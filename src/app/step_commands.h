#pragma once

#include "document/document.h"
#include "document/passes/cli_command.h"

#include <QObject>

#include <map>

namespace sunder {

/// Of the steps in the history, those that a command of sunder-cli makes as well.
class StepCommands final : public QObject {
    Q_OBJECT

public:
    StepCommands(Document& document, QObject* parent);

    /// The step that was made last is made by this command.
    void note(CliCommand command);
    /// That of a step, counted from 1; null where there is none.
    [[nodiscard]] const CliCommand* of(int step) const;

private:
    struct Noted {
        const QUndoCommand* step = nullptr; ///< of the document's undo stack
        CliCommand command;
    };

    void forgetGone();

    Document& m_document;
    std::map<int, Noted> m_noted; ///< by the step
};

} // namespace sunder
