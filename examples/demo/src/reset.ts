import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { bookFile } from './bank/book.ts'
import { credentialsFile } from './credentials.ts'
import { passwordFile } from './operator.ts'
import { SHOPS } from './shops.ts'

/** Removes the demo's data, and nothing else: a file that no demo wrote is refused. */
export async function resetData(file: string): Promise<void> {
  if (existsSync(file) && !(await isDemo(file))) {
    throw new Error(`will not reset ${file}: it does not hold a demo's data`)
  }
  const kept = [credentialsFile(file), passwordFile(file), bookFile(file)]
  for (const path of [file, `${file}-wal`, `${file}-shm`, ...kept]) await rm(path, { force: true })
}

async function isDemo(file: string): Promise<boolean> {
  const storage = sqliteStorage({ file })
  try {
    return (await storage.merchants.get(SHOPS[0]?.id ?? '')) !== null
  } catch {
    return false
  } finally {
    await storage.close()
  }
}
