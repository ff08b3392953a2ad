import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { describe, expect, test } from 'vitest'
import { openFolder } from './folder.ts'
import { overPostgres } from './postgres.ts'

const examples = join(import.meta.dirname, '../../examples')
const NAMES = readdirSync(examples)

describe('the examples', () => {
  test.each(NAMES)('%s has five lines that say how it is started, and what production asks for', name => {
    const lines = readFileSync(join(examples, name, 'README.md'), 'utf8')
      .split('\n')
      .filter(Boolean)
    expect(lines).toHaveLength(5)
    const command = name === 'demo' ? 'npm run demo' : `npm start -w examples/${name}`
    expect([lines[0], lines[2]]).toEqual([`# ${name}`, `    ${command}`])
    expect(lines[4]).toMatch(/^In production: .* \[More\]\(\.\.\/\.\.\/docs\/production\.md\)\.$/)
  })

  overPostgres(DATABASE_URL => {
    // The demo's own tests start and stop it.
    test.each(NAMES.filter(name => name !== 'demo'))(
      '%s runs twice in one folder, and stops when told to',
      {
        timeout: 300_000,
      },
      async name => {
        const folder = await openFolder()
        const PORT = String(await freePort())
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          const running = folder.node([join(examples, name, 'src/main.ts')], { PORT, DATABASE_URL })
          await running.said(new RegExp(`^(curl|Pay at|List:|Webhooks are taken at) .*:${PORT}/`, 'm'))
          expect(await running.stop(signal)).toMatchObject({ code: 0, signal: null })
        }
      },
    )
  })
})
