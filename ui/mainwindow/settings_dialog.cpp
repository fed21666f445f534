#include "mainwindow/settings_dialog.h"

#include "session/engine_command.h"
#include "widgets/typing.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <utility>

namespace pipescope::mainwindow {

namespace {

using State = session::EngineClient::State;

} // namespace

SettingsDialog::SettingsDialog(QSettings &settings, MakeLinkTo link, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_link(std::move(link))
    , m_trust(settings)
    , m_command(new QLineEdit(this))
    , m_test(new QPushButton(tr("&Test"), this))
    , m_answer(new QLabel(this))
    , m_theme(new QComboBox(this))
    , m_folders(new QListWidget(this))
    , m_autosave(new QSpinBox(this))
{
    setObjectName("settingsDialog");
    setWindowTitle(tr("Settings"));
    m_theme->setObjectName("theme");
    m_theme->addItem(tr("As the desktop"), "desktop");
    m_theme->addItem(tr("Dark"), "dark");
    m_theme->addItem(tr("Light"), "light");
    m_theme->setCurrentIndex(std::max(0, m_theme->findData(m_settings.value(ThemeKey).toString())));
    m_autosave->setObjectName("autosave");
    m_autosave->setRange(1, 600);
    m_autosave->setSuffix(tr(" s after a change"));
    widgets::selectNumberOnDoubleClick(*m_autosave);
    m_autosave->setValue(m_settings.value(AutosaveKey, AutosaveSeconds).toInt());
    auto *form = new QFormLayout;
    form->addRow(tr("&Engine"), makeEngine());
    form->addRow(QString(), m_answer);
    form->addRow(tr("T&heme"), m_theme);
    form->addRow(tr("&Keep a copy of the plan"), m_autosave);
    form->addRow(tr("Trusted &folders"), makeFolders());
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
    resize(640, sizeHint().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_command, &QLineEdit::editingFinished, this, &SettingsDialog::setCommand);
    connect(this, &QDialog::finished, this, &SettingsDialog::setCommand); // Esc leaves no line
    connect(m_theme, &QComboBox::currentIndexChanged, this, [this] {
        m_settings.setValue(ThemeKey, m_theme->currentData());
        Q_EMIT themeChanged();
    });
    connect(m_autosave, &QSpinBox::valueChanged, this, [this](int seconds) {
        m_settings.setValue(AutosaveKey, seconds);
        Q_EMIT autosaveChanged();
    });
}

SettingsDialog::~SettingsDialog()
{
    widgets::stopListening(*this);
}

QWidget *SettingsDialog::makeEngine()
{
    m_command->setObjectName("engineCommand");
    m_command->setAccessibleName(tr("Command that starts the engine"));
    m_command->setText(m_settings.value(session::EngineCommandKey).toString());
    m_command->setPlaceholderText(session::engineCommand(QString()).join(' '));
    m_command->setToolTip(tr("Any command that ends in an engine: ssh host pipescope-cli serve"));
    m_test->setObjectName("testEngine");
    m_test->setAutoDefault(false);
    m_answer->setObjectName("engineAnswer");
    m_answer->setWordWrap(true);
    m_answer->setText(tr("The command that starts the engine; used from its next start on."));
    auto *row = new QWidget(this);
    row->setFocusProxy(m_command);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_command, 1);
    layout->addWidget(m_test);
    connect(m_test, &QPushButton::clicked, this, &SettingsDialog::testEngine);
    return row;
}

QWidget *SettingsDialog::makeFolders()
{
    m_folders->setObjectName("folders");
    m_folders->setAccessibleName(tr("Trusted folders"));
    m_folders->setToolTip(tr("Models in these folders are loaded without a question"));
    auto *add = new QPushButton(tr("&Add..."), this);
    auto *remove = new QPushButton(tr("&Remove"), this);
    add->setObjectName("addFolder");
    remove->setObjectName("removeFolder");
    for (QPushButton *button : {add, remove})
        button->setAutoDefault(false);
    auto *buttons = new QVBoxLayout;
    buttons->addWidget(add);
    buttons->addWidget(remove);
    buttons->addStretch();
    auto *row = new QWidget(this);
    row->setFocusProxy(m_folders);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_folders, 1);
    layout->addLayout(buttons);
    connect(add, &QPushButton::clicked, this, [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Trust a folder")); !folder.isEmpty())
            m_trust.trustFolder(folder);
        listFolders();
    });
    connect(remove, &QPushButton::clicked, this, [this] {
        if (const QListWidgetItem *folder = m_folders->currentItem())
            m_trust.distrustFolder(folder->text());
        listFolders();
    });
    connect(m_folders, &QListWidget::currentRowChanged, remove, [remove](int at) { remove->setEnabled(at >= 0); });
    remove->setEnabled(false);
    listFolders();
    return row;
}

void SettingsDialog::setCommand()
{
    if (m_settings.value(session::EngineCommandKey).toString() == m_command->text())
        return;
    m_settings.setValue(session::EngineCommandKey, m_command->text());
    Q_EMIT engineCommandChanged();
}

void SettingsDialog::testEngine()
{
    const QStringList command = session::engineCommand(m_command->text());
    m_tested = std::make_unique<session::EngineClient>([this, command] { return m_link(command); });
    tell(tr("Asking..."));
    connect(m_tested.get(), &session::EngineClient::stateChanged, this, [this] {
        const protocol::Welcome &welcome = m_tested->welcome();
        if (m_tested->state() == State::Ready)
            tell(tr("It works: %1 with LibTorch %2, %3 cores on %4.")
                     .arg(QString::fromStdString(welcome.engine), QString::fromStdString(welcome.torch))
                     .arg(welcome.cores)
                     .arg(QString::fromStdString(welcome.host)));
        else if (m_tested->state() == State::Lost)
            tell(m_tested->lostBecause());
    });
    m_tested->start();
}

void SettingsDialog::tell(const QString &text)
{
    m_answer->setText(text);
}

void SettingsDialog::listFolders()
{
    m_folders->clear();
    m_folders->addItems(m_trust.folders());
}

} // namespace pipescope::mainwindow
