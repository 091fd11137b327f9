#pragma once

#include "io/archives/zip_archive.h"
#include "io/pt2/pt2_schema.h"
#include "ir/program.h"

#include <string>

namespace sunder {

/// What the members of a `.pt2` are called that hold the program of one name.
struct Pt2Members {
    std::string root;      ///< with its slash; empty for the flat container
    std::string program;
    std::string weights;   ///< a torch.save file; empty where weights are raw records
    std::string constants; ///< likewise
    std::string samples;   ///< example inputs
    std::string extras;    ///< what extra files begin with
};

/// Those that a file of this container is written with. torch.export.load reads the program of the name "model".
Pt2Members pt2MembersOf(Pt2Container container, const std::string& root = "archive/", const std::string& model = "model");

/// How an archive that holds the program of that name lies.
Pt2Container pt2ContainerOf(const ZipArchive& archive, const std::string& model);

/// "model", or the name that the archive has for the program.
std::string pt2ModelName(const Program& program);

} // namespace sunder
