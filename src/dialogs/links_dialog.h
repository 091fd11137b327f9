#pragma once

#include "document/document.h"
#include "models/link_model.h"

#include <QDialog>

#include <memory>

namespace sunder {

namespace Ui {
class LinksDialog;
}

/// Dialog of "Links…": the links between the devices of the model, none, one for all pairs, or one for each pair. OK applies them as
/// one undo step.
class LinksDialog final : public QDialog {
    Q_OBJECT

public:
    explicit LinksDialog(Document& document, QWidget* parent = nullptr);
    ~LinksDialog() override;

    void accept() override;

private:
    /// Shows the widgets of the chosen kind, and whether it can be applied.
    void showState();
    /// Returns the devices with the chosen links.
    [[nodiscard]] std::vector<Device> devices() const;
    /// Returns why the chosen links cannot be applied; empty if they can.
    [[nodiscard]] QString refusal() const;

    Document& m_document;
    std::unique_ptr<Ui::LinksDialog> m_ui;
    LinkModel* m_model;
    QString m_refused; ///< last text that the table refused
};

} // namespace sunder
