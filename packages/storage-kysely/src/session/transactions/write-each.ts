import { DatabaseError } from '@tillkit/storage'
import type { CompiledQuery } from 'kysely'
import type { Session } from '../session.ts'

/** What a write is told that the engine says went well, and of which a row is not there. */
export function keptOut(options?: ErrorOptions): DatabaseError {
  return new DatabaseError(
    'a trigger of the database keeps a row of a Tillkit table from being written, or writes it elsewhere: nothing of this call was done',
    options,
  )
}

/** Changes as many rows as it is for. What depends on a row that a trigger has kept out is not to be committed. */
export async function writeEach(session: Session, query: CompiledQuery<unknown>, many = 1): Promise<void> {
  if ((await session.change(query)) !== many) throw keptOut()
}
