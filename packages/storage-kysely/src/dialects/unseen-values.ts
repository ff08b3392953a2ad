import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  RawNode,
  ValueListNode,
  ValueNode,
  type ValuesNode,
} from 'kysely'

/**
 * Writes values so that SQLite's planner does not see them: `(select ?)`. Where a table has been analyzed, it plans a statement
 * by the values that it sees, and so anew at each execution, which takes longer than most statements do.
 */
export function unseenValues(): KyselyPlugin {
  const transformer = new UnseenValues()
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class UnseenValues extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return node.immediate ? node : (unseen(node) as unknown as ValueNode)
  }

  protected override transformPrimitiveValueList({ values }: PrimitiveValueListNode): PrimitiveValueListNode {
    const list = ValueListNode.create(values.map(value => unseen(ValueNode.create(value))))
    return list as unknown as PrimitiveValueListNode
  }

  /** What is inserted is not searched for. */
  protected override transformValues(node: ValuesNode): ValuesNode {
    return node
  }
}

const unseen = (value: ValueNode) => RawNode.create(['(select ', ')'], [value])
