// The words facts are put together from: each kind of thing by the name people know it by, with its link.
#pragma once

#include "inspector/fact_sheet.h"
#include "session/source_text.h"

namespace pipescope::inspector {

using session::sourceText;

/// Which run the facts are of, where there is one.
void addRun(FactSheet &sheet, const Known &known);

/// Nothing where there are no words, or empty ones.
void addFact(FactSheet &sheet, const QString &label, std::vector<Words> words, bool isCode = true);

[[nodiscard]] Words plain(const QString &text);
[[nodiscard]] Words nodeWords(const graph::ModelGraph &graph, NodeId node);
/// "x float32[1,128]"; the type where the shape is not known.
[[nodiscard]] Words valueWords(const graph::ModelGraph &graph, ValueId value);
/// The FQN, with the number of the call where it is not the first: "head, call 2".
[[nodiscard]] Words moduleWords(const session::SelectedModule &module);
/// "stage 2"
[[nodiscard]] Words stageWords(StageId stage);
/// "rank 2"
[[nodiscard]] Words rankWords(RankId rank);
/// "2F0"
[[nodiscard]] Words actionWords(const session::SelectedAction &action);
/// Any text of a parameter.
[[nodiscard]] Words parameterWords(const std::string &fqn, const QString &text);
/// The first `most`, and the rest folded under what says how many they are, in the place of %1: "%1 more kinds". All of
/// them where it would be one only.
[[nodiscard]] std::vector<Words> folded(std::vector<Words> words, std::size_t most, const QString &more);
/// Links for at most `most` values or nodes, the others folded.
[[nodiscard]] std::vector<Words> someValues(const graph::ModelGraph &graph, const std::vector<ValueId> &values,
                                            std::size_t most = 12);
[[nodiscard]] std::vector<Words> someNodes(const graph::ModelGraph &graph, const std::vector<NodeId> &nodes,
                                           std::size_t most = 12);

/// "float32[16,512]" where profiled, else the type.
[[nodiscard]] QString shapeText(const graph::Value &value);
/// The stage of a node (or of the node it is nested in); invalid without one.
[[nodiscard]] StageId stageOf(const Known &known, NodeId node);
/// The rank a run gave the stage; invalid without a run.
[[nodiscard]] RankId rankOf(const Known &known, StageId stage);
/// The lines of its source one below another, blanks at their beginning kept.
[[nodiscard]] std::vector<Words> sourceLines(const graph::SourceLocation &source);
/// The names of parameters and buffers of a graph, and of nothing else the model holds.
[[nodiscard]] bool isHeld(const graph::Value &value);
/// Top-level and nested nodes that take a value, each once, in order.
[[nodiscard]] std::vector<NodeId> usersOf(const graph::ModelGraph &graph, ValueId value);

} // namespace pipescope::inspector
