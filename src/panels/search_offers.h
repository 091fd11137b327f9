#pragma once

#include <QString>

#include <vector>

namespace sunder {

/// A query for the empty search field, and its meaning.
struct SearchOffer {
    QString query;
    QString finds;
};

/// Returns the last searches, newest first, then an example for each query field.
[[nodiscard]] std::vector<SearchOffer> searchOffers();

/// Makes `query` the newest of the last searches. They are kept in the settings.
void rememberSearch(const QString& query);

} // namespace sunder
