import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Payment } from '@tillkit/till'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { child } from './child.ts'
import { pay } from './pay.ts'
import { scratch, tillkit } from './tillkit.ts'

/** A processor with a connection that keeps its process, and without which it answers nothing. */
const CONNECTED = `
let connection = setInterval(() => {}, 1000)
async function answer() {
  if (connection === null) throw new Error('there is no connection')
  return { status: 'completed' }
}
export const processor = { charge: answer, lookup: answer }
export function close() {
  clearInterval(connection)
  connection = null
  console.error('processor closed')
}
`

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>
let processor: string

beforeEach(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  processor = join(folder, 'processor.mjs')
  await writeFile(processor, CONNECTED)
  await tillkit(['migrate'], { env })
  await tillkit(['merchants', 'add', 'Corner Coffee', '--id', 'coffee'], { env })
  await tillkit(['codes', 'create', 'coffee', '--code', 'counter'], { env })
})

afterEach(() => remove())

const SERVE = ['serve', '--insecure-http', '--port', '0', '--currency', 'EUR']

/** Starts a payment, which is pending for ten minutes by now. */
async function pending(): Promise<void> {
  const storage = sqliteStorage({ file: env.TILLKIT_DATABASE ?? '' })
  const clock = () => new Date(Date.now() - 600_000)
  const till = createTill({ storage, logger: false, clock })
  await till.payments.start({ scanCode: 'counter', totalAmount: 300 })
  await till.close()
  await storage.close()
}

async function statuses(): Promise<string[]> {
  const { stdout } = await tillkit(['payments', 'list', 'coffee', '--json'], { env })
  return JSON.parse(stdout).items.map(({ status }: Payment) => status)
}

test('the processor is closed when nothing is charged any more, and not before', async () => {
  const serving = child([...SERVE, '--processor', processor], env)
  const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
  await pay(origin)
  serving.process.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  expect(await statuses()).toEqual(['completed'])
  expect(serving.said.stderr.match(/processor closed/g)).toHaveLength(1)
})

test.each([[SERVE], [['worker']]])('nor before it was asked about pending payments: %j', async words => {
  await pending()
  const asking = child([...words, '--processor', processor], env)
  await asking.says('stderr', /asked the processor/)
  asking.process.kill('SIGTERM')
  expect(await asking.ended).toBe(0)
  expect(await statuses()).toEqual(['completed'])
  expect(asking.said.stderr.match(/processor closed/g)).toHaveLength(1)
})

/** One that knows what it is, and whose end fails. */
const OF_A_CLASS = `
class Processor {
  #status = 'completed'
  async charge() { return { status: this.#status } }
  async lookup() { return { status: this.#status } }
}
export const processor = new Processor()
export function close() { throw new Error('the processor does not end') }
`

test.each([[SERVE], [['worker']]])('one of a class is asked as its method: %j', async words => {
  await pending()
  await writeFile(processor, OF_A_CLASS)
  const asking = child([...words, '--processor', processor], env)
  await asking.says('stderr', /asked the processor/)
  asking.process.kill('SIGTERM')
  expect(await asking.ended).toBe(70)
  expect(await statuses()).toEqual(['completed'])
  expect(asking.said.stderr).toContain('the processor does not end')
})

test('a command that does not run, or cannot go on, closes it too, and ends', async () => {
  const none = join(folder, 'none.mjs')
  await writeFile(none, CONNECTED.replace('processor = ', 'procesor = '))
  const away = { TILLKIT_DATABASE: 'postgres://nobody@127.0.0.1:1/none' }
  for (const [words, file, where, status] of [
    [[...SERVE, '--port', 'http'], processor, env, 2],
    [[...SERVE, '--prot', '3'], processor, env, 2],
    [['serve', '--currency', 'EUR'], processor, env, 2],
    [['worker', '--prot', '3'], processor, env, 2],
    [SERVE, processor, away, 3],
    [['worker'], processor, away, 3],
    [SERVE, none, env, 2],
  ] as const) {
    const ran = child([...words, '--processor', file], where)
    expect([words, await ran.ended]).toEqual([words, status])
    expect(ran.said.stderr).toContain('processor closed')
  }
})
