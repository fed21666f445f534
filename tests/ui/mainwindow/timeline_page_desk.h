// The timeline's page over an engine of the test's, with the runs that a test finishes.
#pragma once

#include "../session/fake_link.h"
#include "mainwindow/timeline_page.h"
#include "support/layers_model.h"
#include "support/trace_builder.h"
#include "timeline/describe.h"
#include "timeline/run_bar.h"

#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <memory>
#include <string>
#include <vector>

namespace pipescope::tests {

struct TimelinePageDesk
{
    session::FakeEngine engine;
    session::Document document;
    session::EngineClient client{[this] { return std::make_unique<session::FakeLink>(engine); }};
    session::RunController controller{document, client};
    session::Selection selection;
    timeline::TraceReader reader;
    mutable mainwindow::TimelinePage page{controller, selection, reader, style::Theme::dark()};
    QTemporaryDir folder;

    TimelinePageDesk()
    {
        document.newFor("/models/decoder.pt");
        client.start();
        engine.greet();
        page.resize(1100, 700);
        page.show();
    }
    /// Three layers, one after another.
    void showModel()
    {
        auto inspection = std::make_shared<report::Inspection>(layersModel(3));
        inspection->path = document.plan().model;
        document.setModel(inspection);
    }
    /// Of the stages that `splits` make.
    void finishRun(const trace::Trace &trace, const std::vector<std::string> &splits = {}, char hash = 'a',
                   const std::vector<std::string> &warnings = {})
    {
        controller.run();
        report::TracedRun report;
        report.warnings = warnings;
        report.plan.modelSha256 = std::string(64, hash);
        report.plan.model = document.plan().model;
        report.plan.splits = splits;
        report.plan.schedule = "gpipe";
        report.schedule = "forwards of gpipe";
        report.trace = trace;
        report.stats = trace::traceStats(trace);
        engine.answer(engine.requests.back().id, report);
    }
    [[nodiscard]] QString file(const QByteArray &bytes) const
    {
        QFile file(folder.filePath("trace.json"));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("no file");
        return file.fileName();
    }
    [[nodiscard]] QString text(const char *label) const { return page.findChild<QLabel *>(label)->text(); }
    /// Of the selection, or of the tables.
    template <class View>
    [[nodiscard]] QLabel *runOf() const
    {
        return page.findChild<View *>()->template findChild<QLabel *>("ofRun");
    }
    [[nodiscard]] std::vector<QCheckBox *> boxes() const
    {
        const auto found = page.findChild<timeline::RunBar *>()->findChildren<QCheckBox *>();
        return {found.begin(), found.end()};
    }
    /// Of the run of that index in the order they were made.
    [[nodiscard]] session::RunId idOf(int run) const
    {
        return controller.idOf(controller.runs()[static_cast<std::size_t>(run)].get());
    }
    void showOnly(int run)
    {
        const QString name = QStringLiteral("run%1").arg(run);
        if (auto *box = page.findChild<QCheckBox *>(name); !box->isChecked())
            box->click();
        for (QCheckBox *box : boxes())
            if (box->isChecked() && box->objectName() != name)
                box->click();
    }
    /// That are outlined as belonging to the selection.
    [[nodiscard]] QStringList relatedActions() const
    {
        QStringList names;
        const timeline::SlicesByLane &related = page.view().related();
        for (std::size_t lane = 0; lane < related.size(); ++lane)
            for (const std::vector<int> &slices : related[lane])
                for (const int slice : slices)
                    names << nameOf(*page.view().model(), timeline::Spot{static_cast<int>(lane), slice, -1});
        return names;
    }
    [[nodiscard]] QTableView *actions() const { return page.findChild<QTableView *>("actions"); }
};

inline std::shared_ptr<const trace::Trace> evenTrace(int microbatches)
{
    return std::make_shared<const trace::Trace>(evenForward(4, microbatches, 1000));
}

} // namespace pipescope::tests
