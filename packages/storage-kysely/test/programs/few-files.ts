import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { sqliteStorage } from '../../src/sqlite/index.ts'

// Opens a database while this process may open no more files but a few, and prints what was said, for each number of them.
const [folder = ''] = process.argv.slice(2)
// What is loaded with the first storage can be read by now.
const before = sqliteStorage({ file: join(folder, 'before.db') })
await before.migrate()
await before.close()

const said: string[] = []
for (let few = 0; few < 4; few++) {
  const file = join(folder, `${few}.db`)
  const held: number[] = []
  const storage = sqliteStorage({ file })
  try {
    for (;;) held.push(openSync(devNull, 'r'))
  } catch {
    for (const one of held.splice(0, few)) closeSync(one)
    const message = await storage.migrate().then(
      () => 'migrated',
      error => error.message,
    )
    said.push(message.replace(file, 'till.db'))
  }
  for (const one of held) closeSync(one)
  await storage.migrate()
  await storage.close()
}
console.log(JSON.stringify(said))
