import { OURS } from '../../../journal/refusal.ts'
import { entriesOf, type Rule } from '../../rule.ts'

/** What is thrown is of a class that Tillkit promises, and neither it nor a log line holds what a payment says. */
export const errors: Rule = function* (books) {
  for (const { call, name, message, leaks, text } of entriesOf(books, 'refused')) {
    if (!OURS.has(name)) yield `${call} threw ${name}: ${message}`
    if (leaks) yield `${call} threw an error that holds the values of a statement: ${text}`
  }
  for (const { line } of entriesOf(books, 'leaked'))
    yield `a log line holds the values of a statement: ${line}`
}
