import type { core, ZodType } from 'zod'
import { TillError } from './till-error.ts'

/**
 * Returns what `schema` makes of `input`, or throws `TillError` `invalid_input` whose message names the first thing
 * that is wrong. `subject` is what the whole input is called when it is not even an object.
 */
export function validate<Output>(schema: ZodType<Output>, input: unknown, subject: string): Output {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new TillError('invalid_input', describe(result.error.issues[0], subject))
}

/** How zod says that a type is wrong where the schema has no message of its own. */
const ZOD_DEFAULT = 'Invalid input'

function describe(issue: core.$ZodIssue | undefined, subject: string): string {
  if (!issue) return `${subject} is invalid`
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return `${[path, issue.keys[0]].filter(Boolean).join('.')} is not a known name of ${subject}`
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith(ZOD_DEFAULT)) {
    return `${path || subject} must be ${withArticle(issue.expected === 'int' ? 'integer' : issue.expected)}`
  }
  return `${path || subject} ${issue.message}`
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}
