import type { OwnServer } from '@tillkit/servers'
import type { EngineName } from '../engines/address.ts'
import type { Random } from '../random.ts'
import type { Database } from '../servers/database.ts'
import type { Pair } from '../servers/pair.ts'
import type { SmallDisk } from '../servers/small-disk.ts'
import type { Scene, SceneOptions } from './scene.ts'

/**
 * What a campaign needs of a database: any, one on a server that it may ill-treat, one on a disk that it may fill, or one of two
 * servers, the second of which can take over.
 */
export type Need = 'any' | 'own server' | 'small disk' | 'standby'

/** Where a campaign's databases are. */
export interface Ground {
  engine: EngineName
  /** The server, where it is one of our own. */
  server?: OwnServer | undefined
  disk?: SmallDisk | undefined
  /** The servers of the database that was made last, where each has two. */
  pair?(): Pair | undefined
  createDatabase(): Promise<Database>
}

/** One round of a campaign. */
interface Round {
  ground: Ground
  random: Random
  /** `short` takes seconds. */
  form: 'short' | 'long'
  signal: AbortSignal
  scene: Scene
  /** Counts what was done to the processes or the database: a campaign that did nothing has shown nothing. */
  strike(count?: number): void
}

/** A kind of trouble, and what goes on meanwhile. */
export interface Campaign {
  name: string
  /** What is done to whom, in a few words. */
  about: string
  /** What a strike is called: `killed`. */
  strikes: string
  need: Need
  /** Engines that know no such trouble, and why. */
  notFor?: Partial<Record<EngineName, string>>
  /** How its scene is special. */
  scene?(form: Round['form']): Pick<SceneOptions, 'moody' | 'sampleEvery'>
  /** How many rounds there are when nobody says. */
  rounds: number
  /**
   * Starts the processes, makes trouble, and ends when it is over. The runner then has all come to rest, and counts.
   */
  trouble(round: Round): Promise<void>
}
