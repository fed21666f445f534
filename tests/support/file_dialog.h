// Answers to file dialogs. Both want Qt's own dialogs, which the offscreen platform has.
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTest>
#include <QTimer>
#include <QWidget>

namespace pipescope::tests {

/// In the dialog that is about to block: chooses this file or folder.
inline void chooseFile(const QString &path)
{
    QTimer::singleShot(0, qApp, [path] {
        auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        QVERIFY2(dialog != nullptr, "no dialog asks for a file");
        auto *name = dialog->findChild<QLineEdit *>("fileNameEdit");
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
    });
}

/// In the dialog that a table or canvas has opened by its own menu, which does not block.
inline void exportTo(const QWidget &widget, const QString &path)
{
    auto *dialog = widget.findChild<QFileDialog *>("exportDialog");
    QVERIFY2(dialog != nullptr, qPrintable(widget.objectName()));
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
}

} // namespace pipescope::tests
