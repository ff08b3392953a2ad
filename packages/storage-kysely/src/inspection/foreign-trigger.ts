import { type Finding, findingsOf } from '@tillkit/domain'

const { note, warning } = findingsOf('triggers')

/** A trigger that is not Tillkit's, which has none. */
export interface ForeignTrigger {
  name: string
  table: string
  /** Whether it has its say before a row is written. */
  before: boolean
}

/** One that runs before a row is written may change it, or keep it out without an error. */
export function foreignTrigger({ name, table, before }: ForeignTrigger): Finding {
  const says = `The trigger ${name} of ${table} runs`
  if (!before)
    return note(`${says} after each write: it takes its time, and where it fails so does the write.`)
  return warning(
    `${says} before a row is written: it may change the row or keep it out, so that what is kept is not what was answered.`,
    'See that it leaves rows as they are, or make one of it that runs after the write.',
  )
}
