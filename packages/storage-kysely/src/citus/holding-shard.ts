import { sql } from 'kysely'
import { FUNCTIONS } from '../schema/names.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { isNobody } from './nobody.ts'

/**
 * Writes a merchant's rows while their shard stays what it is: that is seen to before anything of it is read, in one statement more. The
 * functions that are called by `holdsShard` do so themselves.
 */
export function holdingShard(
  { builder }: Pick<Database, 'builder'>,
  write: Database['write'],
): Database['write'] {
  const hold = prepare((p: { merchantId: string }) => ({
    compile: () => sql`select ${sql.table(FUNCTIONS.hold)}(${p.merchantId})`.compile(builder),
  }))
  return (work, { holdsShard, ...options } = {}) => {
    const { merchantId } = options
    if (holdsShard || merchantId === undefined || isNobody(merchantId)) return write(work, options)
    return write(
      async session => {
        await session.first(hold({ merchantId }))
        return work(session)
      },
      { ...options, statement: false },
    )
  }
}
