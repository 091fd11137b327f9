#pragma once

#include "document/custom_operators.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sunder {

/// Which file gives the schemas of custom operators, what came of it, and which operators of the open model nobody knows.
class OperatorsDialog final : public QDialog {
    Q_OBJECT

public:
    OperatorsDialog(CustomOperators& operators, Document& document, Jobs& jobs, QWidget* parent = nullptr);

    [[nodiscard]] QLabel& file() { return *m_file; }
    [[nodiscard]] QLabel& state() { return *m_state; }
    [[nodiscard]] QPlainTextEdit& unknown() { return *m_unknown; }
    [[nodiscard]] QPushButton& readAgainButton() { return *m_readAgain; }
    [[nodiscard]] QPushButton& removeButton() { return *m_remove; }

private:
    void choose();
    void refresh();
    void fit();
    void lookForUnknown();

    CustomOperators& m_operators;
    Document& m_document;
    Jobs& m_jobs;
    QLabel* m_file;
    QLabel* m_state;
    QPushButton* m_choose;
    QPushButton* m_readAgain;
    QPushButton* m_remove;
    QLabel* m_unknownTitle;
    QPlainTextEdit* m_unknown;
};

} // namespace sunder
