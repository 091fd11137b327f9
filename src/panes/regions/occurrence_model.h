#pragma once

#include "document/document.h"
#include "models/tag_style_of.h"
#include "passes/regions/occurrences.h"

#include <QAbstractListModel>

#include <optional>

namespace sunder {

/// The occurrences of a group in program order, each with its node at the current place in the region. Holds ids; texts and
/// colors are created on display, and only changed rows emit dataChanged().
class OccurrenceModel final : public QAbstractListModel {
    Q_OBJECT

public:
    /// DisplayRole: the name of the occurrence. ShortRole: the same without the modules around all of them. SharesRole: its distribution over tags, or the tag of the node at the current
    /// place. NodeRole: the name of that node, empty without a current place. LitRole: whether a node of it is hovered.
    enum Role { SharesRole = Qt::UserRole + 1, NodeRole, LitRole, ShortRole };

    explicit OccurrenceModel(const Document& document, QObject* parent = nullptr);

    /// Sets the group, of the document's program; null: none.
    void setGroup(const RegionGroup* group);
    /// Sets the names of the occurrences, by their numbers in the group. Until then the name of the last node is used.
    void setNames(const std::vector<std::string>& names);
    /// Sets the current place in the region; rows show its node.
    void setPlace(std::optional<std::size_t> place);
    /// Sets the occurrences, in ascending order, with nodes hovered in any pane.
    void setLit(std::span<const std::size_t> occurrences);
    /// Updates the rows after tags of nodes changed.
    void refreshTags();

    [[nodiscard]] const OccurrenceOrder& order() const { return m_order; }
    [[nodiscard]] QString nameAt(int row) const;
    /// Returns the path of the innermost module around all occurrences; empty if it is the model, or not known yet.
    [[nodiscard]] const QString& around() const { return m_around; }

    /// Returns the number of characters of the longest name of a node in the first and the last occurrence.
    [[nodiscard]] qsizetype longestNode() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] QString nodeAt(int row) const;
    [[nodiscard]] const TagShares& sharesAt(int row) const;
    void announceAll(const QList<int>& roles);

    const Document& m_document;
    OccurrenceOrder m_order;
    std::vector<QString> m_names; ///< per occurrence; empty: not known yet
    QString m_around;
    std::optional<std::size_t> m_place;
    std::vector<char> m_isLit; ///< per row
    mutable std::vector<TagShares> m_shares; ///< per row; empty: not computed since the tags changed
};

} // namespace sunder
