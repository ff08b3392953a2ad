/** A part of the tables, with all rows of some merchants, at one node: tables of its own there. */
export interface Shard {
  id: number
  /** The node's group, as placements name it. */
  group: number
  /** Left out until they are known. */
  names?: ShardNames
}

/** As they are written in SQL. */
export interface ShardNames {
  /** The schema of the tables. */
  schema: string
  /** What each of them is called at the shard, by its own name; both with the schema. */
  tables: ReadonlyMap<string, string>
}
