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

/// A line above the panes with the assumed sizes of symbolic dimensions, editable: "Assume s27 = 8 · value at export". Hidden
/// if the model has no symbolic dimensions.
class AssumptionBar final : public QFrame {
    Q_OBJECT

public:
    explicit AssumptionBar(AssumedSizes& sizes, QWidget* parent = nullptr);
    ~AssumptionBar() override;

    /// Returns the field of a symbol; null if it is not visible.
    [[nodiscard]] QSpinBox* field(InternedString symbol) const;
    /// The button that sets the nearest allowed size after one was refused; otherwise hidden.
    [[nodiscard]] QToolButton& repair() const;
    /// Returns the note: the dimensions of the symbols and "value at export" or "at export s27 = 8"; or why a size was
    /// refused.
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
    std::optional<Refusal> m_refusal; ///< of the last input
    std::size_t m_first = 0; ///< index of the first visible symbol
    std::vector<InternedString> m_symbols; ///< symbols with fields
    std::vector<QSpinBox*> m_fields; ///< parallel to m_symbols
    std::unique_ptr<Ui::AssumptionBar> m_ui;
};

} // namespace sunder
