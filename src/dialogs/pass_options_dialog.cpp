#include "dialogs/pass_options_dialog.h"

#include "dialogs/ui_pass_options_dialog.h"
#include "document/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>

namespace sunder {
namespace {

constexpr int kTagRole = Qt::UserRole; ///< unmodified tag name

} // namespace

PassOptionsDialog::PassOptionsDialog(const Pass& pass, const Document& document, const PassOptions& options, QWidget* parent)
    : QDialog(parent), m_pass(pass), m_document(document), m_ui(std::make_unique<Ui::PassOptionsDialog>())
{
    m_ui->setupUi(this);
    setWindowTitle(plainTitle(pass.text));
    m_ui->what->setText(pass.tip + QLatin1Char('.'));
    runButton().setText(tr("Run"));
    for (const PassOption& option : pass.options)
        if (option.kind != PassOption::Kind::note)
            addField(option, options);
    connect(&document, &Document::changed, this, [this] {
        if (m_document.isOpen())
            showState();
        else
            reject();
    });
    // Move the buttons to the end of the tab order, although they were created first.
    for (QAbstractButton* button : m_ui->buttons->buttons())
        setTabOrder(m_fields.back().input, button);
    setTabOrder(m_fields.back().input, &runButton());
    showState();
    m_fields.front().input->setFocus();
}

PassOptionsDialog::~PassOptionsDialog() = default;

QPushButton& PassOptionsDialog::runButton() const
{
    return *m_ui->buttons->button(QDialogButtonBox::Ok);
}

QString PassOptionsDialog::missing() const
{
    return m_ui->missing->text();
}

QWidget& PassOptionsDialog::field(const QString& id) const
{
    return *std::ranges::find_if(m_fields, [&](const Field& field) { return field.option->id == id; })->input;
}

void PassOptionsDialog::addField(const PassOption& option, const PassOptions& options)
{
    Field field{.option = &option, .input = nullptr, .widgets = {}};
    QWidget* row = makeInput(option, valueOf(option, options), field);
    field.input->setObjectName(option.id);
    field.input->setAccessibleName(plainTitle(option.title));
    field.input->setToolTip(option.tip);
    field.widgets.push_back(row);
    if (option.kind == PassOption::Kind::flag) {
        m_ui->form->addRow(row);
    } else {
        auto* label = new QLabel(option.title, this);
        label->setBuddy(field.input);
        field.widgets.push_back(label);
        m_ui->form->addRow(label, row);
    }
    m_fields.push_back(std::move(field));
}

/// Creates the input widget of an option in its row.
QWidget* PassOptionsDialog::makeInput(const PassOption& option, const QVariant& value, Field& field)
{
    switch (option.kind) {
    case PassOption::Kind::choice: {
        auto* choice = new QComboBox(this);
        for (const PassChoice& one : option.choices)
            choice->addItem(plainTitle(one.title), one.id);
        choice->setCurrentIndex(std::max(0, choice->findData(value)));
        connect(choice, &QComboBox::currentIndexChanged, this, &PassOptionsDialog::showState);
        return field.input = choice;
    }
    case PassOption::Kind::number: {
        auto* number = new QSpinBox(this);
        number->setRange(1, option.most);
        number->setValue(value.toInt());
        connect(number, &QSpinBox::valueChanged, this, &PassOptionsDialog::showState);
        return field.input = number;
    }
    case PassOption::Kind::text: {
        auto* line = new QLineEdit(value.toString(), this);
        connect(line, &QLineEdit::textChanged, this, &PassOptionsDialog::showState);
        return field.input = line;
    }
    case PassOption::Kind::file: return makePath(option, value, field);
    case PassOption::Kind::tags: return field.input = makeTags(value);
    case PassOption::Kind::flag:
    case PassOption::Kind::note: break;
    }
    auto* flag = new QCheckBox(option.title, this);
    flag->setChecked(value.toBool());
    connect(flag, &QCheckBox::toggled, this, &PassOptionsDialog::showState);
    return field.input = flag;
}

QWidget* PassOptionsDialog::makePath(const PassOption& option, const QVariant& value, Field& field)
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* path = new QLineEdit(value.toString(), row);
    auto* choose = new QPushButton(tr("Choose…"), row);
    choose->setAutoDefault(false);
    layout->addWidget(path, 1);
    layout->addWidget(choose);
    connect(path, &QLineEdit::textChanged, this, &PassOptionsDialog::showState);
    connect(choose, &QPushButton::clicked, this, [this, path, title = plainTitle(option.title), filter = option.filter] {
        const QString chosen = QFileDialog::getOpenFileName(this, title, path->text(), filter);
        if (!chosen.isEmpty())
            path->setText(chosen);
    });
    field.input = path;
    return row;
}

/// Creates a list of the model's tags with check boxes.
QWidget* PassOptionsDialog::makeTags(const QVariant& value)
{
    constexpr int kMaxRows = 6;
    const QStringList checked = value.toStringList();
    auto* list = new QListWidget(this);
    for (const InternedString tag : m_document.tags().order) {
        const QString name = exact(tag.view());
        auto* item = new QListWidgetItem(brief(text(tag)), list);
        item->setData(kTagRole, name);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(checked.contains(name) ? Qt::Checked : Qt::Unchecked);
    }
    const int rows = std::clamp(list->count(), 1, kMaxRows);
    list->setFixedHeight(rows * std::max(18, list->sizeHintForRow(0)) + 2 * list->frameWidth() + 2);
    if (list->count() > 0)
        list->setCurrentRow(0);
    connect(list, &QListWidget::itemChanged, this, &PassOptionsDialog::showState);
    return list;
}

QVariant PassOptionsDialog::valueIn(const Field& field)
{
    if (const auto* flag = qobject_cast<const QCheckBox*>(field.input))
        return flag->isChecked();
    if (const auto* choice = qobject_cast<const QComboBox*>(field.input))
        return choice->currentData();
    if (const auto* number = qobject_cast<const QSpinBox*>(field.input))
        return number->value();
    if (const auto* line = qobject_cast<const QLineEdit*>(field.input))
        return line->text().trimmed();
    QStringList names;
    if (const auto* list = qobject_cast<const QListWidget*>(field.input))
        for (int row = 0; row < list->count(); ++row)
            if (list->item(row)->checkState() == Qt::Checked)
                names << list->item(row)->data(kTagRole).toString();
    return names;
}

PassOptions PassOptionsDialog::options() const
{
    PassOptions all;
    for (const Field& field : m_fields)
        if (const QVariant value = valueIn(field); value != valueOf(*field.option, {}))
            all.insert(field.option->id, value);
    PassOptions counting;
    for (const Field& field : m_fields)
        if (all.contains(field.option->id) && isInUse(*field.option, m_pass.options, all))
            counting.insert(field.option->id, all.value(field.option->id));
    return counting;
}

void PassOptionsDialog::showState()
{
    const PassOptions now = options();
    for (const Field& field : m_fields)
        for (QWidget* widget : field.widgets)
            widget->setEnabled(isInUse(*field.option, m_pass.options, now));
    QString why = m_pass.refusal == nullptr ? QString() : m_pass.refusal(m_document);
    if (why.isEmpty())
        if (const Result<PassWork> work = m_pass.work(m_document, now); !work)
            why = sentence(work.error().message);
    m_ui->missing->setText(withShortWords(why));
    m_ui->missing->setVisible(!why.isEmpty());
    runButton().setEnabled(why.isEmpty());
}

} // namespace sunder

#include "moc_pass_options_dialog.cpp"
