#pragma once

#include "document/document.h"

#include <QTreeView>
#include <QWidget>

#include <memory>

class QMenu;

namespace sunder {

namespace Ui {
class MatchesPanel;
}

class MatchModel;

/// What came of taking tags over from another export: lists to look at, a jump to each, and what to do about it.
class MatchesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit MatchesPanel(Document& document, QWidget* parent = nullptr);
    ~MatchesPanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] const MatchModel& model() const { return *m_model; }
    /// What can be done about the chosen rows instead of accepting them.
    void fillOthers(QMenu& menu);

signals:
    /// Tags were taken over, and not all ops are what they were.
    void arrived();
    /// So many rows are to be looked at.
    void openCountChanged(int count);

private:
    void refresh();
    void showKinds();
    void enableButtons();
    void lead(const QModelIndex& index);
    void showMenu(const QPoint& at);
    void accept(std::optional<int> tag = {});
    void acceptAll();
    void addCandidates(QMenu& menu, std::size_t call);
    [[nodiscard]] std::vector<std::size_t> chosen() const;

    Document& m_document;
    MatchModel* m_model;
    TagTransferPtr m_shown;
    std::unique_ptr<Ui::MatchesPanel> m_ui;
};

} // namespace sunder
