// The tests of a folder share one program (test_program.cpp); each file says with one of these, at its end, which class
// it has to run. The test has the file's name.
#pragma once

#include <QtGlobal>
#include <memory>
#include <string_view>

QT_BEGIN_NAMESPACE
class QObject;
QT_END_NAMESPACE

namespace pipescope::tests {

enum class TestNeeds {
    Core,   ///< a QCoreApplication
    Widgets ///< a QApplication
};

class RegisteredTest
{
public:
    using Make = std::unique_ptr<QObject> (*)();

    /// Adds itself to the program's tests. `file` is a literal and names the test: ".../tst_cut.cpp" is "tst_cut".
    RegisteredTest(std::string_view file, TestNeeds application, Make maker);

    std::string_view name;
    TestNeeds needs;
    Make make;
    const RegisteredTest *next; ///< registered before this one
};

} // namespace pipescope::tests

#define PIPESCOPE_TEST_(Class, needs)                                                                                  \
    static const pipescope::tests::RegisteredTest registered##Class(                                                   \
        __FILE__, pipescope::tests::TestNeeds::needs,                                                                  \
        []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); })
/// Runs the class with a QCoreApplication.
#define PIPESCOPE_TEST(Class) PIPESCOPE_TEST_(Class, Core);
/// Runs the class with a QApplication.
#define PIPESCOPE_WIDGET_TEST(Class) PIPESCOPE_TEST_(Class, Widgets);
