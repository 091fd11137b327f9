#pragma once

#include "document/document.h"

#include <QLineEdit>

class QListView;
class QLabel;
class QFrame;

namespace sunder {

class SearchModel;

/// Finds nodes while one types: hits are marked, ↑ and ↓ preview them in the graph, Enter goes there, Ctrl+Enter
/// selects all of them (to paint them), Esc leaves.
class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchField(Document& document, QWidget* parent = nullptr);
    [[nodiscard]] const SearchModel& model() const { return *m_model; }

signals:
    /// The set of hits changed; empty when the search is over.
    void found(const std::vector<sunder::NodeId>& nodes);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void preview(int row);
    void placePopup();
    void finish();

    Document& m_document;
    SearchModel* m_model;
    QFrame* m_popup;
    QListView* m_list;
    QLabel* m_count;
};

} // namespace sunder
