#include "trial.h"

#include "fingerprint.h"
#include "random_program.h"

#include "io/fx_json/fx_json_writer.h"
#include "ir/lint.h"
#include "ir/printer.h"
#include "verify/verify.h"

#include <cstdio>
#include <filesystem>
#include <sstream>

namespace sunder::fuzz {

namespace {

Program withoutGradients(Program program)
{
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
        program.tensors[TensorId(i)].meta.requiresGrad = false;
    Graph& graph = program.rootGraph();
    for (const NodeId id : graph.order()) {
        std::optional<Argument>& val = graph.meta(id).val;
        if (!val || !val->is(ArgumentKind::tensor))
            continue;
        TensorMeta meta = val->asTensor();
        meta.requiresGrad = false;
        val = Argument::tensor(std::move(meta));
    }
    return program;
}

/// A buffer that passes a value into a preserved module, as in PyTorch, requires gradients afterward if one of these values did.
/// Only that may prevent a proof for the result of a pure program.
bool isProvenButForGradients(const Program& source, const Program& result)
{
    if (isPure(result)) // it copies nothing
        return false;
    const Result<VerifyReport> report = verifyResult(withoutGradients(source), withoutGradients(result));
    return report && report->verdict == Verdict::same;
}

} // namespace

std::string textOf(const Program& program)
{
    std::ostringstream text;
    writeFxJson(program, text);
    return text.str();
}

void Trial::run()
{
    Random drawing(m_seed);
    const bool exported = m_pass.input == Pass::Input::exported || (m_pass.input == Pass::Input::any && drawing.chance(25));
    const Program source = exported ? randomExportedProgram(drawing) : randomGraphModule(drawing);
    if (const Diagnostics faults = lint(source); !faults.empty())
        return finding("the drawn program is not clean: " + faults.front().message, source);
    ++m_counts.runs;
    Random chosen = choices();
    const Result<Program> result = m_pass.run(source, chosen);
    if (!result) {
        ++m_counts.refused;
        if (result.error().message.empty())
            finding("refused without a word", source);
        if (drawing.chance(25))
            checkRenumbered(source, result.error().message);
        return;
    }
    check(source, *result);
    if (drawing.chance(25))
        checkRenumbered(source, textOf(*result));
    checkChanges(source, *result);
}

void Trial::check(const Program& source, const Program& result)
{
    if (const Diagnostics faults = lint(result); !faults.empty())
        return finding("the result is not clean: " + faults.front().message, source, &result);
    const Result<VerifyReport> report = verifyResult(source, result);
    if (!report)
        return finding("verifying failed: " + report.error().message, source, &result);
    const Givens givens = givensOf(source);
    const auto first = fingerprint(source, givens);
    const auto second = fingerprint(result, givens);
    const bool differs = first && second && *first != *second;
    if (report->verdict == Verdict::same) {
        ++m_counts.proven;
        if (differs || (first && !second))
            finding("called the same, but the fingerprints differ", source, &result);
        return;
    }
    ++(differs ? m_counts.differs : m_counts.unproven);
    if (!differs && m_counts.showsUnproven)
        show("unproven: " + report->why, source, &result);
    if (m_pass.promise == Pass::Promise::upstream)
        return;
    if (m_pass.promise == Pass::Promise::proven)
        return finding("there is no proof: " + report->why, source, &result);
    if (differs && (m_pass.promise == Pass::Promise::right || isPure(source)))
        finding("the result computes something else: " + report->why, source, &result);
    else if (!differs && isPure(source) && !isProvenButForGradients(source, result))
        finding("a pure program is not proven: " + report->why, source, &result);
}

void Trial::checkRenumbered(const Program& source, const std::string& wanted)
{
    Random stirring(m_seed + 1);
    Random chosen = choices();
    const Program other = renumbered(source, stirring);
    const Result<Program> result = m_pass.run(other, chosen);
    const std::string found = result ? textOf(*result) : result.error().message;
    if (found == wanted)
        return;
    const bool isShort = found.size() + wanted.size() < 1000; // reasons for a refusal
    finding("another order of node numbers gives another result" + (isShort ? ": " + wanted + " / " + found : ""), source,
            result ? &*result : nullptr);
}

void Trial::checkChanges(const Program& source, const Program& result)
{
    Random changing(m_seed + 2);
    const bool isSource = changing.chance(50);
    Program changed = isSource ? source : result;
    if (!change(changed, changing) || !lint(changed).empty())
        return;
    if (isSource)
        compareChanged(changed, result, "a changed source");
    else
        compareChanged(source, changed, "a changed result");
}

void Trial::compareChanged(const Program& a, const Program& b, const char* what)
{
    ++m_counts.changes;
    const Result<VerifyReport> report = verifyResult(a, b);
    if (!report || report->verdict != Verdict::same) {
        ++m_counts.noticed;
        return;
    }
    const Givens givens = givensOf(a);
    const auto first = fingerprint(a, givens);
    const auto second = fingerprint(b, givens);
    if (first && second && *first != *second)
        finding(std::string(what) + " is called the same, but the fingerprints differ", a, &b);
}

void Trial::finding(const std::string& what, const Program& source, const Program* result)
{
    ++m_counts.findings;
    show(what, source, result);
}

void Trial::show(const std::string& what, const Program& source, const Program* result)
{
    const std::string stem = SUNDER_FINDINGS "/" + std::string(m_pass.name) + '-' + std::to_string(m_seed);
    std::printf("%.*s, seed %llu: %s\n", static_cast<int>(m_pass.name.size()), m_pass.name.data(),
                static_cast<unsigned long long>(m_seed), what.c_str());
    if (++m_counts.shown > 20)
        return;
    std::filesystem::create_directories(SUNDER_FINDINGS);
    (void)writeFxJson(source, stem + "-a.fxj");
    if (result != nullptr)
        (void)writeFxJson(*result, stem + "-b.fxj");
}

} // namespace sunder::fuzz
