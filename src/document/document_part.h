#pragma once

#include "document/changes.h"
#include "jobs/jobs.h"

#include "analysis/snapshot.h"

#include <functional>
#include <memory>
#include <utility>

class QUndoCommand;

namespace sunder {

class Document;

/// A part of the document with its own state and verbs. It reads the document and its other parts, pushes undo steps, and announces
/// its changes.
class DocumentPart {
protected:
    explicit DocumentPart(Document& document) : m_document(document) {}

    [[nodiscard]] Document& document() const { return m_document; }
    [[nodiscard]] const SnapshotPtr& snapshot() const;
    void push(QUndoCommand* step);
    /// Joins all pushed steps into one, up to endMacro().
    void beginMacro(const QString& undoText);
    void endMacro();
    /// Emits Document::changed(), or collects the changes during Document::goToStep().
    void announce(Changes what);
    /// Emits Document::messageEmitted().
    void say(const QString& text, Changes until = {});
    /// Checks the tags after a change of anything that the check depends on.
    void recheck();
    /// Computes a result: synchronously for a small model, in a job for a large one. `done` is not called if another model was
    /// opened meanwhile.
    template <typename T>
    void compute(const QString& title, std::function<Result<T>(ProgressMonitor&)> work, std::function<void(Result<T>)> done)
    {
        if (!isLarge()) {
            done(work(ProgressMonitor::none()));
            return;
        }
        jobs()->start<T>({.key = QStringLiteral("compute"), .title = title}, std::move(work), context(),
                         [this, of = snapshot(), done = std::move(done)](Result<T> result) {
                             if (isStill(of))
                                 done(std::move(result));
                         });
    }
    /// Computes a result in a job, regardless of the size of the model; synchronously if there are no jobs. `done` is not called if
    /// the job was replaced or dropped.
    template <typename T>
    JobId computeLater(const JobSpec& spec, std::function<Result<T>(ProgressMonitor&)> work, std::function<void(Result<T>)> done)
    {
        if (jobs() != nullptr)
            return jobs()->start<T>(spec, std::move(work), context(), std::move(done));
        done(work(ProgressMonitor::none()));
        return {};
    }
    /// Cancels a job whose result is no longer wanted.
    void drop(JobId job);
    /// Destroys a value in the background if there are jobs.
    template <typename T>
    void release(T value)
    {
        Jobs::discard(jobs(), std::move(value));
    }

private:
    [[nodiscard]] Jobs* jobs() const;
    [[nodiscard]] QObject* context() const;
    [[nodiscard]] bool isLarge() const;
    [[nodiscard]] bool isStill(const SnapshotPtr& snapshot) const;

    Document& m_document;
};

} // namespace sunder
