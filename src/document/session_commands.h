#pragma once

#include "document/runs/run.h"

#include "analysis/device.h"
#include "io/side_files/project_file.h"

#include <QUndoCommand>

#include <vector>

namespace sunder {

class Document;

/// Undo command for a change that a tags file does not hold: devices, run history, assumed sizes, notes.
class SessionCommand : public QUndoCommand {
public:
    SessionCommand(Document& document, const QString& text) : QUndoCommand(text), m_document(document) {}

protected:
    Document& m_document; // NOLINT: only for the commands below
};

/// Changes the device table. Undo and redo swap the whole table.
class DevicesCommand final : public SessionCommand {
public:
    DevicesCommand(Document& document, std::vector<Device> devices, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();
    std::vector<Device> m_devices;
};

/// Adds, edits, moves, or removes notes. Undo and redo swap all notes.
class NotesCommand final : public SessionCommand {
public:
    NotesCommand(Document& document, std::vector<ProjectNote> notes, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();
    std::vector<ProjectNote> m_notes;
};

/// Renames a run.
class RenameRunCommand final : public SessionCommand {
public:
    RenameRunCommand(Document& document, int number, QString name, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();
    int m_number;
    QString m_name;
};

/// Removes a run from the history; undo restores it.
class DiscardRunCommand final : public SessionCommand {
public:
    DiscardRunCommand(Document& document, Run run, const QString& text);
    void undo() override;
    void redo() override;

private:
    Run m_run;
};

} // namespace sunder
