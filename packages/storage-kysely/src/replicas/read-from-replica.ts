import { type Storage, UnreadableRowError } from '@tillkit/storage'
import { TurnTooLate } from '../connections/turns/merchant-line.ts'
import type { DatabaseStorage } from '../database-storage.ts'
import type { Followed, Lag } from './lag.ts'

/** A replica as it is read. */
interface Readable {
  /** The port over it. */
  replica: Storage
  /** The port that is asked after it: the storage's, in what it left of the time for a read. */
  otherwise: Storage
  followed: Followed
  lag: Lag
}

/**
 * The storage, whose pages and reads by id a replica answers while it is not too far behind. What the replica does not know,
 * or not the end of, the storage is asked for, and so it is where the replica fails.
 */
export function readFromReplica(
  storage: DatabaseStorage,
  { replica, otherwise, followed, lag }: Readable,
): DatabaseStorage {
  const either =
    <Given extends unknown[], Answer>(
      ofReplica: (...given: Given) => Promise<Answer>,
      ofStorage: (...given: Given) => Promise<Answer>,
      ofOtherwise: (...given: Given) => Promise<Answer>,
      isFinal: (answer: Answer) => boolean = () => true,
    ) =>
    async (...given: Given): Promise<Answer> => {
      if (!lag.isSmall(followed)) return ofStorage(...given)
      try {
        const answer = await ofReplica(...given)
        if (isFinal(answer)) return answer
      } catch (error) {
        // That others of its merchant's went first says nothing of the replica, and one row that cannot be read keeps none of the others
        // from being read there.
        if (!(error instanceof TurnTooLate || error instanceof UnreadableRowError)) lag.doubt()
      }
      return ofOtherwise(...given)
    }
  const { payments, cashUps } = storage
  return {
    ...storage,
    payments: {
      ...payments,
      get: either(
        replica.payments.get,
        payments.get,
        otherwise.payments.get,
        payment => payment !== null && payment.status !== 'pending',
      ),
      list: either(replica.payments.list, payments.list, otherwise.payments.list),
    },
    cashUps: {
      ...cashUps,
      list: either(replica.cashUps.list, cashUps.list, otherwise.cashUps.list),
      payments: either(
        replica.cashUps.payments,
        cashUps.payments,
        otherwise.cashUps.payments,
        page => page !== null && page !== 'not_ready',
      ),
    },
  }
}
