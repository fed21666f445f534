// What users write to say where to split, turned into cuts. The words are torch.distributed.pipelining's: a submodule's
// FQN means SplitPoint.BEGINNING, "FQN:end" means SplitPoint.END.
#pragma once

#include "base/result.h"
#include "partition/cut.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::partition {

/// One place offered to users: a stable id that resolves to the position, in this file's syntax.
struct SplitPoint
{
    std::string id;  ///< "layers.4", "layers.4:end", a node's name, "\"a,b\""
    std::string fqn; ///< module whose code begins (or ends) here
    Cut cut;

    friend bool operator==(const SplitPoint &, const SplitPoint &) = default;
};

/// One entry per position, in order. Where calls of submodules begin, the id is the FQN of the outermost that is called
/// only once; else, where calls end, "FQN:end" likewise; else the name of the node there. So every id means one
/// position only, and resolveSplits() gives that position for it. FQNs that can be read as something else too ("4",
/// "markers", "a:end" beside "a") are not offered.
[[nodiscard]] std::vector<SplitPoint> splitPoints(const graph::ModelGraph &graph);

/// The name of a module or node as a word: in double quotes where it has a comma, or reads otherwise without.
[[nodiscard]] std::string nameWord(std::string_view name);

/// The words of one text of the command line, which commas separate, except those within the quotes that a word begins
/// with. Without the blanks around them; quotes stay. Error: InvalidArgument for quotes that do not close.
Result<std::vector<std::string>> separateWords(std::string_view text);

/// How many stages a word that stands alone asks for, for the balancer: "4" where no module is called so, and ":4".
/// Nothing for other words. Error: InvalidArgument for 0, and for more than an int holds.
Result<std::optional<int>> stagesAskedFor(const graph::ModelGraph &graph, const std::vector<std::string> &words);

/// Turns `--split` words into cut positions, ascending and without duplicates. Names of the model go first, whatever is
/// in them:
/// - a node's name (`layers.0.fc1/aten::linear`): before that node;
/// - a module that the method calls, `layers.4`: before every top-level call of it (upstream's SplitPoint.BEGINNING).
/// Then our notation:
/// - `"layers.4"`, in single or double quotes with the escapes of base/quoted_text.h: that name and nothing else;
/// - `layers.4:end`, `"layers.4":end`: after every top-level call of that module;
/// - `markers`, and `:markers` where a module is called so: at the author's markers.
/// Empty partitions (a split before the first or after the last node, two splits at one place) are dropped, so that
/// stages are numbered without holes. `notes` then holds sentences for who wrote the words: of a word that makes no
/// stage, of one that makes several, of a name that reads as something else too. Errors: InvalidArgument for an empty
/// word, quotes that do not close, and a whole number that is no name (that is the balancer's); NotFound with the
/// nearest names; IllegalCut with the cut's reason; Unsupported for a module that is never called or only inside an if
/// or a loop, and for nodes and markers inside one.
Result<std::vector<int>> resolveSplits(const graph::ModelGraph &graph, const std::vector<std::string> &words,
                                       std::vector<std::string> *notes = nullptr);

} // namespace pipescope::partition
