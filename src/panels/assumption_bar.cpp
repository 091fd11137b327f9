#include "panels/assumption_bar.h"

#include "document/text.h"
#include "panels/ui_assumption_bar.h"

#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace sunder {
namespace {

constexpr std::size_t kMostFields = 2; ///< beside one another, in the narrowest window

int asFieldValue(std::int64_t value)
{
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

QString rangeText(const SizeAssumption& of)
{
    const QString least = QString::number(of.min.value_or(0));
    return of.max ? QObject::tr("%1 to %2").arg(least).arg(*of.max) : QObject::tr("%1 or more").arg(least);
}

/// "s27: size 1 of tokens, 2 to 4096 in the file".
QString tipOf(const SizeAssumption& of)
{
    const QString where = of.input.empty() ? QString() : QObject::tr("size %1 of %2, ").arg(of.dimension).arg(text(of.input));
    return QObject::tr("%1: %2%3 in the file.\nAll figures in bytes follow it.").arg(text(of.symbol), where, rangeText(of));
}

} // namespace

AssumptionBar::AssumptionBar(AssumedSizes& sizes, QWidget* parent)
    : QFrame(parent), m_sizes(sizes), m_ui(std::make_unique<Ui::AssumptionBar>())
{
    m_ui->setupUi(this);
    hide();
    connect(&sizes, &AssumedSizes::changed, this, &AssumptionBar::refresh);
    connect(m_ui->more, &QToolButton::clicked, this, [this] {
        m_first = m_first + kMostFields < m_sizes.now().size() ? m_first + kMostFields : 0;
        build();
    });
}

AssumptionBar::~AssumptionBar() = default;

QSpinBox* AssumptionBar::field(InternedString symbol) const
{
    const auto found = std::ranges::find(m_symbols, symbol);
    return found == m_symbols.end() ? nullptr : m_fields[static_cast<std::size_t>(found - m_symbols.begin())];
}

QString AssumptionBar::note() const
{
    return m_ui->note->text();
}

/// Fields stay where the symbols do, and with them the focus.
void AssumptionBar::refresh()
{
    const std::vector<SizeAssumption>& now = m_sizes.now();
    const bool isSame = std::ranges::all_of(
        m_symbols, [&](InternedString symbol) { return std::ranges::find(now, symbol, &SizeAssumption::symbol) != now.end(); });
    if (!isSame || m_symbols.empty()) {
        m_first = 0;
        build();
    }
    for (const SizeAssumption& each : now)
        if (QSpinBox* box = field(each.symbol); box != nullptr && each.value) {
            const QSignalBlocker quiet(box);
            box->setValue(asFieldValue(*each.value));
        }
    showNote();
    setVisible(!now.empty());
}

void AssumptionBar::build()
{
    while (QLayoutItem* item = m_ui->fields->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    m_symbols.clear();
    m_fields.clear();
    const std::vector<SizeAssumption>& now = m_sizes.now();
    for (std::size_t i = m_first; i < std::min(m_first + kMostFields, now.size()); ++i)
        addField(now[i]);
    m_ui->more->setVisible(now.size() > kMostFields);
    showNote();
}

void AssumptionBar::addField(const SizeAssumption& assumption)
{
    auto* name = new QLabel(tr("%1 =").arg(brief(text(assumption.symbol), 10)), this);
    name->setTextFormat(Qt::PlainText);
    auto* box = new QSpinBox(this);
    box->setKeyboardTracking(false);
    box->setRange(asFieldValue(assumption.min.value_or(0)),
                  asFieldValue(assumption.max.value_or(std::numeric_limits<int>::max())));
    if (assumption.value)
        box->setValue(asFieldValue(*assumption.value));
    box->setToolTip(tipOf(assumption));
    box->setAccessibleName(tr("Size %1").arg(text(assumption.symbol)));
    box->setFixedWidth(84);
    name->setBuddy(box);
    name->setToolTip(tipOf(assumption));
    connect(box, &QSpinBox::valueChanged, this, [this, symbol = assumption.symbol](int value) { m_sizes.assume(symbol, value); });
    m_ui->fields->addWidget(name);
    m_ui->fields->addWidget(box);
    m_symbols.push_back(assumption.symbol);
    m_fields.push_back(box);
}

void AssumptionBar::showNote()
{
    QStringList others;
    QStringList places;
    for (const SizeAssumption& each : m_sizes.now()) {
        const std::optional<std::int64_t> file = m_sizes.fromFile(each.symbol);
        if (file && file != each.value)
            others << tr("%1 was %2").arg(text(each.symbol)).arg(*file);
        if (!each.input.empty())
            places << tr("size %1 of %2").arg(each.dimension).arg(brief(text(each.input), 24));
    }
    const QString note = others.isEmpty() ? tr("from the export") : tr("in the export %1").arg(others.join(QStringLiteral(", ")));
    m_ui->note->setText(m_sizes.now().size() == 1 && !places.isEmpty() ? tr("%1 · %2").arg(places.front(), note) : note);
    m_ui->note->setToolTip(m_ui->note->text());
}

} // namespace sunder
