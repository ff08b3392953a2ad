import type { DatabaseStorage } from '@tillkit/storage-kysely'

/**
 * Brings the tables up to date, which may wait long for others. False where the signal has ended it: then the storage is
 * closed, and the next start goes on from there.
 */
export async function migrateUntil(signal: AbortSignal, storage: DatabaseStorage): Promise<boolean> {
  const end = () => void storage.close().catch(() => {})
  signal.addEventListener('abort', end, { once: true })
  try {
    if (!signal.aborted) await storage.migrate({ contract: false })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
  }
  return !signal.aborted
}
