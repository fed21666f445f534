// Translates the words of this folder that stand in no class with a tr() of its own.
#pragma once

#include <QCoreApplication>

namespace pipescope::shardview {

/// `text` in the language of the window.
inline QString tr(const char *text)
{
    return QCoreApplication::translate("pipescope::shardview", text);
}

} // namespace pipescope::shardview
