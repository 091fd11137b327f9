#include "document/runs/partition_request.h"

#include <QObject>

namespace sunder {

namespace {

QString nameOf(PartitionMode mode)
{
    switch (mode) {
    case PartitionMode::sizeBased: return QObject::tr("size-based");
    case PartitionMode::sparseNn: return QObject::tr("sparse NN");
    case PartitionMode::costAware: return QObject::tr("cost-aware");
    case PartitionMode::klBased: return QObject::tr("Kernighan-Lin");
    case PartitionMode::aotBased: return QObject::tr("as given");
    }
    return {};
}

} // namespace

QString nameOf(const PartitionRequest& request)
{
    QString name = request.is2020 ? QObject::tr("size-based of 2020") : nameOf(request.config.mode);
    if (!request.is2020 && request.config.saturateHost)
        name += QObject::tr(", saturated");
    if (request.asUpstream)
        name += QObject::tr(", as torch");
    return name;
}

} // namespace sunder
