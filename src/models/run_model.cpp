#include "models/run_model.h"

#include "models/duration_text.h"
#include "models/tag_style_of.h"

#include <QFont>

#include <algorithm>

namespace sunder {
namespace {

QColor colorOf(Verdict verdict, const Theme& theme)
{
    switch (verdict) {
    case Verdict::same: return theme.proven;
    case Verdict::different: return theme.error;
    case Verdict::sameUpToRounding:
    case Verdict::undecided: return theme.warning;
    }
    return theme.text;
}

bool sameRuns(const std::vector<Run>& a, const std::vector<Run>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Run& one, const Run& other) { return one.number == other.number; });
}

} // namespace

RunModel::RunModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document), m_runs(document.runs().list())
{
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (!(what & (Change::runs | Change::program)))
            return;
        if (sameRuns(m_runs, m_document.runs().list())) { // only a name or the shown run changed
            m_runs = m_document.runs().list();
            if (!m_runs.empty())
                emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
            return;
        }
        beginResetModel();
        m_runs = m_document.runs().list();
        endResetModel();
    });
}

const Run& RunModel::run(const QModelIndex& index) const
{
    return m_runs[m_runs.size() - 1 - static_cast<std::size_t>(index.row())];
}

QModelIndex RunModel::indexOf(int number) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (run(index(row, 0)).number == number)
            return index(row, 0);
    return {};
}

int RunModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Run& at = run(index);
    const bool isShown = m_document.runs().isShown(at);
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case NameColumn: return tr("%1 · %2").arg(at.number).arg(nameOf(at));
        case OutcomeColumn: return outcomeOf(at);
        case VerdictColumn: return isVerified(at) ? textOf(at.result->report.verdict) : QString();
        case TimeColumn: return durationText(at.result->passSeconds + at.result->verifySeconds);
        case WhenColumn: return at.result->when.toString(QStringLiteral("HH:mm:ss"));
        case OptionsColumn: return changedOptionsOf(at).join(QStringLiteral(" · "));
        default: return {};
        }
    case Qt::EditRole: return index.column() == NameColumn ? QVariant(nameOf(at)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == VerdictColumn ? QVariant(colorOf(at.result->report.verdict, currentTheme())) : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setWeight(isShown ? QFont::DemiBold : QFont::Normal);
        return font;
    }
    case Qt::ToolTipRole:
        return tr("Run %1, %2: %3%4\n%5\nEnter or double-click: show, C: compare, R: run again with other options, F2: rename, "
                  "Delete: discard")
            .arg(at.number)
            .arg(passOf(at), outcomeOf(at), isVerified(at) ? QStringLiteral(", ") + textOf(at.result->report.verdict) : QString(),
                 optionsOf(at).join(QLatin1Char('\n')));
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn
            ? tr("Run %1, %2%3").arg(at.number).arg(nameOf(at), isShown ? tr(", shown") : QString())
            : data(index, Qt::DisplayRole);
    case NumberRole: return at.number;
    case ShownRole: return isShown;
    default: return {};
    }
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Run"), tr("Result"), tr("Verdict"), tr("Duration"), tr("Created"), tr("Options")};
    return titles[section];
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != NameColumn)
        return false;
    m_document.runs().rename(run(index).number, value.toString());
    return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == NameColumn ? flags | Qt::ItemIsEditable : flags;
}

} // namespace sunder

#include "moc_run_model.cpp"
