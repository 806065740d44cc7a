// SPDX-License-Identifier: BSL-1.0
//
// Messages of MPI with numbers on a tape: send, receive, broadcast, sum_over_ranks. The backward sweep sends the
// adjoints the other way, in the opposite order, so all ranks of a communication sweep their tapes: those without an
// output call mpi::backward(t).
//
// Source: J. Utke, L. Hascoet, P. Heimbach, C. Hill, P. Hovland, U. Naumann, "Toward adjoinable MPI", IPDPS 2009.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/interop/mpi/calls.hpp>
#include <chainrule/tape/recording/recorded_call.hpp>

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace chainrule::mpi {

namespace detail {

/// Active numbers in a message.
template <class T>
using numbers = std::vector<tape::active<T>>;

template <class T>
[[nodiscard]] std::vector<T> values_of(std::span<const tape::active<T>> numbers) {
    std::vector<T> values;
    values.reserve(numbers.size());
    for (const auto& x : numbers) values.push_back(x.value());
    return values;
}
template <class T>
[[nodiscard]] std::vector<T> adjoints_of(std::span<const tape::active<T>> numbers,
                                         const tape::adjoint_view<T>& adjoints) {
    std::vector<T> values;
    values.reserve(numbers.size());
    for (const auto& x : numbers) values.push_back(adjoints[x]);
    return values;
}
template <class T>
void add(std::span<const tape::active<T>> numbers, const std::vector<T>& contributions,
         const tape::adjoint_view<T>& adjoints) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i].is_recorded()) adjoints[numbers[i]] = adjoints[numbers[i]] + contributions[i];
}
template <class T>
[[nodiscard]] int count_of(const std::vector<T>& values) {
    return static_cast<int>(values.size());
}

/// Numbers that came with a message, and what is done with their adjoints.
template <class T, class Backward>
[[nodiscard]] numbers<T> recorded(tape::basic_tape<T>& on, const std::vector<T>& values, Backward backward) {
    return on.operation(std::span<const T>(values),
                        [backward](std::span<const tape::active<T>> results, const tape::adjoint_view<T>& adjoints) {
                            backward(adjoints_of(results, adjoints));
                        });
}
/// Records work for the backward sweep, on which no number depends. A message of no numbers has no adjoints.
template <class T, class Backward>
void at_backward(tape::basic_tape<T>& on, std::size_t count, Backward backward) {
    if (count == 0) return;
    const T nothing{};
    (void)on.operation(
        std::span<const T>(&nothing, 1),
        [backward](std::span<const tape::active<T>>, const tape::adjoint_view<T>& adjoints) { backward(adjoints); });
}

template <class T>
void send(const std::vector<T>& values, int to, int tag, MPI_Comm communicator) {
    check(MPI_Send(values.data(), count_of(values), number_type<T>(), to, tag, communicator), "MPI_Send");
}
/// Refuses a message of fewer numbers, which would leave zeros. MPI itself refuses one of more.
template <class T>
void check_count(const MPI_Status& status, const std::vector<T>& values, const char* call) {
    if (status.MPI_SOURCE == MPI_PROC_NULL) return; // which sends nothing: the numbers stay 0
    int came = 0;
    check(MPI_Get_count(&status, number_type<T>(), &came), "MPI_Get_count");
    if (came == count_of(values)) return;
    const std::string start = std::string(call) + ": ";
    if (came == MPI_UNDEFINED)
        core::raise(error(start + "numbers of another type came; receive them in the type in which they are sent"));
    core::raise(error(start + std::to_string(came) + " of the " + std::to_string(values.size()) +
                      " expected numbers came; receive as many as are sent"));
}
template <class T>
void receive(std::vector<T>& values, int from, int tag, MPI_Comm communicator, const char* call) {
    MPI_Status status;
    check(MPI_Recv(values.data(), count_of(values), number_type<T>(), from, tag, communicator, &status), "MPI_Recv");
    check_count(status, values, call);
}

/// A message under way, forwards or, while the tape is swept, backwards.
template <class T>
struct message {
    std::vector<T> buffer;
    int partner, tag;
    MPI_Comm communicator;
    MPI_Request request = MPI_REQUEST_NULL;
    bool receives = false;
    bool ended = false; // wait() was called

    message(std::vector<T> numbers, int rank, int its_tag, MPI_Comm of)
        : buffer(std::move(numbers)), partner(rank), tag(its_tag), communicator(of) {}
    message(const message&) = delete;
    message& operator=(const message&) = delete;
    // MPI reads and writes the buffer until the message ends.
    ~message() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized != 0 || request == MPI_REQUEST_NULL) return;
        if (receives) MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    void start_sending() {
        receives = false;
        check(MPI_Isend(buffer.data(), count_of(buffer), number_type<T>(), partner, tag, communicator, &request),
              "MPI_Isend");
    }
    void start_receiving() {
        receives = true;
        buffer.assign(buffer.size(), T{}); // MPI_PROC_NULL leaves it as it is
        check(MPI_Irecv(buffer.data(), count_of(buffer), number_type<T>(), partner, tag, communicator, &request),
              "MPI_Irecv");
    }
    void wait(const char* call) {
        MPI_Status status;
        check(MPI_Wait(&request, &status), "MPI_Wait");
        if (receives) check_count(status, buffer, call);
    }
    /// For wait() of sending and receiving.
    static void wait_once(const std::shared_ptr<message>& held, const char* call) {
        if (held == nullptr)
            core::raise(error(std::string("mpi: the result of ") + call +
                              " was moved from and holds no message; call wait() on the object that it was moved to"));
        if (held->ended)
            core::raise(error(std::string(call) + ": wait() was called a second time; call it once for a message"));
        held->ended = true;
        held->wait(call);
    }
    // Without it the sweep would not know when the message ended, and its partner would wait for ever.
    void check_ended(const char* call) const {
        if (!ended)
            core::raise(error(std::string("mpi: a message of ") + call +
                              " was not waited for; call wait() on what it returned before backward()"));
    }
};

} // namespace detail

/// Sends numbers to a rank, which calls receive(). Returns when the message is on its way, as MPI_Send does.
template <class T>
void send(tape::basic_tape<T>& on, std::type_identity_t<std::span<const tape::active<T>>> numbers, int to, int tag = 0,
          MPI_Comm communicator = MPI_COMM_WORLD) {
    detail::send(detail::values_of(numbers), to, tag, communicator);
    detail::at_backward(on, numbers.size(),
                        [sent = detail::numbers<T>(numbers.begin(), numbers.end()), to, tag,
                         communicator](const tape::adjoint_view<T>& adjoints) {
                            std::vector<T> contributions(sent.size());
                            detail::receive(contributions, to, tag, communicator, "backward of send");
                            detail::add<T>(sent, contributions, adjoints);
                        });
}

/// Receives `count` numbers from a rank, which calls send() or start_send().
template <class T>
[[nodiscard]] std::vector<tape::active<T>> receive(tape::basic_tape<T>& on, std::size_t count, int from, int tag = 0,
                                                   MPI_Comm communicator = MPI_COMM_WORLD) {
    std::vector<T> values(count);
    detail::receive(values, from, tag, communicator, "receive");
    return detail::recorded(on, values, [from, tag, communicator](const std::vector<T>& adjoints) {
        detail::send(adjoints, from, tag, communicator);
    });
}

/// A message that start_send() has started. wait() must be called before the backward sweep.
template <class T>
class sending {
public:
    /// Waits until the message is on its way.
    void wait() {
        detail::message<T>::wait_once(message_, "start_send");
        detail::at_backward(*on_, message_->buffer.size(),
                            [message = message_](const tape::adjoint_view<T>&) { message->start_receiving(); });
    }

private:
    tape::basic_tape<T>* on_;
    std::shared_ptr<detail::message<T>> message_;

    sending(tape::basic_tape<T>& on, std::shared_ptr<detail::message<T>> message)
        : on_(&on), message_(std::move(message)) {}
    template <class U>
    friend sending<U> start_send(tape::basic_tape<U>&, std::type_identity_t<std::span<const tape::active<U>>>, int, int,
                                 MPI_Comm);
};
/// Starts sending numbers to a rank, as MPI_Isend does.
template <class T>
[[nodiscard]] sending<T> start_send(tape::basic_tape<T>& on,
                                    std::type_identity_t<std::span<const tape::active<T>>> numbers, int to, int tag = 0,
                                    MPI_Comm communicator = MPI_COMM_WORLD) {
    const auto message = std::make_shared<detail::message<T>>(detail::values_of(numbers), to, tag, communicator);
    message->start_sending();
    detail::at_backward(
        on, numbers.size(),
        [message, sent = detail::numbers<T>(numbers.begin(), numbers.end())](const tape::adjoint_view<T>& adjoints) {
            message->check_ended("start_send");
            message->wait("backward of start_send");
            detail::add<T>(sent, message->buffer, adjoints);
        });
    return {on, message};
}

/// A message that start_receive() has started. wait() must be called before the backward sweep.
template <class T>
class receiving {
public:
    /// Waits for the message and returns its numbers.
    [[nodiscard]] std::vector<tape::active<T>> wait() {
        detail::message<T>::wait_once(message_, "start_receive");
        return detail::recorded(*on_, message_->buffer, [message = message_](const std::vector<T>& adjoints) {
            message->buffer = adjoints;
            message->start_sending();
        });
    }

private:
    tape::basic_tape<T>* on_;
    std::shared_ptr<detail::message<T>> message_;

    receiving(tape::basic_tape<T>& on, std::shared_ptr<detail::message<T>> message)
        : on_(&on), message_(std::move(message)) {}
    template <class U>
    friend receiving<U> start_receive(tape::basic_tape<U>&, std::size_t, int, int, MPI_Comm);
};
/// Starts receiving `count` numbers from a rank, as MPI_Irecv does.
template <class T>
[[nodiscard]] receiving<T> start_receive(tape::basic_tape<T>& on, std::size_t count, int from, int tag = 0,
                                         MPI_Comm communicator = MPI_COMM_WORLD) {
    const auto message = std::make_shared<detail::message<T>>(std::vector<T>(count), from, tag, communicator);
    message->start_receiving();
    detail::at_backward(on, count, [message](const tape::adjoint_view<T>&) {
        message->check_ended("start_receive");
        message->wait("backward of start_receive");
    });
    return {on, message};
}

/// The numbers of the rank `root`, on all ranks. Elsewhere only the count of `numbers` matters.
template <class T>
[[nodiscard]] std::vector<tape::active<T>> broadcast(tape::basic_tape<T>& on,
                                                     std::type_identity_t<std::span<const tape::active<T>>> numbers,
                                                     int root = 0, MPI_Comm communicator = MPI_COMM_WORLD) {
    std::vector<T> values = detail::values_of(numbers);
    check(MPI_Bcast(values.data(), detail::count_of(values), number_type<T>(), root, communicator), "MPI_Bcast");
    // Only those of the root count.
    const bool here = rank_in(communicator) == root;
    detail::numbers<T> sent;
    if (here) sent.assign(numbers.begin(), numbers.end());
    return on.operation(std::span<const T>(values),
                        [sent, root, here, communicator](std::span<const tape::active<T>> results,
                                                         const tape::adjoint_view<T>& adjoints) {
                            const std::vector<T> mine = detail::adjoints_of(results, adjoints);
                            std::vector<T> all(here ? mine.size() : 0);
                            check(MPI_Reduce(mine.data(), all.data(), detail::count_of(mine), number_type<T>(), MPI_SUM,
                                             root, communicator),
                                  "MPI_Reduce");
                            detail::add<T>(sent, all, adjoints);
                        });
}

/// The sums of the numbers of all ranks, on the rank `root`; nothing on the others.
template <class T>
[[nodiscard]] std::vector<tape::active<T>> reduce(tape::basic_tape<T>& on,
                                                  std::type_identity_t<std::span<const tape::active<T>>> numbers,
                                                  int root = 0, MPI_Comm communicator = MPI_COMM_WORLD) {
    const std::vector<T> mine = detail::values_of(numbers);
    const bool here = rank_in(communicator) == root;
    std::vector<T> sums(here ? mine.size() : 0);
    check(MPI_Reduce(mine.data(), sums.data(), detail::count_of(mine), number_type<T>(), MPI_SUM, root, communicator),
          "MPI_Reduce");
    const auto add_adjoints = [added = detail::numbers<T>(numbers.begin(), numbers.end()), root,
                               communicator](std::vector<T> of_sums, const tape::adjoint_view<T>& adjoints) {
        of_sums.resize(added.size());
        check(MPI_Bcast(of_sums.data(), detail::count_of(of_sums), number_type<T>(), root, communicator), "MPI_Bcast");
        detail::add<T>(added, of_sums, adjoints);
    };
    if (here)
        return on.operation(std::span<const T>(sums), [add_adjoints](std::span<const tape::active<T>> results,
                                                                     const tape::adjoint_view<T>& adjoints) {
            add_adjoints(detail::adjoints_of(results, adjoints), adjoints);
        });
    detail::at_backward(on, mine.size(),
                        [add_adjoints](const tape::adjoint_view<T>& adjoints) { add_adjoints({}, adjoints); });
    return {};
}

/// The sums of the numbers of all ranks, on every rank. Each rank's copy is a result of its own: for the derivatives of
/// the sum, one rank passes it to backward() and the others call mpi::backward(t).
template <class T>
[[nodiscard]] std::vector<tape::active<T>> all_reduce(tape::basic_tape<T>& on,
                                                      std::type_identity_t<std::span<const tape::active<T>>> numbers,
                                                      MPI_Comm communicator = MPI_COMM_WORLD) {
    const auto sum = [communicator](const std::vector<T>& mine) {
        std::vector<T> sums(mine.size());
        check(MPI_Allreduce(mine.data(), sums.data(), detail::count_of(mine), number_type<T>(), MPI_SUM, communicator),
              "MPI_Allreduce");
        return sums;
    };
    const std::vector<T> sums = sum(detail::values_of(numbers));
    return on.operation(std::span<const T>(sums),
                        [sum, added = detail::numbers<T>(numbers.begin(), numbers.end())](
                            std::span<const tape::active<T>> results, const tape::adjoint_view<T>& adjoints) {
                            detail::add<T>(added, sum(detail::adjoints_of(results, adjoints)), adjoints);
                        });
}

/// The backward sweep of a rank that has no output.
template <class T>
void backward(tape::basic_tape<T>& on) {
    on.backward(std::span<const tape::seed<T>>());
}

} // namespace chainrule::mpi

#include <chainrule/core/names_end.inc>
