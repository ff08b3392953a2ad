import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type SchemableIdentifierNode,
} from 'kysely'

/** Puts `prefix` before every table name of a query, so that queries are written with the plain names. */
export function tablePrefix(prefix: string): KyselyPlugin {
  const transformer = new TablePrefixTransformer(prefix)
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class TablePrefixTransformer extends OperationNodeTransformer {
  readonly #prefix: string

  constructor(prefix: string) {
    super()
    this.#prefix = prefix
  }

  protected override transformSchemableIdentifier(
    node: SchemableIdentifierNode,
    queryId?: { readonly queryId: string },
  ): SchemableIdentifierNode {
    const { identifier, ...rest } = super.transformSchemableIdentifier(node, queryId)
    return { ...rest, identifier: { ...identifier, name: `${this.#prefix}${identifier.name}` } }
  }
}
