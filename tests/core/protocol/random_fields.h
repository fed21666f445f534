// Structs filled at random through the lists of their fields, and how many fields are listed.
#pragma once

#include "protocol/fields/call_fields.h"
#include "support/random_plan.h"

#include <array>
#include <random>
#include <string>

namespace pipescope::protocol {

class RandomFields
{
public:
    explicit RandomFields(unsigned seed)
        : m_random(seed)
    {
    }

    template <class T>
    void operator()(const char *, T &member)
    {
        fill(member);
    }

    template <class T>
    void fill(T &value)
    {
        if constexpr (std::is_enum_v<T>)
            value = static_cast<T>(below(EnumSize<T>));
        else if constexpr (std::same_as<T, bool>)
            value = below(2) == 1;
        else if constexpr (std::integral<T>)
            value = integer<T>();
        else if constexpr (std::floating_point<T>)
            value = real();
        else
            fillCompound(value);
    }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

    template <class T>
    T integer()
    {
        const std::array<T, 5> ends{0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 1000};
        return ends[static_cast<std::size_t>(below(5))];
    }

    double real()
    {
        const std::array ends{0.0, -1.5, 1e-300, std::numeric_limits<double>::infinity(), 1.0 / 3};
        return ends[static_cast<std::size_t>(below(5))];
    }

    void fillCompound(std::string &text)
    {
        const std::array texts{std::string(), std::string("layers.4"), std::string("a\0b", 3), std::string("\xff\xfe"),
                               std::string("µ 'quoted'\n")};
        text = texts[static_cast<std::size_t>(below(5))];
    }
    template <class Tag>
    void fillCompound(Id<Tag> &id)
    {
        id.value = integer<int>();
    }
    template <class T>
    void fillCompound(std::optional<T> &value)
    {
        if (below(2) == 1)
            fill(value.emplace());
    }
    template <class T>
    void fillCompound(std::vector<T> &items)
    {
        items.resize(static_cast<std::size_t>(below(4)));
        for (std::size_t i = 0; i < items.size(); ++i) {
            T item{};
            fill(item);
            items[i] = std::move(item);
        }
    }
    template <class A, class B>
    void fillCompound(std::pair<A, B> &pair)
    {
        fill(pair.first);
        fill(pair.second);
    }
    void fillCompound(plan::InputSpec &input)
    {
        const std::array texts{"x=float32[16,512]", "int64[8]<50257#3", "'text'", "(1, [2.5, none], {a: true})"};
        input = *plan::parseInputSpec(texts[static_cast<std::size_t>(below(4))]);
    }
    void fillCompound(plan::Plan &plan) { plan = tests::RandomPlan(static_cast<unsigned>(m_random())).plan(); }
    template <class T>
    void fillCompound(T &value)
    {
        fields(*this, value);
    }

    std::mt19937 m_random;
};

struct FieldCount
{
    std::size_t count = 0;
    void operator()(const char *, const auto &) { ++count; }
};

template <class T>
std::size_t fieldCount()
{
    FieldCount counter;
    const T value{};
    fields(counter, value);
    return counter.count;
}

} // namespace pipescope::protocol
