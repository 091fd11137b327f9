#pragma once

#include "panes/submodules/code_view.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QStackedLayout;
class QToolButton;

namespace sunder {

/// A CodeView with a line above it: find, how many places there are, copy. As long as nothing is to be found in the text,
/// it is hits of the search of nodes that are counted and gone to.
class CodePanel final : public QWidget {
    Q_OBJECT

public:
    explicit CodePanel(QWidget* parent = nullptr);
    [[nodiscard]] CodeView& view() { return *m_view; }
    [[nodiscard]] QLineEdit& findField() { return *m_find; }
    [[nodiscard]] QString countText() const;
    void setCode(std::shared_ptr<const CodeDocument> code);
    /// Nodes whose lines are marked as hits of the search of nodes.
    void setFoundNodes(const std::vector<NodeId>& nodes);
    /// Shown while the code is being printed, or when it was not.
    void setWaiting(const QString& text);
    /// The selected text, else all of the code, goes to the clipboard.
    void copy();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void findChanged();
    void showCount();
    void step(bool backward);

    CodeView* m_view;
    std::vector<NodeId> m_foundNodes; ///< also while there is no code yet
    QLabel* m_waiting;
    QStackedLayout* m_stack;
    QLineEdit* m_find;
    QLabel* m_count;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
};

} // namespace sunder
