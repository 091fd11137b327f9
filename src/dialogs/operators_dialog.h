#pragma once

#include "document/custom_operators.h"

#include <QDialog>

#include <memory>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sunder {

namespace Ui {
class OperatorsDialog;
}

/// Selects the file of custom operator schemas. Shows the result of reading it, and the unknown operators of the open model.
class OperatorsDialog final : public QDialog {
    Q_OBJECT

public:
    OperatorsDialog(CustomOperators& operators, Document& document, Jobs& jobs, QWidget* parent = nullptr);
    ~OperatorsDialog() override;

    [[nodiscard]] QLabel& file();
    [[nodiscard]] QLabel& state();
    [[nodiscard]] QPlainTextEdit& unknown();
    [[nodiscard]] QPushButton& readAgainButton();
    [[nodiscard]] QPushButton& removeButton();

private:
    void choose();
    void refresh();
    void fit();
    void listUnknown();

    CustomOperators& m_operators;
    Document& m_document;
    Jobs& m_jobs;
    std::unique_ptr<Ui::OperatorsDialog> m_ui;
};

} // namespace sunder
