#include "app/welcome_models.h"

#include "app/recent_models.h"
#include "app/samples.h"
#include "panels/welcome_page.h"

#include <QDir>
#include <QFileInfo>

namespace sunder {

void showModels(WelcomePage& page)
{
    std::vector<WelcomePage::Entry> recent;
    for (const QString& path : recentModels().mid(0, 5))
        recent.push_back({path, QFileInfo(path).fileName(), QDir::toNativeSeparators(QFileInfo(path).absolutePath())});
    page.setRecent(recent);
    std::vector<WelcomePage::Entry> samples;
    for (const Sample& sample : sampleModels())
        samples.push_back({sample.path, sample.title, sample.description});
    page.setSamples(samples);
}

} // namespace sunder
