// What tests of the run view have before them.
#pragma once

#include "runview/run_view.h"

#include "../session/fake_link.h"
#include "support/graph_builder.h"
#include "support/run_actions.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTextDocument>

#include <memory>

namespace pipescope::tests {

/// x, and mask, which has a default.
inline std::shared_ptr<const report::Inspection> modelOfTwoInputs()
{
    report::Inspection inspection;
    inspection.graph = graphFromText(R"(
        in x
        in mask
        a = aten::add x mask
        return a
    )");
    inspection.graph.nodes[0].source = {"/src/model.py", 12, 1, "y = x + 1"};
    inspection.graph.arguments[1].hasDefault = true;
    inspection.graph.arguments[1].defaultText = "None";
    return std::make_shared<const report::Inspection>(std::move(inspection));
}

/// A run view beside its document and a played engine that has greeted.
struct RunViewDesk
{
    session::FakeEngine engine;
    session::Document document;
    session::EngineClient client{[this] { return std::make_unique<session::FakeLink>(engine); }};
    session::RunController controller{document, client};
    session::Selection selection;
    PlayedActions actions{controller};
    runview::RunView view{document, controller, actions.all(), &selection};

    RunViewDesk()
    {
        document.newFor("model.pt");
        client.start();
        engine.greet();
        view.resize(300, 700);
        view.show();
    }
    template <class Widget>
    [[nodiscard]] Widget &find(const char *name) const
    {
        return *view.findChild<Widget *>(name);
    }
    void type(const char *name, const QString &text) const
    {
        auto &line = find<QLineEdit>(name);
        line.selectAll();
        QTest::keyClicks(&line, text);
        QTest::keyClick(&line, Qt::Key_Return);
    }
    void choose(const char *name, const QString &text) const
    {
        auto &box = find<QComboBox>(name);
        box.setCurrentText(text);
        Q_EMIT box.activated(box.currentIndex());
    }
    void selectInput(int row) const
    {
        auto &table = find<QTableView>("inputs");
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
    }
    void click(const char *name) const { QTest::mouseClick(&find<QPushButton>(name), Qt::LeftButton); }
    /// As it is read, however it is written.
    [[nodiscard]] QString seen(const char *label) const
    {
        return QAccessible::queryAccessibleInterface(&find<QLabel>(label))->text(QAccessible::Name);
    }
    [[nodiscard]] QString seenToolTip(const char *label) const
    {
        const QString text = find<QLabel>(label).toolTip();
        QTextDocument rich;
        rich.setHtml(text);
        return Qt::mightBeRichText(text) ? rich.toPlainText() : text;
    }
};

} // namespace pipescope::tests
