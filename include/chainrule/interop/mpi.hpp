// SPDX-License-Identifier: BSL-1.0
//
// mpi::sum(F, over(t = times, y = counts), wrt(a, b)): a sum over the rows of all ranks of an MPI communicator, and
// residuals in the same way. Each rank has a part of the rows; all get the sum.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/batch/residuals.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/interop/mpi/calls.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace chainrule {

namespace mpi {

/// The order of ranks(...): see in_order.
struct order_of_ranks {};
/// Merges the parts of a sum in the order of the ranks. If each rank but the last has a multiple of 1024 rows, as
/// rows_of_this_rank() deals them out, then the result has the bits of one process, for any number of ranks.
inline constexpr order_of_ranks in_order{};

/// The ranks of a communicator, as an argument of sum(...): made by ranks().
class rank_parts {
public:
    static constexpr bool several = true;

    rank_parts(MPI_Comm communicator, bool ordered) : communicator_(communicator), in_order_(ordered) {
        check_started();
    }

    /// The tree of this rank. In order, it begins behind the blocks of the ranks before.
    template <class Reduction, class T, class Data>
    [[nodiscard]] auto make_tree(const Data& data) const {
        unsigned long long before = 0;
        if (Data::rows_known && in_order_) {
            const unsigned long long blocks = (data.rows() + batches::rows_per_block - 1) / batches::rows_per_block;
            check(MPI_Exscan(&blocks, &before, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, communicator_), "MPI_Exscan");
        }
        return tree<Reduction, T, Data::rows_known>(static_cast<std::size_t>(before));
    }

    /// The result of the parts of all ranks.
    template <class Tree>
    [[nodiscard]] typename Tree::state result(const Tree& part) const {
        typename Tree::state all = in_order_ ? merged_in_order(part) : merged_at_once(part);
        Tree::reduction::finish(all.data());
        return all;
    }

private:
    MPI_Comm communicator_;
    bool in_order_;

    /// `Numbered` where the rank knows the number of its first block.
    template <class Reduction, class T, bool Numbered>
    struct tree : batches::part_of_tree<Reduction, T> {
        static constexpr bool numbered = Numbered;
        using batches::part_of_tree<Reduction, T>::part_of_tree;
    };

    template <class Reduction, class State>
    static void merge(void* before, void* behind, int* count, MPI_Datatype*) {
        const State* left = static_cast<const State*>(before);
        State* right = static_cast<State*>(behind);
        for (int i = 0; i < *count; ++i) {
            State merged = left[i];
            Reduction::merge(merged.data(), right[i].data());
            right[i] = merged;
        }
    }

    // The operation does not commute: MPI keeps the order of ranks, and all of them get the same bits.
    template <class Tree>
    [[nodiscard]] typename Tree::state merged_at_once(const Tree& part) const {
        using state = typename Tree::state;
        const state mine = part.merged();
        state all = mine;
        const array_type type(mine.size(), number_type<typename state::value_type>());
        struct owned_operation {
            MPI_Op what = MPI_OP_NULL;
            ~owned_operation() {
                if (what != MPI_OP_NULL) MPI_Op_free(&what);
            }
        } operation;
        check(MPI_Op_create(&merge<typename Tree::reduction, state>, 0, &operation.what), "MPI_Op_create");
        check(MPI_Allreduce(mine.data(), all.data(), 1, type.what(), operation.what, communicator_), "MPI_Allreduce");
        return all;
    }

    template <class Tree>
    [[nodiscard]] typename Tree::state merged_in_order(const Tree& part) const {
        using reduction = typename Tree::reduction;
        using state = typename Tree::state;
        if constexpr (Tree::numbered) {
            batches::block_tree<reduction, typename state::value_type> whole;
            for (const auto& [merged, level] : of_all_ranks(part.subtrees())) whole.push(merged, level);
            return whole.merged();
        } else {
            const auto parts = of_all_ranks(std::vector<state>{part.merged()});
            state all = parts[0];
            for (std::size_t rank = 1; rank < parts.size(); ++rank) reduction::merge(all.data(), parts[rank].data());
            return all;
        }
    }

    /// What all ranks have, one rank behind the other.
    template <class Element>
    [[nodiscard]] std::vector<Element> of_all_ranks(const std::vector<Element>& mine) const {
        static_assert(std::is_trivially_copyable_v<Element>);
        const int count = static_cast<int>(mine.size()); // of subtrees: few
        std::vector<int> counts(static_cast<std::size_t>(size_of(communicator_))), starts(counts.size());
        check(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator_), "MPI_Allgather");
        std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
        std::vector<Element> all(static_cast<std::size_t>(starts.back() + counts.back()));
        // Elements of their own type: all their bytes may be more than an int can count.
        const array_type element(sizeof(Element), MPI_BYTE);
        check(MPI_Allgatherv(mine.data(), count, element.what(), all.data(), counts.data(), starts.data(),
                             element.what(), communicator_),
              "MPI_Allgatherv");
        return all;
    }
};

} // namespace mpi

template <>
inline constexpr bool batches::is_processes<mpi::rank_parts> = true;

namespace mpi {

/// Takes the rows of all ranks of a communicator together: sum(F, over(x = xs), wrt(w), mpi::ranks()). Every rank
/// evaluates at the same point, in the same order of calls, and gets the same result. Throws mpi::error before
/// MPI_Init.
[[nodiscard]] inline rank_parts ranks(MPI_Comm communicator = MPI_COMM_WORLD) { return {communicator, false}; }
/// The same with the parts merged in the order of the ranks: mpi::ranks(MPI_COMM_WORLD, mpi::in_order).
[[nodiscard]] inline rank_parts ranks(MPI_Comm communicator, order_of_ranks) { return {communicator, true}; }

/// A part of some rows: from `first` on, `count` of them.
struct part_of_rows {
    std::size_t first, count;
};
/// The part of `rows` rows that this rank takes if they are dealt out evenly in blocks of 1024.
[[nodiscard]] inline part_of_rows rows_of_this_rank(std::size_t rows, MPI_Comm communicator = MPI_COMM_WORLD) {
    check_started();
    const int rank = rank_in(communicator), ranks = size_of(communicator);
    const std::size_t blocks = (rows + batches::rows_per_block - 1) / batches::rows_per_block;
    const auto begin_of = [&](int r) {
        const std::size_t before = blocks * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks);
        return std::min(rows, before * batches::rows_per_block);
    };
    return {begin_of(rank), begin_of(rank + 1) - begin_of(rank)};
}

namespace detail {

template <class... Arguments>
inline constexpr bool names_ranks = (false || ... || batches::is_processes<Arguments>);

} // namespace detail

/// sum(...) over the rows of all ranks: of MPI_COMM_WORLD, or of those in an argument ranks(...).
template <class F, class Data, class... Arguments>
[[nodiscard]] auto sum(const F& f, const Data& data, const Arguments&... arguments) {
    if constexpr (detail::names_ranks<Arguments...>)
        return chainrule::sum(f, data, arguments...);
    else
        return chainrule::sum(f, data, arguments..., ranks());
}
/// residuals(...) over the rows of all ranks: half_squares, gauss_newton and gauss_newton_product are those of all
/// rows; count, values and the Jacobians are those of the rows of this rank.
template <class R, class Data, class... Arguments>
[[nodiscard]] auto residuals(const R& r, const Data& data, const Arguments&... arguments) {
    if constexpr (detail::names_ranks<Arguments...>)
        return chainrule::residuals(r, data, arguments...);
    else
        return chainrule::residuals(r, data, arguments..., ranks());
}

} // namespace mpi

} // namespace chainrule

#include <chainrule/core/names_end.inc>
