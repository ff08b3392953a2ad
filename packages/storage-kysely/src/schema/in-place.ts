import { DatabaseError } from '@tillkit/storage'

/** What a session finds of the tables. */
interface Found {
  /** The schema that they are in; null where it is not looked for, or not found. */
  schema: string | null
  /** True where they are laid out over the nodes of a Citus cluster. */
  distributed: boolean
}

/** Hears what a session finds. */
export type Placed = (found: Found) => void

/** Where statements expect the tables. */
export interface Place {
  schema?: string | undefined
  distributed: boolean
}

/** Nothing was sent: the statements are for tables on one server, and a session has found them distributed. */
export class LaidOutAnew extends DatabaseError {
  constructor() {
    super('the tables have been distributed')
  }
}

/**
 * What `make` makes of no schema at first, and of the one in which a session found the tables from then on: where a host's
 * other code leads a session elsewhere later, its statements still mean these. It is made once more when a session finds
 * them distributed; `isCurrent` tells what was made before that it is out of date.
 */
export function inPlace<Made>(make: (place: Place, isCurrent: () => boolean) => Made): {
  current: () => Made
  placed: Placed
} {
  let place: Place = { distributed: false }
  const madeFor = (here: Place) => make(here, () => here.distributed === place.distributed)
  let made = madeFor(place)
  return {
    current: () => made,
    placed(found) {
      const schema = place.schema ?? found.schema ?? undefined
      const distributed = place.distributed || found.distributed
      if (schema === place.schema && distributed === place.distributed) return
      place = { schema, distributed }
      made = madeFor(place)
    },
  }
}
