#pragma once

#include "analysis/rules/tag_rules.h"
#include "document/document.h"

#include <QAbstractTableModel>

#include <vector>

namespace sunder {

/// Rules as a table to edit: a copy of those of the document, until they are applied. What each takes is for others to work out.
class RulesModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { ModuleColumn, ClassColumn, OpColumn, ReadsColumn, UntaggedColumn, TagColumn, TakesColumn, ColumnCount };

    explicit RulesModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] const TagRules& rules() const { return m_rules; }
    /// In place of all.
    void setRules(TagRules rules);
    /// They are not those of the document.
    [[nodiscard]] bool isEdited() const;
    /// What they take, by rules() as they are now.
    void setEffects(std::vector<RuleEffect> effects);
    [[nodiscard]] const std::vector<RuleEffect>& effects() const { return m_effects; }
    /// Behind this row; returns the place of the new one.
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
    /// Another rule, or another order of them: setEffects() has to follow.
    void edited();

private:
    void changed();
    [[nodiscard]] QString textOf(int row, int column) const;
    [[nodiscard]] QString takesText(int row) const;

    Document& m_document;
    TagRules m_rules;
    TagRules m_ofDocument; ///< as they were when these were copied
    std::vector<RuleEffect> m_effects;
};

} // namespace sunder
