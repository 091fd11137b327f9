#pragma once

#include "io/archives/zip_writer.h"
#include "support/file.h"
#include "support/sha256.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>

namespace sunder::test {

/// Returns the values as raw bytes.
template <typename T>
std::string packed(std::initializer_list<T> values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), std::data(values), bytes.size());
    return bytes;
}

/// Writes `place`.fxj, a model that adds its constant w to its input, and `place`.pt2, an archive with the bytes of w. Returns
/// the path of the model. `meta` has dtype, shape, and so on of w in fx-json notation with ' instead of ".
inline std::string writeStoredTensor(const std::string& place, const std::string& meta, const std::string& bytes)
{
    const std::string name = place.substr(place.rfind('/') + 1) + ".pt2";
    {
        std::ofstream out(place + ".pt2", std::ios::binary);
        ZipWriter zip(out);
        zip.add("archive/data/weights/weight_0", bytes);
        zip.finish();
    }
    std::string text = "{'k':'fx-json','v':[1,0],'min':[1,0],'source':{'file':'" + name + "','sha256':'"
        + sha256OfFile(place + ".pt2").value() + "'}}\n{'k':'storage','id':'s0','at':{'file':'" + name
        + "','record':'data/weights/weight_0'}}\n{'k':'tensor','fqn':'w','role':'constant'," + meta + ",'storage':'s0'}\n"
        + "{'k':'graph','id':'g0','module':''}\n"
          "{'k':'node','g':'g0','name':'x','op':'placeholder','target':'x','args':[],'kwargs':[]}\n"
          "{'k':'node','g':'g0','name':'held','op':'get_attr','target':'w','args':[],'kwargs':[]}\n"
          "{'k':'node','g':'g0','name':'sum','op':'call_function','target':'torch.ops.aten.add.Tensor',"
          "'args':[{'n':'x'},{'n':'held'}],'kwargs':[]}\n"
          "{'k':'node','g':'g0','name':'output','op':'output','target':'output','args':[{'n':'sum'}],'kwargs':[]}\n"
          "{'k':'end','nodes':4}\n";
    std::ranges::replace(text, '\'', '"');
    return writeFileAtomically(place + ".fxj", text) ? place + ".fxj" : std::string();
}

} // namespace sunder::test
