import type { Dialect } from '../dialects/dialect.ts'

/** What an error may keep: names, codes and places. The statement, its values, and rows that it holds are not among it. */
const KEPT: ReadonlySet<PropertyKey> = new Set([
  ...['name', 'message', 'stack', 'cause', 'errors', 'code', 'errno', 'sqlState', 'fatal', 'severity'],
  ...['schema', 'table', 'column', 'constraint', 'routine', 'syscall', 'address', 'port', 'hostname'],
])

/** How deep causes are looked into: deeper than any driver nests them. */
const DEEPEST = 5

/**
 * The error without any value of a statement: drivers put statements, parameters and rows into their errors, and engines
 * quote values in some of their messages. It is changed in place, so that it stays what its driver made.
 */
export function withoutValues(error: unknown, dialect: Dialect, depth = 0): unknown {
  if (!(error instanceof Error) || depth > DEEPEST) return undefined
  const { message, stack } = error
  for (const key of Reflect.ownKeys(error)) if (!KEPT.has(key)) Reflect.deleteProperty(error, key)
  if (dialect.quotes(error)) {
    error.message = `${codeOf(error)} (what the engine says of it may hold values)`
    // The first lines of a stack are the message again.
    error.stack = stack?.replace(message, () => error.message)
  }
  if (error.cause !== undefined) error.cause = withoutValues(error.cause, dialect, depth + 1)
  if (error instanceof AggregateError) {
    error.errors = error.errors.map(one => withoutValues(one, dialect, depth + 1))
  }
  return error
}

function codeOf(error: Error): string {
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  return `error ${code ?? errno}`
}
