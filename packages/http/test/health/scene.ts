import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { onTestFinished, vi } from 'vitest'

/** A till whose storage is asked whether it is migrated by `migrated`. */
export function tillWith(migrated: () => Promise<boolean> = async () => true) {
  const asked = vi.fn(migrated)
  const till = createTill({ storage: { ...memoryStorage(), migrated: asked }, logger: false })
  onTestFinished(async () => void (await till.close()))
  return { till, asked }
}
