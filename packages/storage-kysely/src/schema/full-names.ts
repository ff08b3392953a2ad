import {
  IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type SchemableIdentifierNode,
} from 'kysely'
import { FUNCTIONS, INDEXES } from './names.ts'
import { TABLE_NAMES } from './tables.ts'

const NAMES: ReadonlySet<string> = new Set([...TABLE_NAMES, ...Object.values(FUNCTIONS)])
const INDEX_NAMES: ReadonlySet<string> = new Set(Object.values(INDEXES))

/**
 * Puts `prefix` before every name of a table, function or index in a query, and the schema where there is one and the name
 * may have one, so that queries are written with the plain names. Names that a query gives by itself stay as they are.
 */
export function fullNames(prefix: string, schema: string | undefined): KyselyPlugin {
  const transformer = new FullNamesTransformer(prefix, schema)
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class FullNamesTransformer extends OperationNodeTransformer {
  readonly #prefix: string
  readonly #schema: string | undefined

  constructor(prefix: string, schema: string | undefined) {
    super()
    this.#prefix = prefix
    this.#schema = schema
  }

  protected override transformSchemableIdentifier(
    node: SchemableIdentifierNode,
    queryId?: { readonly queryId: string },
  ): SchemableIdentifierNode {
    const plain = super.transformSchemableIdentifier(node, queryId)
    const { name } = plain.identifier
    const isIndex = INDEX_NAMES.has(name)
    if (!NAMES.has(name) && !isIndex) return plain
    return {
      ...plain,
      ...(this.#schema === undefined || isIndex ? {} : { schema: IdentifierNode.create(this.#schema) }),
      identifier: IdentifierNode.create(`${this.#prefix}${name}`),
    }
  }
}
