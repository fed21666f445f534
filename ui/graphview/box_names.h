// What is written on a box. Private to box_tree.
#pragma once

#include "graph/model_graph.h"

#include <string>

namespace pipescope::graphview {

/// "attn" for blocks.6.attn inside blocks.6; "attn, call 2" for its second call. An item of a list keeps
/// the list's name: "features.0" inside features.
[[nodiscard]] std::string relativeName(const graph::ModuleCall &call, const std::string &around);

/// "Attention · 14 ops".
[[nodiscard]] std::string moduleDetail(const graph::ModuleCall &call, const std::string &className);

/// "add" for aten::add, "if" for prim::If; another library's name in full.
[[nodiscard]] std::string operatorName(const graph::Node &node);

/// "3 ops inside" for an if or loop; else empty.
[[nodiscard]] std::string nodeDetail(const graph::ModelGraph &graph, const graph::Node &node);

/// The measured shape, or the type when it is no single tensor or not measured.
[[nodiscard]] std::string valueDetail(const graph::Value &value);

} // namespace pipescope::graphview
