import type { PoolFigures } from '@tillkit/storage/channels'
import { SYSTEMS } from '../../channels/publish-statement.ts'
import type { DialectName } from '../../dialects/dialect.ts'

/** What a pool is called among those of the process, to whoever listens. */
export type PoolName =
  | 'tillkit'
  | 'tillkit replica'
  | 'tillkit migration'
  | 'tillkit watch'
  | `tillkit node ${string}`

/** What a pool of a driver says of itself; undefined before there is one. */
interface Known {
  /** How many connections it makes at most. */
  max: () => number
  /** How many are waited for. */
  pending: () => number
  /** How many lie idle; undefined where the driver does not say. */
  idle: () => number | undefined
}

/** What is known of the connections of a pool: those used are counted here. */
export class CountedPool implements PoolFigures {
  readonly name: PoolName
  readonly system: string
  readonly #known: Known
  used = 0

  constructor(name: PoolName, dialect: DialectName, known: Known) {
    this.name = name
    this.system = SYSTEMS[dialect]
    this.#known = known
  }

  get max(): number {
    return this.#known.max()
  }

  get pending(): number {
    return this.#known.pending()
  }

  get idle(): number | undefined {
    return this.#known.idle()
  }
}
