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

/// What was open when the window was closed: the model, the file of its tags, what sizes were assumed, which modules were open, and where one looked. Kept
/// in the settings, which are not trusted when they are read: what makes no sense is left out.
class LastSession final : public QObject {
    Q_OBJECT

public:
    LastSession(Document& document, Workflow& workflow, SourcePane& source, AssumedSizes& sizes, QObject* parent = nullptr);

    /// What is open now; nothing where no model is.
    void save() const;
    /// Opens what was open, by `open`, in the background. What is kept is forgotten first, so that a file with which the program
    /// ends does not come again. A model that is gone, or another one now, is said in words.
    void restore(const std::function<void(const QString& path)>& open);

signals:
    void message(const QString& text);

private:
    struct Kept {
        QString model;
        QString program; ///< of a file with several
        QString tags; ///< empty: none
        QString stamp; ///< size and time of the model's file
        std::optional<GraphSight> sight;
        QString sizes; ///< "s27=16", what was assumed; empty: what the file says
    };
    [[nodiscard]] static std::unique_ptr<Kept> kept();
    void showAgain(const QString& path);

    Document& m_document;
    Workflow& m_workflow;
    SourcePane& m_source;
    AssumedSizes& m_sizes;
    std::unique_ptr<Kept> m_awaited; ///< its model is being read
};

/// Where one was in a graph, as text for the settings: JSON. Empty where there is more than is worth keeping (10,000 names).
[[nodiscard]] QString textOfSight(const GraphSight& sight);
/// Nothing where the text is not such a sight: numbers out of range, too many or too long names.
[[nodiscard]] std::optional<GraphSight> sightOfText(const QString& text);

} // namespace sunder
