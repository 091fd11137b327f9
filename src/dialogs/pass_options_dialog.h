#pragma once

#include "document/document.h"
#include "document/passes/pass.h"

#include <QDialog>

#include <memory>
#include <vector>

class QPushButton;

namespace sunder {

namespace Ui {
class PassOptionsDialog;
}

/// Asks for the options of a pass, with one field per option. Shows missing input at once.
class PassOptionsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `options` are the initial values. The document provides its tags, and the pass its refusals.
    PassOptionsDialog(const Pass& pass, const Document& document, const PassOptions& options, QWidget* parent = nullptr);
    ~PassOptionsDialog() override;

    /// Returns the current values without defaults and disabled options.
    [[nodiscard]] PassOptions options() const;
    [[nodiscard]] QPushButton& runButton() const;
    /// Returns the field of an option: a check box, choice, number, path, text, or list of tags.
    [[nodiscard]] QWidget& field(const QString& id) const;
    [[nodiscard]] QString missing() const;

private:
    struct Field {
        const PassOption* option;
        QWidget* input;                ///< holds the value
        std::vector<QWidget*> widgets; ///< widgets that are disabled together with it
    };
    void addField(const PassOption& option, const PassOptions& options);
    QWidget* makeInput(const PassOption& option, const QVariant& value, Field& field);
    QWidget* makePath(const PassOption& option, const QVariant& value, Field& field);
    QWidget* makeTags(const QVariant& value);
    [[nodiscard]] static QVariant valueIn(const Field& field);
    void showState();

    const Pass& m_pass;
    const Document& m_document;
    std::unique_ptr<Ui::PassOptionsDialog> m_ui;
    std::vector<Field> m_fields;
};

} // namespace sunder
