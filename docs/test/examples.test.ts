import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { describe, expect, test } from 'vitest'
import { openFolder } from './folder.ts'
import { halfARequest, untilRefused } from './half-a-request.ts'
import { overPostgres } from './postgres.ts'

const examples = join(import.meta.dirname, '../../examples')
const NAMES = readdirSync(examples)
const MAIN = ['src/main.ts']

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
    // Of a machine that stalls for ten seconds no second signal comes in time.
    const patient = { timeout: 300_000, retry: 2 }
    test.each(NAMES)('%s stops when told to, and starts again in the same folder', patient, async name => {
      const folder = await openFolder()
      const PORT = await freePort()
      const start = async () => {
        const [file, ...flags] =
          name === 'demo' ? ['start.js', '--port', `${PORT}`, '--data', 'demo.db'] : MAIN
        const env = { PORT: String(PORT), DATABASE_URL }
        const running = folder.node([join(examples, name, file ?? ''), ...flags], env)
        await running.said(new RegExp(`(curl|Pay at|List:|Webhooks are taken at) .*:${PORT}/`))
        return running
      }

      const graceful = await start()
      const request = await halfARequest(name, PORT)
      graceful.child.kill('SIGTERM')
      await untilRefused(PORT)
      expect(await request.end()).toMatch(
        name === 'custom-host' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 40[014] /,
      )
      expect(await graceful.ended).toMatchObject({ code: 0, signal: null })

      const hurried = await start()
      const { abandon } = await halfARequest(name, PORT)
      hurried.child.kill('SIGINT')
      await untilRefused(PORT)
      expect(await hurried.stop('SIGTERM')).toMatchObject({ code: null, signal: 'SIGTERM' })
      abandon()
    })
  })
})
