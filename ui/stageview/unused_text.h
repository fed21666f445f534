// What is said of parameters and buffers that no stage uses: why the stages hold less than the model.
#pragma once

#include "partition/held_uses.h"

#include <QString>

namespace pipescope::stageview {

struct UnusedText
{
    QString line;    ///< short: "in no stage: 4 tensors, 1.20 KiB"; "" where the method uses all
    QString details; ///< plain text: a line for each name, and what becomes of them
};

[[nodiscard]] UnusedText unusedText(const partition::UnusedTensors &unused);

} // namespace pipescope::stageview
