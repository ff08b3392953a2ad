import { runInNewContext } from 'node:vm'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, stderrLogger } from '@tillkit/till'

const circular: Record<string, unknown> = { merchantId: 'shop' }
circular.self = circular

const unreadable = Object.defineProperty({ merchantId: 'shop' }, 'key', {
  enumerable: true,
  get() {
    throw new Error('hands off')
  },
})

const hostile = new Proxy(
  {},
  {
    ownKeys() {
      throw new Error('hands off')
    },
  },
)

const failure = Object.assign(
  new Error('not written\nERROR forged', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  }),
  { code: 'E1', sql: 'select secret' },
)

/** What a process does whose stderr a test reads. */
const SCENES: Record<string, () => Promise<void>> = {
  async 'a key without secrets'() {
    await keyWithoutSecrets(undefined)
  },

  async 'a key without secrets, silently'() {
    await keyWithoutSecrets(false)
  },

  async 'awkward fields'() {
    stderrLogger.debug({}, 'not shown')
    stderrLogger.info({}, 'not shown')
    stderrLogger.warn({}, 'no fields')
    stderrLogger.warn(circular, 'circular')
    stderrLogger.warn(
      { amount: 12n, at: new Date(Number.NaN), of: Symbol('s'), nan: Number.NaN },
      'odd values',
    )
    stderrLogger.warn(unreadable, 'unreadable')
    stderrLogger.warn(hostile, 'hostile')
    stderrLogger.error({ err: failure, key: Buffer.from('a key') }, 'an error')
    stderrLogger.error({ err: runInNewContext("new Error('elsewhere')") }, 'of another realm')
    stderrLogger.error(
      { err: Object.assign(new Error(), { message: circular, cause: circular }) },
      'odd errors',
    )
    stderrLogger.error({ err: new AggregateError([new Error('refused')]) }, 'several')
    stderrLogger.error({ text: 'x'.repeat(8_000_000) }, 'long\r\nlines \u2028 \u202e \ud800 %s %d')
    stderrLogger.error(null as never, undefined as never)
    stderrLogger.error({ toJSON: () => 'forged', deep: { a: { b: { c: { d: 1 } } } } }, 'deep')
  },

  async 'nobody reads'() {
    for (let i = 0; i < 200; i++) {
      stderrLogger.error({ text: 'x'.repeat(2000) }, 'nobody reads')
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    process.stdout.write('still here\n')
  },
}

async function keyWithoutSecrets(logger: false | undefined): Promise<void> {
  const till = createTill({ storage: memoryStorage(), logger })
  const { id } = await till.merchants.create({ name: 'Shop' })
  await till.merchants.issueWebhookKey(id)
  await till.merchants.issueWebhookKey(id)
}

await SCENES[process.argv[2] ?? '']?.()
