#pragma once

#include "document/runs/run.h"

#include "analysis/device.h"
#include "io/side_files/project_file.h"

#include <QUndoCommand>

#include <vector>

namespace sunder {

class Document;

/// Undo of what stands beside the tags (devices, history of runs, assumed sizes): no tags file holds it.
class SessionCommand : public QUndoCommand {
public:
    SessionCommand(Document& document, const QString& text) : QUndoCommand(text), m_document(document) {}

protected:
    Document& m_document; // NOLINT: for the commands below alone
};

/// The table of devices changes. Undo and redo swap the whole of it.
class DevicesCommand final : public SessionCommand {
public:
    DevicesCommand(Document& document, std::vector<Device> devices, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();
    std::vector<Device> m_devices;
};

/// Notes are written, moved or taken away. Undo and redo swap all of them.
class NotesCommand final : public SessionCommand {
public:
    NotesCommand(Document& document, std::vector<ProjectNote> notes, const QString& text);
    void undo() override { swap(); }
    void redo() override { swap(); }

private:
    void swap();
    std::vector<ProjectNote> m_notes;
};

/// A run gets another name.
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

/// A run leaves the history, and comes back by undo.
class DiscardRunCommand final : public SessionCommand {
public:
    DiscardRunCommand(Document& document, Run run, const QString& text);
    void undo() override;
    void redo() override;

private:
    Run m_run;
};

} // namespace sunder
