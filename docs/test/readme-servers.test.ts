import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { describe, expect, test, vi } from 'vitest'
import { openFolder } from './folder.ts'

const root = join(import.meta.dirname, '../..')

/** The programs of a README that serve. */
function serversOf(readme: string): [language: string, program: string][] {
  const blocks = readFileSync(join(root, readme), 'utf8').matchAll(/^```(ts|js)\n(import .*?)^```$/gms)
  return [...blocks]
    .map(([, language = '', program = '']): [string, string] => [language, program])
    .filter(([, program]) => /\.listen\(/.test(program) && !/^export /m.test(program))
}

const READMES = ['README.md', ...globSync('packages/*/README.md', { cwd: root }).sort()]
const SERVERS = READMES.flatMap(readme =>
  serversOf(readme).map(([language, program], nth) => ({
    name: `${readme}, ${nth + 1}`,
    ...{ language, program },
  })),
)

describe('the servers in the READMEs', () => {
  test('are found', () => expect(SERVERS.length).toBeGreaterThan(6))

  test.each(SERVERS)(
    '$name serves, twice in one folder, until it is told to stop',
    {
      timeout: 300_000,
    },
    async ({ language, program }) => {
      const folder = await openFolder()
      const port = await freePort()
      await folder.write(`program.${language}`, program.replaceAll(/3000|8080/g, String(port)))
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const running = folder.node([`program.${language}`])
        const early = running.ended.then(({ output }) => output)
        const answer = () => fetch(`http://localhost:${port}/v1/payments`).then(({ status }) => status)
        const answered = vi.waitFor(answer, { timeout: 120_000, interval: 100 })
        expect(await Promise.race([answered, early])).toBeTypeOf('number')
        expect(await running.stop(signal)).toMatchObject({ code: 0, signal: null })
      }
    },
  )
})
