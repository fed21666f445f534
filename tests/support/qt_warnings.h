// Every warning of Qt is a failure: they name widgets that are used wrongly.
#pragma once

#include <QRegularExpression>
#include <QTest>

namespace pipescope::tests {

/// For the running test. What the offscreen platform says of itself is let pass.
inline void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
}

} // namespace pipescope::tests
