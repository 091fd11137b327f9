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

/// Finds nodes while one types: hits are marked, ↑ and ↓ preview them in the graph, Enter goes there, Ctrl+Enter
/// selects all of them, Alt+Enter paints them with the active tag, Alt+Down offers the other ones, Tab completes the last word, Esc leaves. While nothing is
/// typed, the last searches and what one may search by are offered. A query with a mistake in it, and one that nothing is, are explained.
/// A large model is searched by a job.
class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    SearchField(Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~SearchField() override;
    [[nodiscard]] const SearchModel& model() const { return *m_model; }
    /// In little room it is its icon until one searches.
    void setCompact(bool compact);

signals:
    /// The set of hits changed; empty when the search is over.
    void found(const std::vector<sunder::NodeId>& nodes);
    /// A hit was chosen: views open what is around it.
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
    void searchLater();
    void take();
    void complete();
    void showCompletions();
    /// What was asked for of the hits.
    struct Wish {
        enum class Kind { go, selectAll, paintAll } kind = Kind::go;
        int tag = -1; ///< to paint with; −1 erases
    };
    [[nodiscard]] std::optional<Wish> wishOf(const QKeyEvent& key) const;
    [[nodiscard]] bool isSearching() const;
    void accept(const Wish& wish);
    void paintAll(int tag);
    void showPaintButton();
    void showTagMenu();
    void showOffers();
    void takeOffer(int row);
    bool stepOffers(const QKeyEvent& key);
    void remember();
    [[nodiscard]] bool isOffering() const;
    void preview(int row);
    void placePopup();
    void finish();

    Document& m_document;
    Jobs& m_jobs;
    std::optional<Wish> m_accepted; ///< before the hits were there
    std::vector<QueryCompletion> m_completions; ///< of what was typed, until it is another
    std::size_t m_completed = 0; ///< how many of them were tried
    bool m_completing = false;
    bool m_isCompact = false;
    SearchModel* m_model;
    QFrame* m_popup;
    std::unique_ptr<Ui::SearchPopup> m_ui; ///< in the popup
};

} // namespace sunder
