import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { expect, onTestFinished, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

async function scene() {
  const { folder, remove } = await scratch()
  const file = join(folder, 'till.db')
  const env = { TILLKIT_DATABASE: file }
  await tillkit(['migrate'], { env })
  const storage = sqliteStorage({ file })
  const till = createTill({ storage, logger: false })
  onTestFinished(async () => {
    await till.close()
    await storage.close()
    await remove()
  })
  await till.merchants.create({ id: 'coffee', name: 'Coffee' })
  await till.scanCodes.create('coffee', { code: 'counter' })
  for (const totalAmount of [100, 200, 300]) await till.payments.start({ scanCode: 'counter', totalAmount })
  await sleep(1100) // payments are dated in whole seconds
  const module = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }
  const reconcile = (...words: string[]) =>
    tillkit(['reconcile', '--older-than-seconds', '0', ...words], { env })
  return { folder, till, module, reconcile }
}

test('asks a module about pending payments, and records what it knows', async () => {
  const { till, module, reconcile } = await scene()
  const processor = await module(
    'processor.mjs',
    `export const processor = {
      outcomes: { 100: { status: 'completed' }, 200: { status: 'unknown' } },
      charge() {},
      async lookup({ totalAmount }) {
        const known = this.outcomes[totalAmount]
        if (!known) throw new Error('the bank is closed')
        return known
      },
    }`,
  )
  const failing = await reconcile('--with', processor, '--json')
  const found = { completed: 1, failed: 0, pending: 0, unknown: 1, errors: 1 }
  expect([failing.status, JSON.parse(failing.stdout)]).toEqual([1, found])
  expect((await till.payments.get('coffee', 1))?.status).toBe('completed')
  const lookup = await module(
    'lookup.mjs',
    `export const lookup = () => ({ status: 'error', failure: 'gone' })`,
  )
  const { status, stdout } = await reconcile('--with', lookup)
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^failed +2$/m)])
  expect((await till.payments.get('coffee', 3))?.failure).toBe('gone')
})

test('closes the module when it was asked, and where there is nothing to ask it', async () => {
  const { folder, module, reconcile } = await scene()
  const diary = join(folder, 'diary.txt')
  const diarist = `import { appendFileSync } from 'node:fs'
    const note = text => appendFileSync(${JSON.stringify(diary)}, text)
    export const close = async () => note('closed\\n')`
  const lookup = `export const lookup = async () => {
      note('asked ')
      throw new Error('the bank is closed')
    }`
  const asked = await reconcile('--with', await module('asked.mjs', `${diarist}\n${lookup}`))
  expect([asked.status, await readFile(diary, 'utf8')]).toEqual([1, 'asked asked asked closed\n'])
  for (const [words, text] of [
    [['--concurrency', 'many'], `${diarist}\n${lookup}`],
    [[], diarist],
  ] as const) {
    await writeFile(diary, '')
    const refused = await reconcile('--with', await module(`refused-${words.length}.mjs`, text), ...words)
    expect([refused.status, await readFile(diary, 'utf8')]).toEqual([2, 'closed\n'])
  }
})

test('says what is wrong with the module', async () => {
  const { module, reconcile } = await scene()
  for (const [words, message] of [
    [[], '--with <module> is needed'],
    [['--with', './nowhere.mjs'], '--with ./nowhere.mjs cannot be loaded: '],
    [['--with', await module('none.mjs', 'export default {}')], 'must export lookup, a function'],
  ] as const) {
    const { status, stderr } = await reconcile(...words)
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
  }
})
