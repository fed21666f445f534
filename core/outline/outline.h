// The picture of a model that is not loaded: what its code would call in which order, found by reading that code and
// the pickled attribute tree. Nothing is compiled or run, and no operator has to be known. Of all that loading decides
// nothing is: both branches of every condition are there. A wire stands only where a name of the code says so.
#pragma once

#include "archive/code_index.h"
#include "archive/code_listing.h"
#include "archive/pickle_tree.h"
#include "graph/model_graph.h"

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::outline {

/// A file can make a little code call more than anybody can look at, so these bound what is shown of it.
struct OutlineLimits
{
    std::size_t nodes = 50'000;
    std::size_t operands = 200'000;       ///< of all nodes together
    std::size_t words = 4'000'000;        ///< of code read, that of a function at each of its calls
    std::size_t nameBytes = 64ULL << 20U; ///< of the names and lines written into the graph
    int calls = 64;                       ///< inside one another
    int blocks = 64;                      ///< branches and loops inside one another
    int levels = 1000;                    ///< of expressions inside one another, calls included
};

/// All must outlive the outline; nothing of it is kept.
struct OutlineSource
{
    const archive::PickleTree &tree; ///< of the attributes; its root is the model
    const archive::CodeIndex &code;
    const std::map<std::string, archive::CodeClass> &classes;
};

/// Fills what the method does into a graph that has only the model's modules and parameters: nodes, values, calls,
/// arguments, outputs and markers; nothing is known of memory, types and costs. Parameters get the values they are read
/// as. Where the code of the method cannot be read, every module without others inside, or with tensors of its
/// own, is one node that reads these, in the order they are registered in, with the class for an operator.
/// Returns what the user has to know of it, a sentence each. `stop` ends it with what there is.
std::vector<std::string> outlineMethod(const OutlineSource &source, const std::string &method, graph::ModelGraph &graph,
                                       const std::stop_token &stop = {}, const OutlineLimits &limits = {});

} // namespace pipescope::outline
