#pragma once

#include "analysis/operator_support/support_rules.h"

#include <QFormLayout>

#include <functional>
#include <vector>

namespace sunder {

/// The field of an option of a method in the dialog "Tag by support".
struct SupportOptionField {
    QWidget* field;
    SupportMethod method;
};

/// Adds a row for each option of both methods. A row changes its member of `options`, which must outlive the form, and calls
/// `changed`.
std::vector<SupportOptionField> addSupportOptions(QFormLayout& form, SupportOptions& options,
                                                  const std::function<void()>& changed);

} // namespace sunder
