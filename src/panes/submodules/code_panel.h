#pragma once

#include "panes/submodules/code_view.h"

#include <QWidget>

#include <memory>

class QLineEdit;

namespace sunder {

namespace Ui {
class CodePanel;
}

/// A CodeView with a line above it: find, how many places there are, copy. As long as nothing is to be found in the text,
/// it is hits of the search of nodes that are counted and gone to.
class CodePanel final : public QWidget {
    Q_OBJECT

public:
    explicit CodePanel(QWidget* parent = nullptr);
    ~CodePanel() override;
    [[nodiscard]] CodeView& view();
    [[nodiscard]] QLineEdit& findField();
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

    std::vector<NodeId> m_foundNodes; ///< also while there is no code yet
    std::unique_ptr<Ui::CodePanel> m_ui;
};

} // namespace sunder
