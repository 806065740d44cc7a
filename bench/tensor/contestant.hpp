// SPDX-License-Identifier: BSL-1.0
//
// The interface of contestants for training steps: a class that holds a network, starts with given weights, and makes
// steps of stochastic gradient descent on one batch. Each library is in a separate file. networks.cpp compares and
// measures.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class loss { cross_entropy, hinge };

/// Fully connected layers with relu between them, and the batch they are trained on. All matrices are in row-major
/// order.
struct network {
    std::string name;
    std::vector<std::size_t> widths;
    std::size_t batch;
    loss minimised;
    float rate;                // of the steps
    std::vector<float> inputs; // batch x widths.front()
    std::vector<int> labels;   // classes, for the hinge loss -1 or +1
    std::vector<std::vector<float>> weights,
        biases; // at the beginning; layer k: widths[k] x widths[k + 1], y = x W + b

    std::size_t layers() const { return weights.size(); }
};

/// A network of one contestant.
class training {
public:
    virtual ~training() = default;
    /// Back to the weights of the beginning.
    virtual void begin() = 0;
    /// Forward, backward and update, once. Returns the loss before the update, the mean over the batch.
    virtual float step() = 0;
};

struct contestant {
    const char* name;
    /// Null where the contestant has no such network.
    std::unique_ptr<training> (*train)(const network&);
};

} // namespace bench
