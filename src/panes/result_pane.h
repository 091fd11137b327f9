#pragma once

#include "document/document.h"
#include "panes/pane.h"

namespace sunder {

/// A pane for the shown run of one kind of result. Its header names the run and the verification verdict. It receives the
/// selection and hovered nodes as nodes of the run's program.
class ResultPane : public Pane {
    Q_OBJECT

public:
    /// `hint` says how to get such a result, for the time when there is none.
    ResultPane(Document& document, ResultKind kind, const QString& title, const QString& hint, QWidget* parent);

    [[nodiscard]] ResultKind kind() const { return m_kind; }
    [[nodiscard]] int runNumber() const { return m_number; }

signals:
    /// Requests a run of this pass with these options (PassOptions).
    void runRequested(const QString& pass, const QVariantMap& options);
    /// Requests the shown run again with other options.
    void runAgainRequested(int number);

protected:
    void addWindowButtons() override;
    /// Connects the pane. Subclasses call this at the end of their constructor.
    void start();
    [[nodiscard]] Document& document() const { return m_document; }
    /// Returns the shown result as a kind such as `SplitOutcomePtr`; null if there is none.
    template <typename T>
    [[nodiscard]] T result() const
    {
        return as<T>(m_result);
    }
    /// Shows another run, or none. Views of the old run must be removed; its result is kept alive until this returns.
    virtual void showResult() = 0;
    /// Shows the selected nodes, or the nodes that represent selected ones: of the run's program, or of the source if the run
    /// made no program.
    virtual void showSelection(const std::vector<NodeRef>& selected) = 0;
    virtual void showHovered(const std::vector<NodeRef>& hovered) = 0;
    /// Scrolls to the selection, unless it was made in this pane. Not called if the pane does not follow.
    virtual void reveal() {}
    /// Returns whether there is nothing to show, so that the pane shows how to get a result.
    [[nodiscard]] virtual bool isEmpty() const { return m_number == 0; }
    /// Shows the hint if the pane is empty, and the status.
    void showState();
    /// Shows the run and its verdict in the header.
    virtual void showStatus();
    /// Handles other changes of the document.
    virtual void documentChanged(Changes) {}

private:
    void changed(Changes what);
    void takeResult();
    void followSelection();
    void bringSelection();
    [[nodiscard]] std::vector<NodeRef> refsOf(const std::vector<NodeId>& source, bool selection) const;

    Document& m_document;
    ResultKind m_kind;
    QString m_emptyHint;
    int m_number = 0;
    QToolButton* m_again = nullptr; ///< requests another run
    RunResult m_result; ///< keeps the shown result alive
    bool m_reveals = false; ///< call reveal() once the pending selection is shown
};

} // namespace sunder
