#pragma once

#include "document/assumed_sizes.h"

#include <QFrame>

#include <memory>
#include <optional>
#include <vector>

class QSpinBox;
class QToolButton;

namespace sunder {

namespace Ui {
class AssumptionBar;
}

/// A line above the panes: "Sizes for s27 = 8 · from the export". What symbols of sizes are taken to be, to be changed; hidden where
/// no size depends on one.
class AssumptionBar final : public QFrame {
    Q_OBJECT

public:
    explicit AssumptionBar(AssumedSizes& sizes, QWidget* parent = nullptr);
    ~AssumptionBar() override;

    /// The field of a symbol; null while it is not in sight.
    [[nodiscard]] QSpinBox* field(InternedString symbol) const;
    /// Takes the nearest size that is allowed, after one was refused; else hidden.
    [[nodiscard]] QToolButton& repair() const;
    /// Where the symbols stand, and "from the export", "in the export s27 was 8"; or why a size was refused.
    [[nodiscard]] QString note() const;

private:
    void refresh();
    void build();
    void addField(const SizeAssumption& assumption);
    void showRefusal(InternedString symbol, const QString& why, qint64 nearest);
    void showNote();
    [[nodiscard]] QString usualNote() const;

    struct Refusal {
        InternedString symbol;
        QString why;
        qint64 nearest;
    };

    AssumedSizes& m_sizes;
    std::optional<Refusal> m_refusal; ///< of what was entered last
    std::size_t m_first = 0; ///< of the symbols in sight
    std::vector<InternedString> m_symbols; ///< that have fields
    std::vector<QSpinBox*> m_fields; ///< theirs
    std::unique_ptr<Ui::AssumptionBar> m_ui;
};

} // namespace sunder
