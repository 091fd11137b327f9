#include "app/returned_memory.h"

#include <cstdlib>
#include <variant>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sunder {
namespace {

constexpr std::size_t kLarge = 50'000; ///< nodes: about 50 MB
constexpr int kWaitMs = 1000;
constexpr int kRounds = 3;

void trim()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace

void freeMemoryEvenly()
{
#ifdef __GLIBC__
    mallopt(M_MXFAST, 0);
#endif
}

ReturnedMemory::ReturnedMemory(Document& document, Jobs& jobs, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs)
{
    m_timer.setInterval(kWaitMs);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ReturnedMemory::giveBack);
    connect(&document, &Document::changed, this, [this](Changes what) {
        if (what.testFlag(Change::program))
            modelChanged();
        else if (what.testFlag(Change::operators))
            m_open = m_document.snapshot();
    });
}

void ReturnedMemory::modelChanged()
{
    if (m_isLarge) {
        m_closed = m_open;
        m_rounds = kRounds;
        m_timer.start();
    }
    m_open = m_document.snapshot();
    m_isLarge = m_document.isOpen() && m_document.graph().size() > kLarge;
}

void ReturnedMemory::giveBack()
{
    if (!m_closed.expired() || m_jobs.runningCount() > 0) { // the model is still in use
        m_timer.start();
        return;
    }
    m_jobs.start<std::monostate>(
        {.key = QStringLiteral("memory"), .title = tr("Return memory to the system"), .quiet = true},
        [](ProgressMonitor&) -> Result<std::monostate> {
            trim();
            return std::monostate();
        },
        this,
        [this](const Result<std::monostate>&) {
            if (--m_rounds > 0)
                m_timer.start();
        });
}

} // namespace sunder

#include "moc_returned_memory.cpp"
