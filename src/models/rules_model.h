#pragma once

#include "analysis/rules/tag_rules.h"
#include "document/document.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// Tag rules as an editable table: a copy of the document's rules until they are applied. Their effects are computed elsewhere.
class RulesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { ModuleColumn, ClassColumn, OpColumn, ReadsColumn, UntaggedColumn, TagColumn, TakesColumn, ColumnCount };

    explicit RulesModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] const TagRules& rules() const { return m_rules; }
    /// Replaces all rules.
    void setRules(TagRules rules);
    /// Returns whether the rules differ from the document's.
    [[nodiscard]] bool isEdited() const;
    /// Sets the effects of the current rules().
    void setEffects(std::vector<RuleEffect> effects);
    [[nodiscard]] const std::vector<RuleEffect>& effects() const { return m_effects; }
    /// Adds a rule after row `behind`; returns its row.
    int add(int behind);
    void remove(int row);
    void move(int from, int to);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    /// Emitted when rules or their order changed; call setEffects() afterward.
    void edited();

private:
    void changed();
    [[nodiscard]] QString textOf(int row, int column) const;
    [[nodiscard]] QString takesText(int row) const;

    Document& m_document;
    TagRules m_rules;
    TagRules m_ofDocument; ///< the document's rules when they were copied
    std::vector<RuleEffect> m_effects;
    std::vector<QString> m_whyNone; ///< per effect: why no op matched, if the reason is known
};

} // namespace sunder
