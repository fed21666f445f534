// One walk over the original graphs, from the method down into all that it calls, which makes the new graph. What
// becomes of a node is decided in walk.cpp; walk_copies.cpp copies those that stay. Private to import/specialise.
#pragma once

#include "import/held_inputs.h"
#include "import/specialise.h"
#include "import/specialise/call_scopes.h"
#include "import/specialise/known.h"
#include "import/specialise/walk_limits.h"

#include <set>

namespace pipescope::import {

class Walk
{
public:
    /// `assigned` stay attributes: their values are no constants.
    Walk(const torch::jit::Module &module, std::set<SlotKey> assigned, const std::stop_token &stop);

    /// Once. Throws TooLarge, Stopped and what LibTorch throws.
    Specialised run(const torch::jit::Function &method, const std::map<int, c10::IValue> &constants);

    /// The attributes that were seen being assigned.
    [[nodiscard]] const std::set<SlotKey> &assigned() const { return m_newlyAssigned; }

private:
    void walkBlock(const torch::jit::Block &block, Frame &frame);
    void walkNode(torch::jit::Node *node, Frame &frame);
    void walkConstant(torch::jit::Node *node, Frame &frame);
    void walkGetAttr(torch::jit::Node *node, const Known &object, Frame &frame);
    void walkIf(torch::jit::Node *node, Frame &frame);
    void noteAssigned(const Known &object, const std::string &name);
    bool inlineMethod(torch::jit::Node *node, Frame &frame);
    bool inlineFunction(torch::jit::Node *node, Frame &frame);
    void inlineGraph(const torch::jit::Graph &callee, torch::jit::Node *call,
                     at::ArrayRef<torch::jit::Value *> arguments, Frame &frame);
    bool fold(torch::jit::Node *node, Frame &frame);

    torch::jit::Value *materialise(const Known &known);
    torch::jit::Value *operand(torch::jit::Value *original, Frame &frame);
    torch::jit::Node *copyNode(torch::jit::Node *node, Frame &frame);
    void copyAside(torch::jit::Node *node, Frame &frame);
    void copyBlock(const torch::jit::Block &from, torch::jit::Block &to, Frame &frame);
    void fillBlock(const torch::jit::Block &from, torch::jit::Block &to, Frame &frame);
    void keepOperator(const torch::jit::Node &node, torch::jit::Node &copy);

    Specialised m_result;
    HeldInputs m_held;
    c10::intrusive_ptr<c10::ivalue::Object> m_root;
    std::set<SlotKey> m_assigned;
    std::set<SlotKey> m_newlyAssigned;
    std::unordered_map<const torch::jit::Value *, torch::jit::Node *> m_functions;
    CallScopes m_scopes;
    WalkLimits m_limits;
};

} // namespace pipescope::import
