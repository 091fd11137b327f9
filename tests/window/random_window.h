#pragma once

#include "document_model.h"
#include "random.h"
#include "window_fixture.h"

#include <cmath>

namespace sunder::test {

/// Returns the distance of a point from a box; 0 inside.
inline double distanceTo(const QRectF& box, QPointF point)
{
    const double x = std::max({box.left() - point.x(), 0.0, point.x() - box.right()});
    const double y = std::max({box.top() - point.y(), 0.0, point.y() - box.bottom()});
    return std::hypot(x, y);
}

/// Whether two boxes are within `margin` of each other; a box may be only a line.
inline bool overlaps(const QRectF& a, const QRectF& b, double margin)
{
    return a.left() <= b.right() + margin && b.left() <= a.right() + margin && a.top() <= b.bottom() + margin
        && b.top() <= a.bottom() + margin;
}

/// Returns the least distance of a box from a line, sampled at points of the line.
inline double distanceTo(const QRectF& box, QLineF line)
{
    double least = distanceTo(box, line.p1());
    const int steps = static_cast<int>(line.length()) + 1;
    for (int step = 1; step <= steps; ++step)
        least = std::min(least, distanceTo(box, line.pointAt(static_cast<double>(step) / steps)));
    return least;
}

/// The window under random mouse and keyboard input: its visible content, the items that a stroke touches by plain geometry, and
/// the comparison of the document with its model.
class RandomWindow : public WindowFixture {
protected:
    CanvasWidget& canvas() { return sourcePane().canvas(); }

    void note(const char* action, const QString& details = {})
    {
        ++m_counts[action];
        m_said += QStringLiteral("%1 %2").arg(QLatin1String(action), details);
    }

    void choose(ToolKind tool) { actions().tool[static_cast<std::size_t>(tool)]->trigger(); }

    std::vector<ItemId> closedItemsInSight()
    {
        std::vector<ItemId> found;
        const Picture& picture = *canvas().picture();
        const QRectF sight = QRectF(canvas().rect()).adjusted(60, 60, -60, -60);
        for (std::uint32_t i = 0; i < picture.items.size(); ++i)
            if (picture.items[i].kind != ItemKind::frame && sight.contains(canvas().viewRectOf(ItemId(i)).center()))
                found.emplace_back(i);
        return found;
    }

    /// Returns the names that a stroke along a line takes with this radius; nothing if it grazes an item, where the result
    /// depends on rounding.
    std::optional<std::set<std::string>> takenAlong(QLineF line, double radius)
    {
        std::set<std::string> names;
        const Picture& picture = *canvas().picture();
        for (std::uint32_t i = 0; i < picture.items.size(); ++i) {
            if (picture.items[i].kind == ItemKind::frame)
                continue;
            const double distance = distanceTo(canvas().viewRectOf(ItemId(i)), line);
            if (std::abs(distance - radius) < 0.25 * radius + 1)
                return {};
            if (distance < radius)
                addNames(names, picture.items[i].nodes);
        }
        return names;
    }

    void addNames(std::set<std::string>& names, const std::vector<NodeId>& nodes)
    {
        for (const NodeId id : nodes)
            names.insert(document().graph()[id].name.str());
    }

    std::optional<std::string> activeTag()
    {
        return document().activeTag() < 0 ? std::optional<std::string>()
                                          : document().tagName(document().activeTag()).toStdString();
    }

    /// Returns false if the press was for an overlay of the picture: a card, an arrow, a chip, or a triangle.
    bool drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        m_strokeStarted = false;
        QTest::mouseMove(&canvas(), from);
        QTest::mousePress(&canvas(), Qt::LeftButton, modifiers, from);
        if (from != to)
            QTest::mouseMove(&canvas(), to);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, modifiers, to);
        return m_strokeStarted;
    }

    /// Whether a press opens, closes, or targets a title or an overlay of the picture.
    bool isOverControl(QPoint at)
    {
        const ItemId item = canvas().itemAt(at);
        SourcePane& pane = sourcePane();
        return pane.childAt(canvas().mapTo(&pane, at)) != &canvas() || canvas().isCoveredAt(at)
            || (item.isValid() && canvas().picture()->items[item.index()].kind == ItemKind::frame);
    }

    /// Whether a press would begin a stroke along wires.
    bool isWire(QPoint at)
    {
        const auto touched = takenAlong(QLineF(at, at), canvas().brushRadius());
        return (!touched || touched->empty()) && !canvas().edgesUnder(at).empty();
    }

    /// Returns a point of an edge where nothing else is; both ends of the edge must be visible.
    std::optional<QPoint> pressOn(const PictureEdge& edge)
    {
        const Picture& picture = *canvas().picture();
        const QRectF sight = QRectF(canvas().rect()).adjusted(20, 20, -20, -20);
        for (const ItemId end : {edge.from, edge.to})
            if (picture.items[end.index()].kind == ItemKind::frame || !sight.contains(canvas().viewRectOf(end).center()))
                return {};
        const Point first = edge.path.front();
        const Point last = edge.path.back();
        const QPoint at = canvas().camera().toView(Point{(first.x + last.x) / 2, (first.y + last.y) / 2}).toPoint();
        const std::vector<std::uint32_t> under = canvas().edgesUnder(at);
        const auto touched = takenAlong(QLineF(at, at), canvas().brushRadius());
        const bool isClear = touched && touched->empty() && under.size() == 1 && &picture.edges[under.front()] == &edge;
        return isClear && !isOverTitle(at) ? std::optional(at) : std::nullopt;
    }

    /// Whether a press in a frame may be for its title or its triangle.
    bool isOverTitle(QPoint at)
    {
        const ItemId item = canvas().itemAt(at);
        return item.isValid() && at.y() - canvas().viewRectOf(item).top() < 60;
    }

    QPoint anyPoint() { return {m_random->between(60, canvas().width() - 60), m_random->between(60, canvas().height() - 60)}; }

    /// A stroke of the brush or the eraser, and the expected result of the model.
    void stroke(const char* name, QPoint from, QPoint to)
    {
        const auto taken = takenAlong(QLineF(from, to), canvas().brushRadius());
        if (!taken || canvas().isGliding() || isOverControl(from) || isWire(from))
            return note("nothing");
        const bool isErasing = m_random->chance(25);
        if (!isErasing && !activeTag())
            return note("nothing");
        choose(isErasing ? ToolKind::eraser : ToolKind::brush);
        if (!drag(from, to))
            return note("beside");
        m_expected->retag(*taken, isErasing ? std::nullopt : activeTag());
        note(name, QStringLiteral("%1 of %2 nodes").arg(isErasing ? "erases" : "paints").arg(taken->size()));
    }

    void handleSelection()
    {
        std::set<std::string> names;
        addNames(names, document().marks().selection().source);
        const bool isErasing = m_random->chance(25);
        if (names.empty() || (!isErasing && !activeTag()))
            return note("nothing");
        (isErasing ? actions().eraseSelection : actions().paintSelection)->trigger();
        m_expected->retag(names, isErasing ? std::nullopt : activeTag());
        note("selected", QStringLiteral("%1 nodes").arg(names.size()));
    }

    DocumentModel::Tags tagsOfDocument()
    {
        DocumentModel::Tags tags;
        for (int tag = 0; tag < document().tagCount(); ++tag)
            tags.order.push_back(document().tagName(tag).toStdString());
        for (const NodeId id : document().graph().nodes())
            if (const std::int32_t tag = document().tags()[id]; tag >= 0)
                tags.tagOf.emplace(document().graph()[id].name.str(), tags.order[static_cast<std::size_t>(tag)]);
        return tags;
    }

    void compare()
    {
        const QByteArray said = m_said.toUtf8();
        const DocumentModel::Tags is = tagsOfDocument();
        QVERIFY2(is.order == m_expected->now().order, said);
        if (is.tagOf != m_expected->now().tagOf)
            QFAIL(said + differences(is.tagOf, m_expected->now().tagOf).toUtf8());
        QVERIFY2(document().steps().index() == static_cast<int>(m_expected->at()), said);
        QVERIFY2(document().steps().count() == static_cast<int>(m_expected->last()), said);
        QVERIFY2(document().isModified() == !m_expected->isSaved(), said);
        QVERIFY2(document().checks().report().untagged.size() == m_expected->untagged(), said);
        QVERIFY2(document().checks().report().backward.size() == m_expected->backwardEdges(), said);
        QVERIFY2(document().activeTag() < document().tagCount(), said);
        for (int tag = 0; tag < document().tagCount(); ++tag)
            QVERIFY2(document().checks().totals().tags[static_cast<std::size_t>(tag)].ops
                         == m_expected->countOf(is.order[static_cast<std::size_t>(tag)]),
                     said);
    }

    static QString differences(const std::map<std::string, std::string>& is, const std::map<std::string, std::string>& expected)
    {
        QStringList words;
        const auto tagIn = [](const auto& tags, const std::string& node) {
            const auto at = tags.find(node);
            return at == tags.end() ? QStringLiteral("nothing") : QString::fromStdString(at->second);
        };
        std::map<std::string, std::string> all = is;
        all.insert(expected.begin(), expected.end());
        for (const auto& [node, tag] : all)
            if (tagIn(is, node) != tagIn(expected, node))
                words +=
                    QStringLiteral("%1 is %2, not %3").arg(QString::fromStdString(node), tagIn(is, node), tagIn(expected, node));
        return QStringLiteral("; %1: ").arg(words.size()) + words.mid(0, 6).join(QStringLiteral(", "));
    }

    QString tally() const
    {
        QStringList words;
        for (const auto& [action, count] : m_counts)
            words += QStringLiteral("%1 %2").arg(count).arg(QString::fromStdString(action));
        return words.join(QStringLiteral(", "));
    }

    std::unique_ptr<DocumentModel> m_expected;
    std::unique_ptr<fuzz::Random> m_random;
    std::map<std::string, int> m_counts;
    QString m_project;
    QString m_said;
    bool m_strokeStarted = false;
};

} // namespace sunder::test
