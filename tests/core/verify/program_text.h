#pragma once

#include "ir/program.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace sunder::test {

/// Small programs for tests of the verifier, one node per line:
///   x = input                     y = aten.add.Tensor(x, 1, alpha=2)     z = method.relu(y)
///   w = attr lin.weight           s = torch.nn.functional.dropout(x, 0.5, True)
///   return (y, [z, None])         "aten." is short for "torch.ops.aten."
/// Values may be described:
///   x = input [2, 3]              v = aten.t.default(x) : [3, 2] [1, 3]     p = input True
///   y = input [4] float64         t = aten.to.dtype(y, float16) : [4] float16
/// A description gives the shape of a float32 tensor (and optionally strides and dtype), or a truth value. The lines between
/// "graph NAME" and "end" are the graph of a module with that name. "attr NAME" passes the graph as a value and "module.NAME(x)"
/// calls it.
/// Values are names, integers, floats (with a point), True, False, None, "texts", (tuples,), and [lists].
/// Attributes are parameters of shape [4] with separate storages; "attr a = b" makes `a` another name of `b`.
class ProgramText {
public:
    static Program program(std::string_view text)
    {
        ProgramText made;
        made.m_program.root = made.m_program.addGraph(ModuleTree::root());
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.find(';'));
            made.line(trimmed(text.substr(0, end)));
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        }
        return std::move(made.m_program);
    }

private:
    static std::string_view trimmed(std::string_view text)
    {
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ')
            text.remove_suffix(1);
        return text;
    }

    void line(std::string_view text)
    {
        if (text.empty())
            return;
        if (text.starts_with("graph ")) {
            m_outer = m_nodes;
            const ModuleId module = m_program.modules.ensure(std::string(text.substr(6)));
            m_graph = m_program.addGraph(module);
            m_program.modules[module].graph = m_graph;
            return;
        }
        if (text == "end") {
            m_nodes = m_outer;
            m_graph = m_program.root;
            return;
        }
        if (text.starts_with("return ")) {
            m_rest = text.substr(7);
            add({.op = Op::output, .name = intern("output"), .target = intern("output"), .args = {value()}});
            return;
        }
        const std::size_t equals = text.find(" = ");
        const std::string_view name = text.substr(0, equals);
        m_rest = text.substr(equals + 3);
        if (m_rest.starts_with("input")) {
            m_rest.remove_prefix(5);
            NodeSpec spec{.op = Op::placeholder, .name = intern(name), .target = intern(name)};
            skip();
            if (m_rest == "True")
                spec.meta.val = Argument::tensor(TensorMeta{.dtype = intern("bool"), .stride = Arguments()});
            else if (!m_rest.empty())
                spec.meta.val = described();
            add(std::move(spec));
            return;
        }
        if (m_rest.starts_with("attr ")) {
            const InternedString fqn = intern(m_rest.substr(5));
            if (!m_program.tensors.find(fqn).isValid() && !m_program.modules.find(fqn).isValid())
                addTensor(fqn);
            if (m_program.modules.find(fqn).isValid()
                && m_graph != m_program.root) { // children of the module that has this graph
                const ModuleId owner = m_program.owners[m_graph.index()];
                m_program.modules[m_program.modules.ensure(m_program.modules[owner].path.str() + '.' + fqn.str())].same =
                    m_program.modules.find(fqn);
            }
            add({.op = Op::getAttr, .name = intern(name), .target = fqn});
            return;
        }
        call(name);
    }

    void addTensor(InternedString fqn)
    {
        const InternedString storage = intern("s" + fqn.str());
        TensorEntry entry{.fqn = fqn};
        entry.storage = m_program.tensors.addStorage({.id = storage, .byteCount = 16});
        entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(4)}};
        entry.meta.storage = storage;
        m_program.tensors.add(std::move(entry));
    }

    void call(std::string_view name)
    {
        const std::size_t open = m_rest.find('(');
        std::string target(m_rest.substr(0, open));
        NodeSpec spec{.op = Op::callFunction, .name = intern(name)};
        if (target.starts_with("aten."))
            target = "torch.ops." + target;
        if (target.starts_with("method.")) {
            spec.op = Op::callMethod;
            target = target.substr(7);
        }
        if (target.starts_with("module.")) {
            spec.op = Op::callModule;
            target = target.substr(7);
        }
        spec.target = intern(target);
        m_rest.remove_prefix(open + 1);
        for (skip(); !take(')'); take(','), skip()) {
            const std::size_t word = m_rest.find_first_of("=,)");
            if (word != std::string_view::npos && m_rest[word] == '=') {
                const InternedString key = intern(trimmed(m_rest.substr(0, word)));
                m_rest.remove_prefix(word + 1);
                spec.kwargs.push_back({key, value()});
            } else {
                spec.args.push_back(value());
            }
        }
        if (take(':'))
            spec.meta.val = described();
        add(std::move(spec));
    }

    void add(NodeSpec spec)
    {
        const std::string name = spec.name.str();
        m_nodes[name] = m_program.graph(m_graph).append(std::move(spec));
    }

    /// A shape, and strides if they differ from those of torch.empty.
    Argument described()
    {
        TensorMeta meta{.dtype = intern("float32")};
        const Argument shape = value();
        meta.shape.assign(shape.items().begin(), shape.items().end());
        meta.stride.emplace(meta.shape.size());
        std::int64_t step = 1;
        for (std::size_t i = meta.shape.size(); i-- > 0; step *= meta.shape[i].asInteger())
            (*meta.stride)[i] = Argument::integer(step);
        skip();
        if (m_rest.starts_with('[')) {
            const Argument stride = value();
            meta.stride->assign(stride.items().begin(), stride.items().end());
        }
        skip();
        if (!m_rest.empty())
            meta.dtype = intern(m_rest);
        return Argument::tensor(std::move(meta));
    }

    void skip()
    {
        while (!m_rest.empty() && m_rest.front() == ' ')
            m_rest.remove_prefix(1);
    }
    bool take(char c)
    {
        skip();
        if (m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    Argument value()
    {
        skip();
        if (take('"')) {
            const std::size_t end = m_rest.find('"');
            const Argument text = Argument::string(intern(m_rest.substr(0, end)));
            m_rest.remove_prefix(end + 1);
            return text;
        }
        for (const char open : {'(', '['}) {
            if (!take(open))
                continue;
            Arguments items;
            for (; !take(open == '(' ? ')' : ']'); take(','))
                items.push_back(value());
            return open == '(' ? Argument::tuple(std::move(items)) : Argument::list(std::move(items));
        }
        if (take('{')) {
            Arguments keys;
            Arguments items;
            for (; !take('}'); take(',')) {
                keys.push_back(value());
                take(':');
                items.push_back(value());
            }
            return Argument::dict(std::move(keys), std::move(items));
        }
        const std::size_t end = std::min(m_rest.find_first_of(",:)]} "), m_rest.size());
        const std::string word(m_rest.substr(0, end));
        m_rest.remove_prefix(end);
        return named(word);
    }

    Argument named(const std::string& word) const
    {
        if (word == "None")
            return {};
        if (word == "True" || word == "False")
            return Argument::boolean(word == "True");
        if (const auto found = m_nodes.find(word); found != m_nodes.end())
            return Argument::node(found->second);
        if (word.starts_with("float") || word.starts_with("int"))
            return Argument::word(ArgumentKind::dtype, intern(word));
        if (word.starts_with("sparse"))
            return Argument::word(ArgumentKind::layout, intern(word));
        if (word.find('.') != std::string::npos)
            return Argument::floating(std::stod(word));
        return Argument::integer(std::stoll(word));
    }

    Program m_program;
    GraphId m_graph{0U};
    std::map<std::string, NodeId> m_nodes;
    std::map<std::string, NodeId> m_outer;
    std::string_view m_rest;
};

} // namespace sunder::test
