/** Hears in which schema a session finds the tables; null where it does not. */
export type Placed = (schema: string | null) => void

/**
 * What `make` makes of no schema at first, and of the one in which a session found the tables from then on: where a host's
 * other code leads a session elsewhere later, its statements still mean these.
 */
export function inPlace<Made>(make: (schema?: string) => Made): { current: () => Made; placed: Placed } {
  let made = make()
  let found: string | null = null
  return {
    current: () => made,
    placed(schema) {
      if (found !== null || schema === null) return
      found = schema
      made = make(schema)
    },
  }
}
