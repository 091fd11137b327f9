#include "canvas/picture_files.h"

#include "layout/picture/picture_index.h"
#include "support/format.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace sunder {
namespace {

constexpr float kTilePixels = 4096;     ///< per side
constexpr std::size_t kMaxTiles = 256; ///< 4 gigapixels, some minutes of work
constexpr float kOverviewPixels = 6000; ///< per side

bool isPng(const std::filesystem::path& path)
{
    return QString::fromStdString(path.extension().string()).compare(QLatin1String(".png"), Qt::CaseInsensitive) == 0;
}

std::string nameOf(const std::filesystem::path& path, const PicturePage& tile)
{
    return path.stem().string() + "-" + std::to_string(tile.row + 1) + "-" + std::to_string(tile.column + 1)
        + path.extension().string();
}

std::string pixels(float length)
{
    return std::to_string(static_cast<int>(std::lround(length)));
}

/// Returns an HTML page with the tiles in a grid, each at its size in pixels and loaded when scrolled into view.
std::string indexOf(const std::filesystem::path& path, const std::vector<PicturePage>& tiles, float scale)
{
    const auto escaped = [](const std::string& text) { return QString::fromStdString(text).toHtmlEscaped().toStdString(); };
    const std::string stem = escaped(path.stem().string());
    std::string html = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" + stem
        + "</title>\n<style>body{margin:0;font:14px sans-serif}p{margin:8px}div{display:flex;width:max-content}img{display:block}"
          "</style>\n<p>"
        + stem + ": " + formatCount(tiles.size(), "tile") + ". <a href=\"" + escaped(path.filename().string())
        + "\">Overview</a></p>\n";
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const bool begins = i == 0 || tiles[i].row != tiles[i - 1].row;
        const bool ends = i + 1 == tiles.size() || tiles[i].row != tiles[i + 1].row;
        html += begins ? "<div>\n" : "";
        html += "<img loading=\"lazy\" src=\"" + escaped(nameOf(path, tiles[i])) + "\" width=\""
            + pixels(std::ceil(tiles[i].area.width * scale)) + "\" height=\"" + pixels(std::ceil(tiles[i].area.height * scale))
            + "\" alt=\"row " + std::to_string(tiles[i].row + 1) + ", column " + std::to_string(tiles[i].column + 1) + "\">\n";
        html += ends ? "</div>\n" : "";
    }
    return html + "</html>\n";
}

} // namespace

PictureFiles filesOfPicture(const Picture& picture, const std::string& path, const PictureExportOptions& options)
{
    PictureFiles files;
    files.parts.push_back({path, options});
    const Rect whole{0, 0, picture.size.width, picture.size.height};
    const Rect area = grown(options.area.value_or(whole), options.margin);
    auto scale = static_cast<float>(options.scale);
    files.tileScale = options.scale;
    if (!isPng(path) || fitsIntoPng({area.width * scale, area.height * scale}))
        return files;
    PictureExportOptions& overview = files.parts.front().options;
    overview.scale = std::max(0.01, static_cast<double>(kOverviewPixels / std::max(area.width, area.height)));
    const auto tilesAt = [&](float at) { return pagesOf(picture, area, {kTilePixels / at, kTilePixels / at}); };
    std::vector<PicturePage> tiles = tilesAt(scale);
    for (; tiles.size() > kMaxTiles; tiles = tilesAt(scale)) {
        scale *= std::min(0.9F, std::sqrt(static_cast<float>(kMaxTiles) / static_cast<float>(tiles.size())));
        files.tileScale = double{scale};
    }
    const std::filesystem::path at(path);
    for (const PicturePage& tile : tiles) {
        PictureExportOptions part = options;
        part.area = tile.area;
        part.scale = files.tileScale;
        part.margin = 0;
        files.parts.push_back({(at.parent_path() / nameOf(at, tile)).string(), std::move(part)});
    }
    files.indexPath = (at.parent_path() / (at.stem().string() + ".html")).string();
    files.indexHtml = indexOf(at, tiles, scale);
    return files;
}

} // namespace sunder
