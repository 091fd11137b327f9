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

/// The result of a tag transfer from another export: lists of ops to review, navigation to each, and actions on them.
class MatchesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit MatchesPanel(Document& document, QWidget* parent = nullptr);
    ~MatchesPanel() override;
    [[nodiscard]] QTreeView& view();
    [[nodiscard]] const MatchModel& model() const { return *m_model; }
    /// Adds the alternatives to accepting the chosen rows.
    void fillOthers(QMenu& menu);

signals:
    /// Emitted when tags were transferred and not all ops match exactly.
    void arrived();
    /// Emitted with the number of rows to review.
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
