#pragma once

#include "panes/submodules/code_view.h"

#include <QWidget>

#include <memory>

class QLineEdit;

namespace sunder {

namespace Ui {
class CodePanel;
}

/// A CodeView with a line above it: find, number of matches, copy. Without a search text, the hits of the node search are counted
/// and visited instead.
class CodePanel final : public QWidget {
    Q_OBJECT

public:
    explicit CodePanel(QWidget* parent = nullptr);
    ~CodePanel() override;
    [[nodiscard]] CodeView& view();
    [[nodiscard]] QLineEdit& findField();
    [[nodiscard]] QString countText() const;
    void setCode(std::shared_ptr<const CodeDocument> code);
    /// Sets the nodes whose lines are marked as hits of the node search.
    void setFoundNodes(const std::vector<NodeId>& nodes);
    /// Sets the text that is shown while the code is being printed, or if that failed.
    void setWaiting(const QString& text);
    /// Copies the selected text, or else all of the code.
    void copy();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void findChanged();
    void showCount();
    void step(bool backward);

    std::vector<NodeId> m_foundNodes; ///< set even before there is code
    std::unique_ptr<Ui::CodePanel> m_ui;
};

} // namespace sunder
