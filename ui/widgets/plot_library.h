// QCustomPlot, whose header is written with Qt's keywords, which this project does without. It brings most of Qt along:
// for .cpp files, and for headers that few include.
#pragma once

#include <QtGlobal>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
