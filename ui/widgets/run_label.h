// The line of a view that says of which run its numbers are.
#pragma once

#include <QLabel>

namespace pipescope::widgets {

class RunLabel : public QLabel
{
    Q_OBJECT

public:
    explicit RunLabel(QWidget *parent = nullptr);

    /// As the list of runs has it; hidden where it is empty.
    void setRun(const QString &name);
};

} // namespace pipescope::widgets
