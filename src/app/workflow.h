#pragma once

#include "document/document.h"
#include "document/open_model.h"
#include "jobs/jobs.h"

#include <QObject>

namespace sunder {

/// What one does with a model from opening to parts on disk: each step a job in the background, its end said in words.
class Workflow final : public QObject {
    Q_OBJECT

public:
    Workflow(Document& document, Jobs& jobs, QObject* parent = nullptr);

    /// Reads a model; the open one stays until it is there, and stays for good when it cannot be read. `program`: which
    /// one of a file that holds several.
    void openModelFile(const QString& path, const QString& program = {});
    /// Takes over a tags file; undoable.
    void openTagsFile(const QString& path);
    bool saveTags(const QString& path);
    /// Splits and verifies. When the tags are not legal it says why instead.
    void split();
    /// Tags every op with one of `count` consecutive stages.
    void tagInStages(int count, bool byBytes);

    [[nodiscard]] bool isReading() const { return m_jobs.isRunning(QStringLiteral("read")); }
    /// Why a split would be refused now, as a sentence; empty when it would not.
    [[nodiscard]] QString refusal() const;

signals:
    void opened(const QString& path);
    /// The file holds several programs and one of them has to be named.
    void programWanted(const QString& path, const std::vector<sunder::Pt2ProgramEntry>& programs);
    /// A model could not be read: `path`, and one line with the reason.
    void openFailed(const QString& path, const QString& why);
    void splitDone();
    /// A split was refused; the problems say more.
    void splitRefused(const QString& why);
    /// Something to say in the status line and the log.
    void message(const QString& text);
    /// Something that did not work, worth a dialog.
    void failed(const QString& title, const QString& why);

private:
    void takeModel(OpenedModel opened, const QString& path);
    void reportSplit();

    Document& m_document;
    Jobs& m_jobs;
};

} // namespace sunder
