// What of a file's own code runs when the file is loaded: the `__setstate__` of the classes that its objects are of, of
// modules inside others too. Private to import/.
#pragma once

#include "import/archive/archive_content.h"

#include <string>

namespace pipescope::import {

/// A sentence that names the classes, and says where the code of the file uses files of the machine; "" where loading
/// runs nothing.
[[nodiscard]] std::string noteOfCodeOnLoad(const ArchiveContent &content);

} // namespace pipescope::import
