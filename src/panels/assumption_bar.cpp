#include "panels/assumption_bar.h"

#include "document/text.h"
#include "models/look.h"
#include "panels/ui_assumption_bar.h"

#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace sunder {
namespace {

/// A field for a size within a range. Values outside can be typed, so that the refusal can be explained; the value does not
/// change.
class SizeField final : public QSpinBox {
    Q_OBJECT

public:
    explicit SizeField(QWidget* parent = nullptr);

signals:
    /// Emitted when a number outside the range was entered.
    void outside(qint64 wanted);

protected:
    QValidator::State validate(QString& input, int& position) const override;
    void fixup(QString& input) const override;

private:
    mutable std::optional<qint64> m_outside; ///< set by fixup() until editing is finished
};

SizeField::SizeField(QWidget* parent) : QSpinBox(parent)
{
    setKeyboardTracking(false);
    connect(this, &QSpinBox::editingFinished, this, [this] {
        if (const std::optional<qint64> wanted = std::exchange(m_outside, std::nullopt))
            emit outside(*wanted);
    });
}

QValidator::State SizeField::validate(QString& input, int& position) const
{
    const QValidator::State state = QSpinBox::validate(input, position);
    bool isNumber = false;
    (void)locale().toLongLong(input.trimmed(), &isNumber);
    return state == QValidator::Invalid && isNumber ? QValidator::Intermediate : state;
}

void SizeField::fixup(QString& input) const
{
    bool isNumber = false;
    const qint64 wanted = locale().toLongLong(input.trimmed(), &isNumber);
    if (isNumber && (wanted < minimum() || wanted > maximum()))
        m_outside = wanted;
}

constexpr std::size_t kMaxFields = 2; ///< side by side, in the narrowest window

int asFieldValue(std::int64_t value)
{
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

QString rangeText(const SizeAssumption& of)
{
    const QString least = QString::number(of.min.value_or(0));
    return of.max ? QObject::tr("%1 to %2").arg(least).arg(*of.max) : QObject::tr("%1 or more").arg(least);
}

/// Returns e.g. "tokens, dimension 1"; empty if no input has the symbol.
QString placeOf(const SizeAssumption& of)
{
    if (of.isInput)
        return brief(text(of.input), 24);
    return of.input.empty() ? QString() : QObject::tr("%1, dimension %2").arg(brief(text(of.input), 24)).arg(of.dimension);
}

/// Returns e.g. "s27 (tokens, dimension 1): the file allows 2 to 4096".
QString tipOf(const SizeAssumption& of)
{
    return QObject::tr("%1: the file allows %2.\nAll figures in bytes depend on it.").arg(text(describe(of)), rangeText(of));
}

} // namespace

AssumptionBar::AssumptionBar(AssumedSizes& sizes, QWidget* parent)
    : QFrame(parent), m_sizes(sizes), m_ui(std::make_unique<Ui::AssumptionBar>())
{
    m_ui->setupUi(this);
    hide();
    m_ui->repair->hide();
    connect(&sizes, &AssumedSizes::changed, this, &AssumptionBar::refresh);
    connect(&sizes, &AssumedSizes::refused, this, &AssumptionBar::showRefusal);
    connect(m_ui->repair, &QToolButton::clicked, this, [this] {
        if (m_refusal)
            m_sizes.assume(m_refusal->symbol, m_refusal->nearest);
    });
    connect(m_ui->more, &QToolButton::clicked, this, [this] {
        m_first = m_first + kMaxFields < m_sizes.now().size() ? m_first + kMaxFields : 0;
        build();
    });
}

AssumptionBar::~AssumptionBar() = default;

QSpinBox* AssumptionBar::field(InternedString symbol) const
{
    const auto found = std::ranges::find(m_symbols, symbol);
    return found == m_symbols.end() ? nullptr : m_fields[static_cast<std::size_t>(found - m_symbols.begin())];
}

QToolButton& AssumptionBar::repair() const
{
    return *m_ui->repair;
}

QString AssumptionBar::note() const
{
    return m_ui->note->line();
}

/// Keeps the fields, and thus the focus, if the symbols did not change.
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
    m_refusal.reset();
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
    for (std::size_t i = m_first; i < std::min(m_first + kMaxFields, now.size()); ++i)
        addField(now[i]);
    m_ui->more->setVisible(now.size() > kMaxFields);
    showNote();
}

void AssumptionBar::addField(const SizeAssumption& assumption)
{
    auto* name = new QLabel(tr("%1 =").arg(brief(text(assumption.symbol), 10)), this);
    name->setTextFormat(Qt::PlainText);
    auto* box = new SizeField(this);
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
    connect(box, &SizeField::outside, this,
            [this, symbol = assumption.symbol](qint64 wanted) { m_sizes.assume(symbol, wanted); });
    m_ui->fields->addWidget(name);
    m_ui->fields->addWidget(box);
    m_symbols.push_back(assumption.symbol);
    m_fields.push_back(box);
}

void AssumptionBar::showRefusal(InternedString symbol, const QString& why, qint64 nearest)
{
    m_refusal = Refusal{.symbol = symbol, .why = why, .nearest = nearest};
    showNote();
}

void AssumptionBar::showNote()
{
    m_ui->repair->setVisible(m_refusal.has_value());
    setLook(*m_ui->note, m_refusal ? QStringLiteral("warning") : QStringLiteral("hint"));
    if (m_refusal) {
        m_ui->repair->setText(tr("Use %1").arg(m_refusal->nearest));
        m_ui->repair->setToolTip(
            tr("Assume %1 = %2, the nearest allowed size").arg(text(m_refusal->symbol)).arg(m_refusal->nearest));
    }
    m_ui->note->setFigures(m_refusal ? m_refusal->why : usualNote(), {});
}

QString AssumptionBar::usualNote() const
{
    const std::vector<SizeAssumption>& now = m_sizes.now();
    QStringList others;
    QStringList parts;
    for (const SizeAssumption& each : now) {
        const std::optional<std::int64_t> file = m_sizes.fromFile(each.symbol);
        if (file && file != each.value)
            others << tr("%1 = %2").arg(text(each.symbol)).arg(*file);
        if (field(each.symbol) != nullptr && !each.input.empty())
            parts << (now.size() == 1 ? placeOf(each) : tr("%1: %2").arg(text(each.symbol), placeOf(each)));
    }
    parts << (others.isEmpty() ? tr("value at export") : tr("at export %1").arg(others.join(QStringLiteral(", "))));
    if (!m_sizes.partitionsFollow())
        parts << tr("partitions use size_bytes of the file, which ignores assumed sizes");
    return parts.join(QStringLiteral(" · "));
}

} // namespace sunder

#include "assumption_bar.moc"
#include "moc_assumption_bar.cpp"
