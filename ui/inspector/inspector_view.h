// The dock of the inspector: everything known of what is selected, and where to go on from there.
#pragma once

#include "inspector/explained_run.h"
#include "session/document.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/tensor_probe.h"

#include <QScrollArea>
#include <optional>

class QLabel;
class QPushButton;

namespace pipescope::inspector {

class FactBrowser;
class NumbersView;

class InspectorView : public QScrollArea
{
    Q_OBJECT

public:
    /// All must outlive this.
    InspectorView(session::Document &document, session::RunController &controller, session::Selection &selection,
                  session::TensorProbe &probe, QWidget *parent = nullptr);

    /// Asked before a trace is explained here once more.
    void setLend(ExplainedRun::Lend lend) { m_explained.setLend(std::move(lend)); }
    [[nodiscard]] QSize sizeHint() const override;

public Q_SLOTS:
    /// Tells what is known by now, such as an explanation that can be lent since.
    void refresh();

private:
    session::Document &m_document;
    session::RunController &m_controller;
    session::Selection &m_selection;
    ExplainedRun m_explained;                     // the run that was told of last
    std::optional<session::TensorToShow> m_shown; // what "Show as shards" is for
    FactBrowser *m_facts;                         // not owned, nor are those below: Qt's parent has them
    QPushButton *m_shards;
    NumbersView *m_numbers;
    QLabel *m_nothing;
};

} // namespace pipescope::inspector
