#pragma once

#include "document/document.h"
#include "models/tag_share.h"
#include "passes/regions/occurrence_order.h"

#include <QAbstractListModel>

#include <optional>

namespace sunder {

/// The occurrences of one group in the order of the program, and which node of each stands at the place in question.
/// Holds ids; texts and colours are made when a row is looked at, and only rows that change are announced.
class OccurrenceModel final : public QAbstractListModel {
    Q_OBJECT

public:
    /// Of display, the name of the occurrence; SharesRole: how the tags divide it, or the tag of the node at the place;
    /// NodeRole: that node's name, empty when no place is in question; LitRole: it has nodes under the mouse.
    enum Role { SharesRole = Qt::UserRole + 1, NodeRole, LitRole };

    explicit OccurrenceModel(const Document& document, QObject* parent = nullptr);

    /// Another group of the document's program; null: none.
    void setGroup(const RegionGroup* group);
    /// Names of the occurrences, by their numbers in the group; until they are known the last node's stands for each.
    void setNames(const std::vector<std::string>& names);
    /// The place in the region that rows say the node of.
    void setPlace(std::optional<std::size_t> place);
    /// Occurrences, ascending, that have nodes under the mouse, in whatever pane.
    void setLit(std::span<const std::size_t> occurrences);
    /// Nodes have got other tags.
    void refreshTags();

    [[nodiscard]] const OccurrenceOrder& order() const { return m_order; }
    [[nodiscard]] QString nameAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] QString nodeAt(int row) const;
    [[nodiscard]] const TagShares& sharesAt(int row) const;
    void announceAll(const QList<int>& roles);

    const Document& m_document;
    OccurrenceOrder m_order;
    std::vector<QString> m_names; ///< per occurrence; empty: not known yet
    std::optional<std::size_t> m_place;
    std::vector<char> m_isLit;                ///< per row
    mutable std::vector<TagShares> m_shares;  ///< per row; empty: not measured since the tags changed
};

} // namespace sunder
