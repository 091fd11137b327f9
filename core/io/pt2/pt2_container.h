#pragma once

#include "io/archives/zip_archive.h"
#include "io/pt2/pt2_schema.h"
#include "ir/program.h"

#include <string>

namespace sunder {

/// Names of the `.pt2` members that belong to one program.
struct Pt2Members {
    std::string root;      ///< with its slash; empty for the flat container
    std::string program;
    std::string weights;   ///< a torch.save file; empty if weights are raw records
    std::string constants; ///< the same for constants
    std::string samples;   ///< example inputs
    std::string extras;    ///< prefix of extra files
};

/// Returns the member names for writing a container. torch.export.load reads the program with the name "model".
Pt2Members pt2MembersOf(Pt2Container container, const std::string& root = "archive/", const std::string& model = "model");

/// Returns the container kind of an archive with that program.
Pt2Container pt2ContainerOf(const ZipArchive& archive, const std::string& model);

/// Returns the name of the program in its archive, else "model".
std::string pt2ModelName(const Program& program);

} // namespace sunder
