import { type Merchant, namesByWord, validate } from '@tillkit/domain'
import { basicApiKey, type HttpHandler, keyedApi, merchantApi, tillArgument } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till, TillError } from '@tillkit/till'
import { createAccounts } from './accounts.ts'
import type { Ledger } from './ledger/ledger.ts'
import { createLedgers } from './ledger/ledgers.ts'
import { rememberedMerchants } from './live-merchants.ts'
import { type LedgerName, shownId } from './names.ts'
import { type CheckedSandboxOptions, checkOptions, type SandboxOptions } from './options.ts'
import { routes } from './routes/routes.ts'
import { claimsToBeTestKey } from './test-key-text.ts'
import { createTestKeys, type TestKeys } from './test-keys.ts'

/** Test keys and test ledgers beside a live API. */
export interface Sandbox {
  /**
   * Stands where `merchantApi(till)` would: a test key gets the same API over its merchant's test ledger, and the routes below
   * `/sandbox`; every other request goes to the live API, which has no such routes.
   */
  handler: HttpHandler
  /** The test keys of the live till's merchants. */
  apiKeys: TestKeys
  /**
   * A till over the test ledger of a live merchant, for programs and tests of the host: its merchant's id there is
   * `test:` and the live id, `sandbox.merchantId(id)`, and it knows no other. Throws `not_found` for an unknown merchant.
   */
  till(merchantId: string): Promise<Till>
  /** What a live merchant is called within its test ledger, and in `webhook-id`. */
  merchantId(merchantId: string): string
  /** Ends the webhooks that are in flight. The storage and the live till stay the host's to close. */
  close(): Promise<void>
}

/** A test key's merchant, and the ledger that the key opens. */
interface TestMerchant extends Merchant {
  ledger: LedgerName
  live: Merchant
}

/**
 * Gives the developers of a till's merchants a place to try: keys that begin with `tk_test_`, whose payments are made by
 * request, kept apart from the live ledger, the same for the same seed, by a clock that is moved. Throws `invalid_input`
 * naming the option that is wrong.
 */
export function createSandbox(till: Till, options: SandboxOptions = {}): Sandbox {
  validate(tillArgument, till, 'till')
  const checked = checkOptions(options)
  const { storage: shared, api } = checked
  const storage = shared ?? memoryStorage()
  assertTillOptions(checked)
  const accounts = createAccounts(storage)
  const ledgers = createLedgers(shared, accounts, checked)
  const merchants = rememberedMerchants(till, checked.rememberSeconds)
  const live = async (merchantId: string) => {
    const merchant = await till.merchants.get(merchantId)
    if (merchant === null) throw new TillError('not_found', `merchant ${merchantId} is unknown`)
    return merchant
  }
  const { apiKeys, ledgerOf } = createTestKeys(storage, accounts, live)
  const opened = new WeakMap<Till, Ledger>()

  async function open(name: LedgerName, merchant: Merchant): Promise<Till> {
    const ledger = await ledgers.of(name, merchant)
    opened.set(ledger.till, ledger)
    return ledger.till
  }

  const behind = (ledgerTill: Till): Ledger => {
    const ledger = opened.get(ledgerTill)
    if (!ledger) throw new TypeError('a till of no test ledger')
    return ledger
  }

  async function authenticate(testKey: string): Promise<TestMerchant | null> {
    const ledger = await ledgerOf(testKey)
    const merchant = ledger && (await merchants.get(ledger.liveId))
    return merchant && { ...merchant, id: shownId(merchant.id), ledger, live: merchant }
  }

  const names = api?.vocabulary && namesByWord(api.vocabulary, 'payment')
  const testApi = keyedApi(
    {
      authenticate,
      tillOf: merchant => {
        const { ledger, live } = merchant as TestMerchant
        return open(ledger, live)
      },
      routes: routes.map(({ answer, ...described }) => ({
        ...described,
        endpoint: call => answer(behind(call.till), { ...call, names }),
      })),
      logger: till.logger,
    },
    api,
  )
  const liveApi = merchantApi(till, api)

  return {
    handler: request =>
      claimsToBeTestKey(basicApiKey(request.headers.authorization)) ? testApi(request) : liveApi(request),
    apiKeys,
    async till(merchantId) {
      const merchant = await live(merchantId)
      return open(await accounts.of(merchantId), merchant)
    },
    merchantId: shownId,
    close: () => ledgers.close(),
  }
}

/** Ledgers are opened when they are asked for: their tills' options are looked at now. */
function assertTillOptions({ webhooks, secrets }: CheckedSandboxOptions): void {
  createTill({
    name: 'sandbox',
    storage: memoryStorage(),
    clock: () => new Date(),
    webhooks,
    secrets,
    logger: false,
  })
}
