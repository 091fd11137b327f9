#include "dialogs/support_options.h"

#include "document/text.h"
#include "io/side_files/support_files.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>

namespace sunder {
namespace {

using OptionChanged = std::function<void()>;

/// Returns the key of an option as a title: "skip_fusion" becomes "Skip fusion".
QString optionTitle(const SupportOptionKey& option)
{
    const QString words = text(option.key).replace(u'_', u' ');
    return words.left(1).toUpper() + words.mid(1);
}

QWidget* addOptionField(QFormLayout& form, const QString& title, bool& value, const OptionChanged& changed)
{
    auto* box = new QCheckBox(title, form.parentWidget());
    box->setChecked(value);
    QObject::connect(box, &QCheckBox::toggled, box, [&value, changed](bool isOn) {
        value = isOn;
        changed();
    });
    form.addRow(box);
    return box;
}

QWidget* addOptionField(QFormLayout& form, const QString& title, std::int64_t& value, const OptionChanged& changed)
{
    constexpr int kMost = 1'000'000;
    auto* count = new QSpinBox(form.parentWidget());
    count->setRange(-1, kMost);
    count->setValue(static_cast<int>(std::clamp<std::int64_t>(value, -1, kMost)));
    QObject::connect(count, &QSpinBox::valueChanged, count, [&value, changed](int now) {
        value = now;
        changed();
    });
    form.addRow(title, count);
    return count;
}

QWidget* addOptionField(QFormLayout& form, const QString& title, std::vector<InternedString>& value, const OptionChanged& changed)
{
    QStringList names;
    for (const InternedString name : value)
        names += exact(name.view());
    auto* line = new QLineEdit(names.join(QStringLiteral(", ")), form.parentWidget());
    line->setPlaceholderText(QObject::tr("Names, separated by commas"));
    QObject::connect(line, &QLineEdit::editingFinished, line, [&value, line, changed] {
        std::vector<InternedString> now;
        for (const QString& name : line->text().split(u',', Qt::SkipEmptyParts))
            if (const QString trimmed = name.trimmed(); !trimmed.isEmpty())
                now.push_back(interned(trimmed));
        if (now == value)
            return;
        value = now;
        changed();
    });
    form.addRow(title, line);
    return line;
}

} // namespace

std::vector<SupportOptionField> addSupportOptions(QFormLayout& form, SupportOptions& options, const OptionChanged& changed)
{
    std::vector<SupportOptionField> fields;
    for (const SupportOptionKey& option : supportOptionKeys()) {
        QWidget* field = std::visit(
            [&](auto member) { return addOptionField(form, optionTitle(option), options.*member, changed); }, option.member);
        const QString key = text(option.key);
        field->setObjectName(key);
        field->setAccessibleName(optionTitle(option));
        field->setToolTip(folded(QObject::tr("%1; %2 in PyTorch").arg(text(option.tip), key)));
        fields.push_back({.field = field, .method = option.method});
    }
    return fields;
}

} // namespace sunder
