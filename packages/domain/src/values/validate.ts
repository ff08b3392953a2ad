import type { core, ZodType } from 'zod'
import { TillError } from '../till-error.ts'
import { holdsProperties } from './properties.ts'
import { shortened } from './text.ts'

/**
 * Returns what `schema` makes of `input`, or throws `TillError` `invalid_input` whose message names the first thing
 * that is wrong, whatever `input` is. `subject` is what the whole input is called when it is not even an object.
 */
export function validate<Output>(schema: ZodType<Output>, input: unknown, subject: string): Output {
  const result = read(schema, input, subject)
  if (result === null) throw new TillError('invalid_input', `${subject} cannot be read`)
  if ('problem' in result) throw new TillError('invalid_input', result.problem)
  if (typeof input === 'object' && input !== null && !holdsProperties(input)) {
    throw new TillError('invalid_input', `${subject} must be an object`)
  }
  return result.data
}

/** Null where a getter or a proxy of the input throws: zod looks at what is wrong once more when it is asked for words. */
function read<Output>(
  schema: ZodType<Output>,
  input: unknown,
  subject: string,
): { data: Output } | { problem: string } | null {
  try {
    const result = schema.safeParse(input)
    return result.success ? result : { problem: describe(result.error.issues[0], subject) }
  } catch {
    return null
  }
}

/** How zod says that a type is wrong where the schema has no message of its own. */
const ZOD_DEFAULT = 'Invalid input'

function describe(issue: core.$ZodIssue | undefined, subject: string): string {
  if (!issue) return `${subject} is invalid`
  const path = shortened(issue.path.join('.'))
  if (issue.code === 'unrecognized_keys') {
    const name = shortened(issue.keys[0] || "''")
    return `${path ? `${path}.${name}` : name} is not a known name of ${subject}`
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith(ZOD_DEFAULT)) {
    return `${path || subject} must be ${withArticle(issue.expected === 'int' ? 'integer' : issue.expected)}`
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `${path || subject} must be at most ${issue.maximum}`
  }
  return `${path || subject} ${issue.message}`
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}
