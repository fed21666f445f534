// Translates the words of this folder that stand in no class with a tr() of its own.
#pragma once

#include <QCoreApplication>

namespace pipescope::checkview {

/// `text` in the language of the window.
inline QString tr(const char *text)
{
    return QCoreApplication::translate("pipescope::checkview", text);
}

} // namespace pipescope::checkview
