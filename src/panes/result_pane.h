#pragma once

#include "document/document.h"
#include "panes/pane.h"

namespace sunder {

/// A pane that shows the result of a run, the one that is shown of its kind. Says in its header which run it is and what
/// verification says; hears of selection and hover as nodes of the run's program.
class ResultPane : public Pane {
    Q_OBJECT

public:
    /// `hint`: how to get such a result, for when there is none.
    ResultPane(Document& document, ResultKind kind, const QString& title, const QString& hint, QWidget* parent);

    [[nodiscard]] ResultKind kind() const { return m_kind; }
    [[nodiscard]] int runNumber() const { return m_number; }

signals:
    /// A run of this pass is wanted, with these options (PassOptions).
    void runRequested(const QString& pass, const QVariantMap& options);
    /// The run in sight is to be made again, with other options.
    void runAgainRequested(int number);

protected:
    void addWindowButtons() override;
    /// Subclasses call this at the end of their constructor.
    void start();
    [[nodiscard]] Document& document() const { return m_document; }
    /// The result that is shown, as one of this kind (`SplitOutcomePtr`); null when there is none.
    template <typename T>
    [[nodiscard]] T result() const
    {
        return as<T>(m_result);
    }
    /// Another run, or none. Views of the old one must go; it is held until the new one is shown.
    virtual void showResult() = 0;
    /// Nodes of the run's program (of the source, when it made none) that are selected, or stand for what is.
    virtual void showSelection(const std::vector<NodeRef>& selected) = 0;
    virtual void showHovered(const std::vector<NodeRef>& hovered) = 0;
    /// The selection is to be brought into sight, unless it was made here. Not called when the pane does not follow.
    virtual void reveal() {}
    /// Says in the header which run this is and what verification says.
    virtual void showStatus();
    /// Further changes of the document.
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
    QToolButton* m_again = nullptr; ///< asks for another run
    RunResult m_result; ///< keeps what is shown alive
    bool m_reveals = false; ///< the selection that waits to be shown is to be brought into sight as well
};

} // namespace sunder
