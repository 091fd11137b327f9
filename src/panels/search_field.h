#pragma once

#include "analysis/search/find_nodes.h"
#include "document/document.h"

#include <QLineEdit>

#include <memory>
#include <optional>
#include <vector>

class QFrame;

namespace sunder {

namespace Ui {
class SearchPopup;
}

class SearchModel;

/// Finds nodes while typing. Hits are marked; ↑ and ↓ preview them in the graph; Enter goes to one; Ctrl+Enter selects all;
/// Alt+Enter paints them with the active tag; Alt+Down offers other tags; Alt+Up changes the order of hits; Tab completes the last
/// word; Esc closes the search.
/// An empty field offers the last searches and examples. Invalid queries and queries without hits are explained. A large model is
/// searched in a job.
class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    SearchField(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~SearchField() override;
    [[nodiscard]] const SearchModel& model() const { return *m_model; }
    /// In compact form it is an icon until it is used.
    void setCompact(bool compact);

signals:
    /// Emitted when the set of hits changed; empty when the search ends.
    void found(const std::vector<sunder::NodeId>& nodes);
    /// Emitted when a hit was chosen: views open its enclosing modules.
    void chosen(sunder::NodeId node);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void takeRoom();
    void search();
    void searchAgain();
    void searchLater();
    void take();
    void complete();
    void showCompletions();
    /// A requested action on the hits.
    struct Wish {
        enum class Kind { go, selectAll, paintAll } kind = Kind::go;
        int tag = -1; ///< tag to paint; −1 erases
    };
    [[nodiscard]] std::optional<Wish> wishOf(const QKeyEvent& key) const;
    [[nodiscard]] bool isSearching() const;
    void accept(const Wish& wish);
    void paintAll(int tag);
    void showPaintButton();
    void showTagMenu();
    /// Shows hits in graph order (an empty id), or with the greatest cost first.
    void setOrder(const QString& cost);
    void stepOrder();
    void showOrder();
    /// Returns the figures to sort by; null: graph order.
    [[nodiscard]] CostFiguresPtr order() const;
    void showOffers();
    void remember();
    [[nodiscard]] bool isOffering() const;
    void preview(int row);
    void placePopup();
    void finish();

    Document& m_document;
    Jobs& m_jobs;
    std::optional<Wish> m_accepted; ///< requested before the hits were found
    std::vector<QueryCompletion> m_completions; ///< of the typed text, until it changes
    std::size_t m_completed = 0; ///< number of completions tried
    bool m_completing = false;
    bool m_isByCost = false; ///< hits are sorted by Costs::listed()
    bool m_isCompact = false;
    SearchModel* m_model;
    QFrame* m_popup;
    std::unique_ptr<Ui::SearchPopup> m_ui; ///< of the popup
};

} // namespace sunder
