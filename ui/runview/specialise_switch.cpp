#include "runview/specialise_switch.h"

#include "graph/plain_arguments.h"
#include "session/specialising.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QStringList>
#include <algorithm>

namespace pipescope::runview {

namespace {

QString namesOf(const std::vector<graph::Argument> &arguments)
{
    QStringList names;
    for (const graph::Argument &argument : arguments)
        names += QString::fromStdString(argument.name);
    return names.join(QStringLiteral(", "));
}

} // namespace

SpecialiseSwitch::SpecialiseSwitch(session::Document &document, session::RunController &controller, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_controller(controller)
    , m_switch(new QCheckBox(tr("Speciali&se for these values"), this))
    , m_sentence(new QLabel(this))
{
    m_switch->setObjectName("specialise");
    m_sentence->setObjectName("specialisedFor");
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setTextInteractionFlags(Qt::TextBrowserInteraction);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_switch);
    layout->addWidget(m_sentence);
    connect(m_switch, &QCheckBox::toggled, this, &SpecialiseSwitch::turn);
    connect(m_sentence, &QLabel::linkActivated, this, &SpecialiseSwitch::specialise);
    for (const auto changed : {&session::Document::planChanged, &session::Document::modelChanged})
        connect(&m_document, changed, this, &SpecialiseSwitch::showState);
    connect(&m_controller, &session::RunController::stateChanged, this, &SpecialiseSwitch::showState);
    showState();
}

void SpecialiseSwitch::turn(bool on)
{
    if (on)
        return specialise();
    m_document.edit(
        tr("Graph of all values"), [](plan::Plan &plan) { plan.specialised.clear(); },
        session::specialisedKey(plan::Plan()));
}

void SpecialiseSwitch::specialise()
{
    m_isAsked = true;
    m_controller.specialise();
    showState();
}

void SpecialiseSwitch::showState()
{
    const auto model = m_document.model();
    const bool isLoaded = model && !model->structureOnly;
    const std::vector<plan::InputSpec> given =
        isLoaded ? session::plainInputs(m_document.plan(), model->graph.arguments) : std::vector<plan::InputSpec>();
    const bool isOn = !m_document.plan().specialised.empty();
    m_isAsked = m_isAsked && m_controller.isLooking();
    setVisible(isOn || !given.empty() || (isLoaded && !graph::plainArguments(model->graph).empty()));
    const QSignalBlocker quiet(m_switch);
    m_switch->setChecked(isOn || m_isAsked);
    showWhyNot(given);
    m_sentence->setText(sentence(given));
    m_sentence->setVisible(!m_sentence->text().isEmpty());
}

void SpecialiseSwitch::showWhyNot(const std::vector<plan::InputSpec> &given)
{
    const auto model = m_document.model();
    QString why;
    if (m_controller.isLooking() || m_controller.isRunning())
        why = tr("Wait until the engine is done.");
    else if (!model || model->structureOnly)
        why = tr("Load the model first.");
    else if (m_document.plan().specialised.empty() && !m_controller.heldBecause().isEmpty())
        why = m_controller.heldBecause();
    else if (m_document.plan().specialised.empty() && given.empty())
        why = tr("Give one of these a value first: %1.").arg(namesOf(graph::plainArguments(model->graph)));
    m_switch->setEnabled(why.isEmpty());
    const QString about = tr("Branches on the numbers, bools, texts and None that are given are decided, so that the "
                             "code in these branches can be split. The values become part of the plan.");
    m_switch->setToolTip(why.isEmpty() ? about : why + QLatin1Char('\n') + about);
    m_switch->setAccessibleDescription(m_switch->toolTip());
}

QString SpecialiseSwitch::sentence(const std::vector<plan::InputSpec> &given) const
{
    const plan::Plan &plan = m_document.plan();
    const auto shown = [](const std::vector<plan::InputSpec> &inputs) {
        return session::inputsText(inputs).toHtmlEscaped();
    };
    if (m_isAsked)
        return tr("The graph of %1 is being made.").arg(shown(given));
    if (plan.specialised.empty()) {
        const auto better = m_controller.specialisable();
        return better ? tr("The graph of %1 alone has %2 places to split, this one %3.")
                            .arg(shown(better->inputs))
                            .arg(better->places)
                            .arg(session::legalPlaces(*m_document.model()))
                      : QString();
    }
    const std::vector<plan::InputSpec> unlike = session::unlikeSpecialised(plan, given);
    if (unlike.empty())
        return tr("The graph is the one of %1: branches on it are decided, and a run with other values is refused.")
            .arg(shown(plan.specialised));
    const QString link =
        m_switch->isEnabled()
            ? QStringLiteral("<br><a href='again'>%1</a>").arg(tr("Specialise for the given values").toHtmlEscaped())
            : QString();
    return tr("The graph is the one of %1, and %2 is given: such a run is refused.")
               .arg(shown(plan.specialised), shown(unlike)) +
           link;
}

} // namespace pipescope::runview
