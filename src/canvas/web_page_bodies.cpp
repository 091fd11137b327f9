// The boxes and edges of a page. Every body is written once, with the modules in it closed.
#include "canvas/picture_looks.h"
#include "canvas/web_page_data.h"
#include "support/format.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

namespace sunder::webpage {
namespace {

int whole(float length)
{
    return static_cast<int>(std::lround(length));
}

/// A picture with its looks.
struct Seen {
    Seen(const Picture& of, const PictureStyle& style) : picture(of), tables(of), looks(of, tables, style) {}

    const Picture& picture;
    PictureTables tables;
    PictureLooks looks;
};

class BodyWriter {
public:
    BodyWriter(const WebPage& page, Texts& texts, JsonWriter& json) : m_page(page), m_texts(texts), m_json(json)
    {
        for (const std::shared_ptr<const Picture>& picture : page.bodies.pictures)
            m_seen.push_back(std::make_unique<Seen>(*picture, page.style));
        for (const BackwardMark& mark : page.style.backward)
            m_backward[mark.producer].push_back(mark.consumer);
        for (const PictureNote& note : page.style.notes)
            m_notes[note.node].push_back(&note);
    }

    void write(const PictureBody& body)
    {
        m_json.object([&] {
            m_json.member("w", whole(body.size.width));
            m_json.member("h", whole(body.size.height));
            m_json.member("a", whole(axisOf(body)));
            if (body.frame) {
                const Item& frame = item(body.picture, body.frame);
                text("t", frame.title);
                text("u", frame.subtitle);
                text("d", frame.detail);
            }
            m_json.key("b");
            m_json.list(body.boxes, [&](const BodyBox& box) { m_json.object([&] { writeBox(box); }); });
            m_json.key("e");
            m_json.list(body.edges, [&](const BodyEdge& edge) { m_json.object([&] { writeEdge(body, edge); }); });
        });
    }

private:
    [[nodiscard]] const Item& item(std::uint32_t picture, ItemId id) const { return m_seen[picture]->picture.items[id.index()]; }

    /// Returns where the largest value enters, else leaves, across the flow: it stays in line with the edges outside.
    [[nodiscard]] float axisOf(const PictureBody& body) const
    {
        const bool isRight = m_seen[body.picture]->picture.direction == FlowDirection::right;
        const BodyEdge* main = nullptr;
        for (const bool enters : {true, false}) {
            for (const BodyEdge& edge : body.edges) {
                const bool crosses = (enters ? edge.from : edge.to) == BodyEdge::kBorder && !edge.path.empty();
                if (crosses && (main == nullptr || edge.bytes > main->bytes))
                    main = &edge;
            }
            if (main != nullptr) {
                const Point& port = enters ? main->path.front() : main->path.back();
                return isRight ? port.y : port.x;
            }
        }
        return (isRight ? body.size.height : body.size.width) / 2;
    }

    void text(const char* name, std::string_view text)
    {
        if (!text.empty())
            m_json.member(name, m_texts(text));
    }

    void writeBox(const BodyBox& box)
    {
        const Item& shown = item(box.picture, box.item);
        const bool isNode = shown.kind == ItemKind::node;
        m_json.member("r", std::array{whole(box.rect.x), whole(box.rect.y), whole(box.rect.width), whole(box.rect.height)});
        if (box.isOpen)
            m_json.member("c", std::array{whole(box.closed.width), whole(box.closed.height)});
        if (!isNode)
            m_json.member("k", shown.copies > 1 ? 2 : 1);
        if (shown.column > 0)
            m_json.member("j", shown.column);
        if (box.body != BodyBox::kNoBody)
            m_json.member("m", box.body);
        if (box.isOpen)
            m_json.member("v", 1);
        text("t", shown.title);
        text("u", shown.subtitle);
        text("d", shown.detail);
        text("n", shown.note);
        if (isNode) {
            const Node& node = m_page.graph[shown.node];
            text("f", node.target.view());
            if (node.name.view() != shown.subtitle) // which is shortened
                text("z", node.name.view());
        } else {
            text("p", shown.key);
        }
        if (shown.opCount > 1)
            m_json.member("o", shown.opCount);
        if (shown.bytes > 0)
            text("y", formatBytes(shown.bytes));
        if (isNode && shown.outputBytes > 0)
            text("q", formatBytes(shown.outputBytes));
        writeLook(box);
        writeCosts(shown);
        writeChips(shown);
        writeNotes(shown);
    }

    void writeLook(const BodyBox& box)
    {
        const PictureLooks& looks = m_seen[box.picture]->looks;
        const ItemLook look = looks[box.item];
        const std::span<const StripPart> strip = looks.strip(box.item);
        if (strip.size() == 1) {
            m_json.member("g", strip.front().tag);
        } else if (!strip.empty()) {
            m_json.key("g");
            m_json.list(strip, [&](const StripPart& part) {
                m_json.value(std::array{static_cast<int>(part.tag), whole(part.share * 1000), static_cast<int>(part.ops)});
            });
        }
        if (const int marks = (look.marked ? 1 : 0) + (look.backward ? 2 : 0); marks > 0)
            m_json.member("s", marks);
        if (m_page.style.costs && !look.cost.isEmpty()) {
            m_json.member("h", costStep(*m_page.style.costs, look.cost));
            text("l", costLabel(*m_page.style.costs, look.cost).toStdString());
        }
    }

    void writeCosts(const Item& shown)
    {
        std::vector<std::uint32_t> lines;
        for (const CostFiguresPtr& figures : m_page.costs) {
            const CostFigure figure = figures->sum(shown.nodes);
            if (!figure.isKnown() || figure.value == 0)
                continue;
            const std::string share = costShareText(*figures, figure);
            lines.push_back(m_texts(describe(*figures, figure) + (figures->unit == CostUnit::byte ? " moved" : "")
                                    + (share.empty() ? "" : " (" + share + ")")));
        }
        m_json.memberIfAny("x", lines);
    }

    void writeChips(const Item& shown)
    {
        if (shown.chips.empty() || shown.kind == ItemKind::frame)
            return;
        m_json.key("i");
        m_json.list(shown.chips, [&](const Chip& chip) {
            m_json.value(std::array{whole(chip.rect.x - shown.rect.x), whole(chip.rect.y - shown.rect.y), whole(chip.rect.width),
                                    whole(chip.rect.height), static_cast<int>(m_texts(chip.text))});
        });
    }

    /// Notes are on ops; the closed modules around them show them as well.
    void writeNotes(const Item& shown)
    {
        if (m_notes.empty())
            return;
        std::vector<std::uint32_t> notes;
        for (const NodeId node : shown.nodes)
            if (const auto found = m_notes.find(node); found != m_notes.end())
                for (const PictureNote* note : found->second)
                    notes.push_back(m_texts(note->text.toStdString(), Lines::keep));
        m_json.memberIfAny("a", notes);
    }

    void writeEdge(const PictureBody& body, const BodyEdge& edge)
    {
        const auto end = [&](const char* name, std::uint32_t box) {
            if (box != BodyEdge::kBorder)
                m_json.member(name, box);
        };
        end("f", edge.from);
        end("t", edge.to);
        m_json.key("p");
        writeRoute(edge.path, m_json);
        m_json.key("v");
        m_json.list(edge.values, [&](NodeId value) { m_json.value(value.index()); });
        if (edge.bytes > 0)
            text("y", formatBytes(edge.bytes));
        if (edge.isCut)
            m_json.member("c", 1);
        if (edge.to != BodyEdge::kBorder && isBackward(edge, body.boxes[edge.to]))
            m_json.member("w", 1);
    }

    [[nodiscard]] bool isBackward(const BodyEdge& edge, const BodyBox& to) const
    {
        if (m_backward.empty())
            return false;
        const std::vector<NodeId>& nodes = item(to.picture, to.item).nodes;
        for (const NodeId value : edge.values)
            if (const auto found = m_backward.find(value); found != m_backward.end())
                for (const NodeId consumer : found->second)
                    if (std::ranges::find(nodes, consumer) != nodes.end())
                        return true;
        return false;
    }

    const WebPage& m_page;
    Texts& m_texts;
    JsonWriter& m_json;
    std::vector<std::unique_ptr<Seen>> m_seen; ///< per picture
    std::unordered_map<NodeId, std::vector<NodeId>> m_backward; ///< consumers by producer
    std::unordered_map<NodeId, std::vector<const PictureNote*>> m_notes;
};

} // namespace

void writeRoute(const BezierPath& path, JsonWriter& json)
{
    const auto isSame = [&](float Point::* axis) {
        return std::ranges::all_of(path, [&](const Point& point) { return std::fabs(point.*axis - path.front().*axis) < 0.5F; });
    };
    std::vector<int> numbers;
    const auto add = [&](const Point& point) {
        numbers.push_back(whole(point.x));
        numbers.push_back(whole(point.y));
    };
    if (!path.empty() && (isSame(&Point::x) || isSame(&Point::y))) {
        add(path.front());
        add(path.back());
    } else {
        std::ranges::for_each(path, add);
    }
    json.value(numbers);
}

Result<void> writeBodies(const WebPage& page, Texts& texts, JsonWriter& json, ProgressMonitor& monitor)
{
    BodyWriter writer(page, texts, json);
    const auto count = static_cast<double>(page.bodies.bodies.size());
    double done = 0;
    Result<void> going;
    json.key("bodies");
    json.list(page.bodies.bodies, [&](const PictureBody& body) {
        if (going)
            going = monitor.check();
        if (going)
            writer.write(body);
        else
            json.value(nullptr);
        monitor.report(++done / count, "Writing");
    });
    return going;
}

} // namespace sunder::webpage
