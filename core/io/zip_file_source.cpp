#include "io/zip_file_source.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <zip.h>

namespace sunder {
namespace {

constexpr std::size_t kWindow = 1U << 14U; ///< a directory is read in pieces of some bytes

/// What libzip asks of a file, answered by a SourceFile. Owned by libzip.
class FileForZip {
public:
    explicit FileForZip(std::shared_ptr<const SourceFile> file) : m_file(std::move(file)) { zip_error_init(&m_error); }
    FileForZip(const FileForZip&) = delete;
    FileForZip& operator=(const FileForZip&) = delete;
    ~FileForZip() { zip_error_fini(&m_error); }

    static zip_int64_t answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command)
    {
        auto& file = *static_cast<FileForZip*>(self);
        switch (command) {
        case ZIP_SOURCE_SUPPORTS:
            return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                                  ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                                  ZIP_SOURCE_SUPPORTS, -1);
        case ZIP_SOURCE_OPEN: file.m_position = 0; return 0;
        case ZIP_SOURCE_CLOSE: return 0;
        case ZIP_SOURCE_READ: return file.read({static_cast<char*>(data), static_cast<std::size_t>(length)});
        case ZIP_SOURCE_SEEK: return file.seek(data, length);
        case ZIP_SOURCE_TELL: return static_cast<zip_int64_t>(file.m_position);
        case ZIP_SOURCE_STAT: return file.describe(data, length);
        case ZIP_SOURCE_ERROR: return zip_error_to_data(&file.m_error, data, length);
        case ZIP_SOURCE_FREE: delete &file; return 0;
        default: zip_error_set(&file.m_error, ZIP_ER_OPNOTSUPP, 0); return -1;
        }
    }

private:
    zip_int64_t read(std::span<char> buffer)
    {
        const Result<std::size_t> count = buffer.size() < kWindow ? readThroughWindow(buffer) : m_file->read(m_position, buffer);
        if (!count) {
            zip_error_set(&m_error, ZIP_ER_READ, 0);
            return -1;
        }
        m_position += *count;
        return static_cast<zip_int64_t>(*count);
    }

    Result<std::size_t> readThroughWindow(std::span<char> buffer)
    {
        if (m_position < m_windowAt || m_position + buffer.size() > m_windowAt + m_window.size()) {
            m_window.resize(kWindow);
            m_windowAt = m_position;
            const Result<std::size_t> count = m_file->read(m_position, m_window);
            m_window.resize(count.value_or(0));
            if (!count)
                return count;
        }
        const std::size_t from = m_position - m_windowAt;
        const std::size_t count = std::min(buffer.size(), m_window.size() - from);
        std::memcpy(buffer.data(), m_window.data() + from, count);
        return count;
    }

    zip_int64_t seek(void* data, zip_uint64_t length)
    {
        const zip_int64_t place = zip_source_seek_compute_offset(m_position, m_file->size(), data, length, &m_error);
        if (place < 0)
            return -1;
        m_position = static_cast<std::uint64_t>(place);
        return 0;
    }

    zip_int64_t describe(void* data, zip_uint64_t length)
    {
        auto* stat = ZIP_SOURCE_GET_ARGS(zip_stat_t, data, length, &m_error);
        if (stat == nullptr)
            return -1;
        zip_stat_init(stat);
        stat->size = m_file->size();
        stat->valid |= ZIP_STAT_SIZE;
        return sizeof *stat;
    }

    std::shared_ptr<const SourceFile> m_file;
    zip_error_t m_error;
    std::uint64_t m_position = 0;
    std::uint64_t m_windowAt = 0;
    std::vector<char> m_window;
};

} // namespace

zip* openZip(std::shared_ptr<const SourceFile> file, std::string& why)
{
    zip_error_t error;
    zip_error_init(&error);
    auto bytes = std::make_unique<FileForZip>(std::move(file));
    zip_source_t* source = zip_source_function_create(FileForZip::answer, bytes.get(), &error);
    zip_t* opened = nullptr;
    if (source != nullptr) {
        static_cast<void>(bytes.release()); // libzip frees it with the source
        opened = zip_open_from_source(source, ZIP_RDONLY, &error);
        if (opened == nullptr)
            zip_source_free(source);
    }
    if (opened == nullptr)
        why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return opened;
}

} // namespace sunder
