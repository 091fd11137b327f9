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

/// Asks for the options of a pass: a field each, made from what the pass says of them. Says what is missing before one asks
/// for a run.
class PassOptionsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `options` is what is set at first. The document is asked for its tags, the pass for what it would refuse.
    PassOptionsDialog(const Pass& pass, const Document& document, const PassOptions& options, QWidget* parent = nullptr);
    ~PassOptionsDialog() override;

    /// What is set now; what is as usual, or does not count beside the rest, is left out.
    [[nodiscard]] PassOptions options() const;
    [[nodiscard]] QPushButton& runButton() const;
    /// The field of that option: a check box, a choice, a number, a path, a text, a list of tags.
    [[nodiscard]] QWidget& field(const QString& id) const;
    [[nodiscard]] QString missing() const;

private:
    struct Field {
        const PassOption* option;
        QWidget* input;                ///< holds the value
        std::vector<QWidget*> widgets; ///< what is disabled with it
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
