#pragma once

#include <QTreeWidget>

namespace sunder {

/// The list below the empty search field: the last searches, newest first, then an example for each query field.
class SearchOffers final : public QTreeWidget {
    Q_OBJECT

public:
    explicit SearchOffers(QWidget* parent = nullptr);

    /// Updates the list of offers, with rows of this height.
    void fill(int rowHeight);
    /// Handles keys that navigate and choose. Returns false for other keys.
    bool takeKey(int key);
    /// Makes `query` the newest of the last searches. They are kept in the settings.
    static void remember(const QString& query);

signals:
    void chosen(const QString& query);

private:
    void add(const QString& query, const QString& finds, int rowHeight);
    void choose(const QTreeWidgetItem* row);
};

} // namespace sunder
