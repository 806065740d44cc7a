// SPDX-License-Identifier: BSL-1.0
//
// Programs in the two orders in which kernels run them: one instruction after the other, as at run time, and as in a
// constant expression, where only what a result needs runs (kernel/demand_order.hpp). The instructions are the steps of
// kernel/emit.hpp themselves, each chosen at run time.
#pragma once

#include <chainrule/chainrule.hpp>

#include <array>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace reference {

/// Numbers that a step reads or writes.
template <class T>
struct memory {
    T* first;
    T& operator[](std::size_t i) const { return first[i]; }
    void refresh() const {}
};

template <class T>
class stepper {
    using instruction = chainrule::codegen::instruction;
    using opcode = chainrule::codegen::opcode;

public:
    /// A schedule: constants stand where they are first used.
    stepper(const chainrule::codegen::code& c, int outputs) : outputs_(static_cast<std::size_t>(outputs)) {
        for (int i = 0; i < c.body.size(); ++i) body_.push_back(c.body[i]);
        for (int i = 0; i < c.constants.size(); ++i) constants_.push_back(c.constants[i].as<T>());
        prepare(c.pair_places);
    }
    /// Packed instructions, whose constants occupy the first slots.
    template <int Capacity>
    explicit stepper(const chainrule::codegen::finished_program<Capacity>& f)
        : outputs_(static_cast<std::size_t>(f.output_count)) {
        for (int i = 0; i < f.constant_count; ++i)
            constants_.push_back(f.constants[static_cast<std::size_t>(i)].template as<T>());
        for (int i = 0; i < f.size; ++i)
            body_.push_back(chainrule::kernel::unpack(f.body[static_cast<std::size_t>(i)]));
        first_ = constants_.size();
        prepare(f.pair_places);
    }

    std::vector<T> run_in_order(std::vector<T> variables, std::vector<T> numbers) {
        clear();
        for (std::size_t i = 0; i < body_.size(); ++i) execute(i, variables, numbers);
        return outputs_;
    }

    /// As in a constant expression. Throws std::logic_error where an instruction has a result that is not finite, or
    /// reads one that is not there: constant evaluation would be refused.
    std::vector<T> run_lazily(std::vector<T> variables, std::vector<T> numbers) {
        constexpr std::size_t most = 16384;
        if (slots_.size() > most) throw std::logic_error("the program is larger than the order of its instructions");
        clear();
        const auto order =
            std::make_unique<chainrule::kernel::demand_order<T, most>>(body_.data(), first_, body_.size());
        while (order->begin(conditions_.get(), slots_.data())) {
            bool any = false;
            for (std::size_t i = 0; i < body_.size(); ++i) {
                if (!order->runs(i)) continue;
                any = true;
                execute(i, variables, numbers);
                if (!has_result(i))
                    throw std::logic_error("constant evaluation runs an instruction that has no result");
            }
            if (!any) throw std::logic_error("constant evaluation needs a result that no instruction gives");
        }
        return outputs_;
    }

private:
    std::vector<instruction> body_;
    std::vector<T> constants_, slots_, pairs_, outputs_;
    std::unique_ptr<bool[]> conditions_;
    std::size_t first_ = 0;

    // Slots that are read before they are written hold NaN.
    static constexpr T nothing = std::numeric_limits<T>::quiet_NaN();

    void prepare(int pair_places) {
        slots_.resize(first_ + body_.size());
        pairs_.resize(static_cast<std::size_t>(pair_places));
        conditions_ = std::make_unique<bool[]>(slots_.size());
    }
    void clear() {
        slots_.assign(slots_.size(), nothing);
        pairs_.assign(pairs_.size(), nothing);
        outputs_.assign(outputs_.size(), nothing);
        for (std::size_t i = 0; i < first_; ++i) slots_[i] = constants_[i];
    }
    static bool finite(T v) { return v - v == 0; }
    bool has_result(std::size_t i) const {
        const instruction& s = body_[i];
        switch (s.what) {
        case opcode::output: return finite(outputs_[static_cast<std::size_t>(s.b)]);
        case opcode::sine_cosine: {
            const auto place = static_cast<std::size_t>(s.b);
            return finite(pairs_[place]) && finite(pairs_[place + 1]);
        }
        case opcode::condition:
        case opcode::cosine_of_pair: return true;
        default: return finite(slots_[first_ + i]);
        }
    }

    using execution_context = chainrule::kernel::execution_context<T, bool, memory<T>, memory<T>, memory<T>>;
    using step_type = void (*)(T*, std::size_t, chainrule::codegen::packed, const execution_context&);
    template <opcode What, unsigned Function>
    static constexpr step_type step_of =
        &chainrule::kernel::step<static_cast<unsigned>(What), Function, chainrule::core::type_list<>, T, bool,
                                 memory<T>, memory<T>, memory<T>>;

    void execute(std::size_t i, std::vector<T>& variables, std::vector<T>& numbers) {
        static constexpr auto calls = []<unsigned... F>(std::integer_sequence<unsigned, F...>) {
            return std::array{step_of<opcode::call, F>...};
        }(std::make_integer_sequence<unsigned, static_cast<unsigned>(chainrule::functions::index::count)>{});
        static constexpr auto conditions = []<unsigned... R>(std::integer_sequence<unsigned, R...>) {
            return std::array{step_of<opcode::condition, R>...};
        }(std::make_integer_sequence<unsigned, static_cast<unsigned>(chainrule::graph::relation::negation) + 1>{});
        static constexpr auto others = []<unsigned... W>(std::integer_sequence<unsigned, W...>) {
            return std::array{step_of<static_cast<opcode>(W), 0>...};
        }(std::make_integer_sequence<unsigned, static_cast<unsigned>(opcode::output) + 1>{});

        const instruction& s = body_[i];
        const auto at = [](int slot) { return static_cast<std::size_t>(slot); };
        if (s.what == opcode::constant) {
            slots_[first_ + i] = constants_[at(s.a)];
            return;
        }
        const step_type step = s.what == opcode::call        ? calls[s.function]
                               : s.what == opcode::condition ? conditions[s.function]
                                                             : others[static_cast<std::size_t>(s.what)];
        memory<T> from{variables.data()}, stored{numbers.data()}, to{outputs_.data()};
        step(slots_.data(), first_ + i, chainrule::codegen::pack(s),
             {pairs_.data(), conditions_.get(), from, stored, to});
    }
};

} // namespace reference
