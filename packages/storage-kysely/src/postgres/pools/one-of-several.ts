import { awaitSeconds } from '../../connections/limits/deadline.ts'
import { isOverConnections } from '../../dialects/postgres-errors.ts'
import { isSet } from '../../schema/is-set.ts'
import { type PgClient, type PgPool, send } from './pg-pool.ts'

/** What pg says where a connection was not to be had since all of the pool are in use. */
const ALL_IN_USE = /^timeout exceeded when trying to connect/

/** True where the server is as well as before, and has a connection again when one is given back. */
const isFull = (error: unknown) =>
  isOverConnections(error) || (error instanceof Error && ALL_IN_USE.test(error.message))

const ASK = `select current_setting('transaction_read_only') = 'on' as refuses`

/**
 * The pools of several servers as one: connections come from the server that was last of use, and where it cannot be
 * reached, or is `asked` and takes no writes any more or does not say within `seconds`, from the next one. Whoever asked then gets an
 * error and asks again: of the same server where that has no connection left.
 */
export function oneOf(pools: PgPool[], asked: boolean, seconds: number): PgPool {
  const known = new WeakSet<PgClient>()
  let place = 0
  const leave = (left: number) => {
    if (left === place) place = (place + 1) % pools.length
  }

  return {
    async connect() {
      const from = place
      const pool = pools[from] as PgPool
      const client = await pool.connect().catch(error => {
        if (!isFull(error)) leave(from)
        throw error
      })
      if (!asked || known.has(client)) return client
      try {
        const { rows } = await awaitSeconds(seconds, send(client, { text: ASK, values: [] }))
        if (isSet((rows[0] as { refuses: unknown }).refuses)) throw takesNoWrites()
      } catch (error) {
        leave(from)
        client.release(true)
        throw error
      }
      known.add(client)
      return client
    },
    end: async () => void (await Promise.all(pools.map(pool => pool.end()))),
    ...(pools[0]?.options && { options: pools[0].options }),
  }
}

/** As a server says it that cannot be connected to yet. */
function takesNoWrites(): Error {
  return Object.assign(new Error('the server is a standby, or only reads'), {
    code: '57P03',
    severity: 'FATAL',
  })
}
