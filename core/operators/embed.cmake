# Writes a C++ file that holds the text of INPUT as `NAME`, which HEADER declares in namespace sunder::SPACE:
# cmake -DINPUT=… -DOUTPUT=… -DNAME=… -DHEADER=… -DSPACE=… -P.
file(READ "${INPUT}" text)
# A literal of limited length a piece: compilers need not take longer ones.
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
    string(SUBSTRING "${text}" ${at} 15000 piece)
    string(APPEND pieces "    R\"~~(${piece})~~\"\n")
    math(EXPR at "${at} + 15000")
endwhile()
if(pieces STREQUAL "")
    set(pieces "    \"\"\n")
endif()
file(WRITE "${OUTPUT}" "// Made of ${NAME}'s file by embed.cmake.\n#include \"${HEADER}\"\n\n"
    "namespace sunder::${SPACE} {\nstatic constexpr char text[] =\n${pieces};\n"
    "const std::string_view ${NAME}(text, sizeof(text) - 1);\n} // namespace sunder::${SPACE}\n")
