// Random input values and plans for property tests: every kind of value, awkward strings, extreme numbers. The same
// seed gives the same plan on every machine.
#pragma once

#include "plan/dtypes.h"
#include "plan/plan.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace pipescope::tests {

class RandomPlan
{
public:
    explicit RandomPlan(unsigned seed)
        : m_random(seed)
    {
    }

    plan::InputValue value(int depth)
    {
        using plan::InputValue;
        switch (below(depth > 0 ? 10 : 7)) {
        case 0:
            return {InputValue::None{}};
        case 1:
            return {chance()};
        case 2:
            return {static_cast<std::int64_t>(bits() >> below(64)) * (chance() ? 1 : -1)};
        case 3:
            return {real()};
        case 4:
            return {text(12)};
        case 5:
            return {plan::FileSpec{"f" + text(12)}};
        case 6:
            return {tensor()};
        case 7:
            return {InputValue::List{values(depth - 1)}};
        case 8:
            return {InputValue::Tuple{values(depth - 1)}};
        default: {
            InputValue::Dict dict;
            for (int i = below(4); i > 0; --i)
                dict.entries.push_back({text(4) + std::to_string(i), value(depth - 1)});
            return {dict};
        }
        }
    }

    // Valid, and with absolute paths.
    plan::Plan plan()
    {
        using namespace microbatch;
        plan::Plan plan;
        plan.model = "/models/" + utf8();
        plan.modelSha256 = chance() ? std::string(64, "0123456789abcdef"[below(16)]) : "";
        plan.method = chance() ? "forward" : "m" + utf8();
        for (int i = below(3); i > 0; --i) {
            plan.opLibraries.push_back("/lib/" + utf8());
            plan.inputs.push_back({chance() ? "input" + std::to_string(i) : "", value(3)});
            plan.inputChunks.emplace_back("z" + std::to_string(i),
                                          chance() ? fromTuple({0, below(4)}) : ChunkSpec{Replicate{}});
            plan.splits.push_back("layers." + utf8());
        }
        if (chance())
            plan.specialised = {
                {"n", {plan::InputValue::None{}}}, {"r", {real()}}, {"t", {text(12)}}, {"b", {chance()}}};
        if (chance())
            plan.outputChunks = ChunkSpec{Reducer::Mean};
        plan.microbatches = 1 + below(1000000);
        plan.schedule = chance() ? "gpipe" : "s" + utf8();
        for (int i = below(3); i >= 0; --i)
            plan.devices.push_back("cpu:" + std::to_string(i));
        plan.threadsPerRank = 1 + below(4096);
        plan.maxInFlight = below(10);
        plan.seed = bits();
        plan.grad = chance();
        if (chance()) {
            plan.rtol = std::abs(real());
            plan.atol = 1e-8;
        }
        return plan;
    }

private:
    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    bool chance() { return below(2) == 0; }
    std::uint64_t bits() { return (std::uint64_t{m_random()} << 32) | m_random(); }

    // Any bit pattern but NaN, which is not equal to itself.
    double real()
    {
        const double number = chance() ? std::bit_cast<double>(bits()) : below(100) / 8.0;
        return std::isfinite(number) ? number : 0.1;
    }

    std::string text(int longest)
    {
        constexpr std::string_view awkward = "ab0 _.,:=@#<>[](){}'\"\\/\n\t\r\x01\x7F\xC3\xA9\xFF";
        std::string result;
        for (int i = below(longest); i > 0; --i)
            result += awkward[static_cast<std::size_t>(below(static_cast<int>(awkward.size())))];
        return result;
    }

    std::string utf8()
    {
        constexpr std::string_view awkward = "ab0 _.:'\"\\\n\x01";
        std::string result = chance() ? "é" : "x";
        for (int i = below(8); i > 0; --i)
            result += awkward[static_cast<std::size_t>(below(static_cast<int>(awkward.size())))];
        return result;
    }

    std::vector<plan::InputValue> values(int depth)
    {
        std::vector<plan::InputValue> result;
        for (int i = below(4); i > 0; --i)
            result.push_back(value(depth));
        return result;
    }

    plan::TensorSpec tensor()
    {
        const std::vector<std::string> names = plan::dtypeNames();
        plan::TensorSpec spec;
        spec.dtype = names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
        for (int i = below(4); i > 0; --i)
            spec.sizes.push_back(below(1000));
        const plan::DtypeWord &dtype = *plan::findDtype(spec.dtype);
        if (dtype.isInteger && chance()) {
            spec.low = chance() ? dtype.lowest : 0;
            spec.high = chance() ? dtype.highest : spec.low + 1 + below(100);
        }
        if (plan::isReal(dtype) && chance())
            spec.reals = plan::RealRange{-0.25 * below(100), 0.1 + below(100)};
        if (chance())
            spec.seed = bits();
        return spec;
    }

    std::mt19937 m_random;
};

} // namespace pipescope::tests
