// The LibTorch headers every file of the runtime needs, compiled once. Narrow on purpose: torch/torch.h and
// torch/script.h cost twice as much and are never included.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/interpreter.h>
