#include "mainwindow/plan_conflict.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace pipescope::mainwindow {

namespace {

struct PlanConflict
{
    Q_DECLARE_TR_FUNCTIONS(PlanConflict)
};

} // namespace

Conflict askAboutConflict(const QString &path, QWidget &window)
{
    QMessageBox box(QMessageBox::Warning, PlanConflict::tr("Overwrite the plan?"),
                    PlanConflict::tr("%1 was changed on disk since it was read here. Saving overwrites that.")
                        .arg(QFileInfo(path).fileName()),
                    QMessageBox::Cancel, &window);
    box.setObjectName("conflict");
    const auto add = [&box](const QString &text, const char *name, QMessageBox::ButtonRole role) {
        QPushButton *button = box.addButton(text, role);
        button->setObjectName(name);
        return button;
    };
    const QPushButton *overwrite = add(PlanConflict::tr("&Overwrite"), "overwrite", QMessageBox::DestructiveRole);
    QPushButton *elsewhere = add(PlanConflict::tr("Save &as..."), "elsewhere", QMessageBox::AcceptRole);
    const QPushButton *reload =
        add(PlanConflict::tr("&Reload, without the changes made here"), "reload", QMessageBox::DestructiveRole);
    box.setDefaultButton(elsewhere);
    box.exec();
    const QAbstractButton *clicked = box.clickedButton();
    if (clicked == overwrite)
        return Conflict::Overwrite;
    if (clicked == elsewhere)
        return Conflict::SaveAs;
    return clicked == reload ? Conflict::Reload : Conflict::Cancel;
}

bool mayReload(const QString &path, QWidget &window)
{
    return QMessageBox::question(
               &window, PlanConflict::tr("Reload the plan?"),
               PlanConflict::tr("The changes made here to %1 are then lost.").arg(QFileInfo(path).fileName()),
               QMessageBox::Ok | QMessageBox::Cancel) == QMessageBox::Ok;
}

} // namespace pipescope::mainwindow
