import { DatabaseError, type Storage } from '@tillkit/storage'
import { onCitus } from '../citus/on-citus.ts'
import type { Connections } from '../connections/connections.ts'
import { stillLaidOut } from '../connections/still-laid-out.ts'
import { type DatabaseStorage, databaseStorage, type StorageParts } from '../database-storage.ts'
import { lookAt } from '../inspection/looking.ts'
import { databaseOf, storageOf } from '../kysely-storage.ts'
import { inPlace, type Placed } from '../schema/in-place.ts'
import type { NameOptions } from '../schema/names.ts'
import type { Database } from '../session/database.ts'
import { readsOf } from '../session/session.ts'
import { inspectReplica } from './inspect-replica.ts'
import { type Followed, Lag } from './lag.ts'
import { readFromReplica } from './read-from-replica.ts'

/** A server and how it is reached. */
type Server = StorageParts & { connections: Connections }

/** A replica, and how far behind it may be to be asked. */
export interface Replica {
  server: Server
  maxLagSeconds: number
  /** What it and the server that takes writes are asked. */
  follow(primary: Asked, replica: Asked): Followed
}

/** A server that is asked how far its log has come. */
export interface Asked extends Pick<Database, 'builder' | 'read'> {
  /** Where the tables are, as far as that is known. */
  schema?: string | undefined
  /** True where none of them is to be read then, so that it need not be known. */
  anywhere?: boolean
}

/** The part of the time for a read that a replica has to answer in, so that there is some left to ask elsewhere. */
const SHARE = 0.2

/**
 * The storage of a server, and of its replica where it has one. Where no schema is named, it is in the one in which a
 * session of the server first finds the tables.
 */
export function storageInPlace(
  open: (placed: Placed) => Server,
  names: NameOptions,
  replica: Replica | undefined,
): () => DatabaseStorage {
  const server = open(found => {
    if (replica && found.distributed) {
      throw new DatabaseError(
        'the tables are distributed: the option replica is for one server, leave it out',
      )
    }
    placed(found)
  })
  const lag = new Lag(replica?.maxLagSeconds ?? 0)
  const { current, placed } = inPlace(({ schema = names.schema, distributed }, isCurrent) => {
    const here = {
      ...server,
      dialect: distributed ? onCitus(server.dialect) : server.dialect,
      names: { ...names, schema },
      connections: stillLaidOut(server.connections, isCurrent),
      isCurrent,
    }
    return replica ? withReplica(here, replica, lag) : databaseStorage(here)
  })
  return current
}

/** Asks quickly, so that there is time left to ask elsewhere. */
const quickly = (server: Server) => asking(server, server.limits.readTimeoutSeconds * SHARE)

/** Asks in what time is left. */
function afterwards(server: Server): Database {
  const { readTimeoutSeconds } = server.limits
  return asking(server, readTimeoutSeconds, readTimeoutSeconds * SHARE)
}

function asking({ db, dialect, names, limits, connections }: Server, seconds: number, spent = 0): Database {
  const read = readsOf(connections, dialect, seconds, spent)
  const left = { ...limits, readTimeoutSeconds: seconds - spent }
  return { ...databaseOf(db, dialect, names, left, { connections }), read }
}

function withReplica(primary: Server, { server, follow, maxLagSeconds }: Replica, lag: Lag): DatabaseStorage {
  const { inspect, ...storage } = databaseStorage(primary)
  const { names, dialect } = primary
  const [here, there] = [quickly(primary), quickly({ ...server, names })]
  const followed = follow({ ...here, ...names }, { ...there, ...names })
  return {
    ...readFromReplica(storage, {
      ...{ replica: portOf(there), otherwise: storageOf(afterwards(primary)) },
      ...{ followed, lag },
    }),
    ...(inspect && {
      async inspect(request) {
        const { findings, ...all } = await inspect(request)
        const looked = follow({ ...here, ...names, anywhere: true }, { ...there, ...names })
        const ofReplica = async () => [await inspectReplica(looked, maxLagSeconds)]
        return { ...all, findings: [...findings, ...(await lookAt('replica', { dialect }, ofReplica))] }
      },
    }),
    close: async () => void (await Promise.all([storage.close(), server.close()])),
  }
}

/** The port over a replica, as far as it reads: whatever would write is refused, and no total is kept. */
function portOf(database: Database): Storage {
  const write = () => Promise.reject(new DatabaseError('a replica takes no writes'))
  return storageOf({ ...database, write, counting: { ...database.counting, ahead: false } })
}
