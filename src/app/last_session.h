#pragma once

#include "document/document.h"
#include "panes/graph_view.h"

#include <QObject>

#include <functional>
#include <memory>

namespace sunder {

class AssumedSizes;
class SourcePane;
class Workflow;

/// State when the window was last closed: the model, its tags file, assumed sizes, open modules, and view. Stored in the
/// settings; values read from there are untrusted, and invalid ones are ignored.
class LastSession final : public QObject {
    Q_OBJECT

public:
    LastSession(Document& document, Workflow& workflow, SourcePane& source, AssumedSizes& sizes, QObject* parent = nullptr);

    /// Stores the current state; stores nothing if no model is open.
    void save() const;
    /// Opens the last model with `open`, in the background. Removes the stored state first, so that a file that crashes the
    /// program is not opened at every start. Reports a missing or changed model.
    void restore(const std::function<void(const QString& path)>& open);

signals:
    void message(const QString& text);

private:
    struct Kept {
        QString model;
        QString program; ///< program name in a file that holds several
        QString tags; ///< empty: none
        QString stamp; ///< size and time of the model's file
        std::optional<GraphSight> sight;
        QString sizes; ///< assumed sizes as "s27=16"; empty for those of the file
    };
    [[nodiscard]] static std::unique_ptr<Kept> kept();
    void showAgain(const QString& path);

    Document& m_document;
    Workflow& m_workflow;
    SourcePane& m_source;
    AssumedSizes& m_sizes;
    std::unique_ptr<Kept> m_awaited; ///< state to restore once its model has been read
};

} // namespace sunder
