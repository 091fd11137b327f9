#include "panes/sequence/boundary_words.h"

#include "text/amounts.h"
#include "text/shown_text.h"

namespace sunder {
namespace {

QString stageLine(const SequenceContent& content, const StageFigures& stage)
{
    const QString name = brief(content.looks[static_cast<std::size_t>(stage.tag)].name);
    const QString line = tr("%1: %2, weights %3, peak %4")
                             .arg(name, countText(stage.sizes.ops, "op"), bytesText(stage.sizes.parameterBytes),
                                  bytesText(stage.sizes.usedBytes()));
    return stage.unknown == 0 ? line : tr("%1, plus %2").arg(line, countText(stage.unknown, "unknown size"));
}

} // namespace

QString BoundaryWords::spoken() const
{
    return title + QStringLiteral("; ") + lines.join(QStringLiteral("; ")) + QStringLiteral("; ") + verdict;
}

BoundaryWords wordsOf(const SequenceContent& content, const BoundaryFigures& figures)
{
    BoundaryWords words;
    words.title = text(describePlace(*content.sequence, content.snapshot->graph(), figures.place));
    words.lines << stageLine(content, figures.before) << stageLine(content, figures.after) << text(describeCrossing(figures));
    words.verdict = text(describe(figures.legality));
    words.isLegal = figures.legality.isLegal();
    return words;
}

} // namespace sunder
