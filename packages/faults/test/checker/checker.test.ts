import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBooks } from '../../src/checker/books.ts'
import { check, type RULES } from '../../src/checker/check.ts'
import type { Address } from '../../src/engines/address.ts'
import { openSession } from '../../src/engines/session.ts'
import type { Entry } from '../../src/journal/entry.ts'
import type { Break, Breaks } from './breaks/break.ts'
import { paymentsBreaks } from './breaks/payments.ts'
import { periodsBreaks } from './breaks/periods.ts'
import { runsBreaks } from './breaks/run.ts'
import { webhooksBreaks } from './breaks/webhooks.ts'
import { finishedRun } from './finished-run.ts'

let folder: string
let address: Address
let journal: Entry[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit-checker-'))
  const run = await finishedRun(folder)
  address = run.address
  journal = run.journal
})
afterAll(() => rm(folder, { recursive: true }))

/** Breaks the finished run, checks, and mends it again. Statements are of the rows, changes of everything else. */
async function violationsAfter({ sql, change }: Break): Promise<string[]> {
  const broken = { engine: 'sqlite', file: join(folder, 'broken.db') } as const
  const session = await openSession(address)
  await session.rows(`vacuum into '${broken.file}'`)
  await session.close()
  if (sql) {
    const breaking = await openSession(broken)
    await breaking.rows('pragma foreign_keys = off')
    for (const statement of sql.split(';')) await breaking.rows(statement)
    await breaking.close()
  }
  const books = await readBooks(broken, { journal: structuredClone(journal), casualties: [], atRest: true })
  change?.(books)
  await rm(broken.file)
  return check(books)
}

/** Every rule has a break: one that nothing shows to work is no rule. */
const BREAKS: Record<keyof typeof RULES, Breaks[string]> = {
  ...paymentsBreaks,
  ...periodsBreaks,
  ...webhooksBreaks,
  ...runsBreaks,
}

test('a finished run is in order', async () => {
  expect(await violationsAfter({})).toEqual([])
})

describe.each(Object.entries(BREAKS))('rule %s finds', (rule, breaks) => {
  test.each(breaks)('%s', async (_, broken, found) => {
    const violations = await violationsAfter(broken)
    const own = violations.filter(violation => violation.startsWith(`${rule}: `))
    expect(own.join('\n')).toMatch(found)
  })
})
