// Whether the plan's stages can run by a schedule on its devices: told while both are chosen, before a run would fail.
#pragma once

#include <QString>
#include <string>

namespace pipescope::session {

class Document;

/// Why so many stages cannot run by a schedule of the table on so many devices (0: one for each stage), as a sentence
/// with what would do; "" where they can. Of a schedule that is a file, or none, the engine says it.
[[nodiscard]] QString whyNotScheduled(const std::string &schedule, int stages, int devices, int microbatches);

/// The same of the document's plan; "" where its stages are not known.
[[nodiscard]] QString whyNotScheduled(const Document &document);

} // namespace pipescope::session
