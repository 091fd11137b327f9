#include "models/inspection.h"

#include "document/text.h"

namespace sunder {
namespace {

constexpr int kDepth = 16; ///< only malicious files nest values deeper

class Writing {
public:
    Writing(const Graph& graph, int limit) : m_graph(graph), m_limit(limit) {}
    QString take()
    {
        if (m_text.size() > m_limit)
            m_text = m_text.left(m_limit) + QStringLiteral("…");
        return m_text;
    }

    void add(const Argument& value, int depth = 0)
    {
        if (m_text.size() > m_limit || depth > kDepth)
            return;
        switch (value.kind()) {
        case ArgumentKind::none: m_text += QStringLiteral("None"); break;
        case ArgumentKind::boolean: m_text += value.asBoolean() ? QStringLiteral("True") : QStringLiteral("False"); break;
        case ArgumentKind::integer: m_text += QString::number(value.asInteger()); break;
        case ArgumentKind::floating: m_text += QString::number(value.asFloating(), 'g', 10); break;
        case ArgumentKind::string: m_text += QLatin1Char('"') + text(value.text().view()) + QLatin1Char('"'); break;
        case ArgumentKind::node: m_text += text(m_graph[value.asNode()].name.view()); break;
        case ArgumentKind::list: addItems(value, "[", "]", depth); break;
        case ArgumentKind::tuple: addItems(value, "(", value.items().size() == 1 ? ",)" : ")", depth); break;
        case ArgumentKind::namedTuple: addItems(value, "(", ")", depth); break;
        case ArgumentKind::dict: addDict(value, depth); break;
        case ArgumentKind::slice: addItems(value, "slice(", ")", depth); break;
        case ArgumentKind::range: addItems(value, "range(", ")", depth); break;
        case ArgumentKind::ellipsis: m_text += QStringLiteral("..."); break;
        case ArgumentKind::complex: {
            const auto [real, imaginary] = value.asComplex();
            m_text += QStringLiteral("(%1+%2j)").arg(real).arg(imaginary);
            break;
        }
        case ArgumentKind::symbolic: m_text += text(value.asSymbolic().expression.view()); break;
        case ArgumentKind::graph: m_text += QStringLiteral("graph %1").arg(value.asGraph().index()); break;
        case ArgumentKind::tensor: m_text += text(describe(value.asTensor())); break;
        default: m_text += text(value.text().view());
        }
    }

private:
    void addItems(const Argument& value, const char* open, const char* close, int depth)
    {
        m_text += QLatin1String(open);
        bool first = true;
        for (const Argument& item : value.items()) {
            if (!first)
                m_text += QStringLiteral(", ");
            first = false;
            add(item, depth + 1);
            if (m_text.size() > m_limit)
                return;
        }
        m_text += QLatin1String(close);
    }

    void addDict(const Argument& value, int depth)
    {
        m_text += QLatin1Char('{');
        for (std::size_t i = 0; i < value.items().size() && m_text.size() <= m_limit; ++i) {
            if (i > 0)
                m_text += QStringLiteral(", ");
            add(value.keys()[i], depth + 1);
            m_text += QStringLiteral(": ");
            add(value.items()[i], depth + 1);
        }
        m_text += QLatin1Char('}');
    }

    const Graph& m_graph;
    int m_limit;
    QString m_text;
};

} // namespace

QString argumentText(const Argument& argument, const Graph& graph, int limit)
{
    Writing writing(graph, limit);
    writing.add(argument);
    return writing.take();
}

} // namespace sunder
