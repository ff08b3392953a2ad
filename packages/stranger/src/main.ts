/**
 * `npm run test:packages`: packs every package, and does with the tarballs what a stranger would, who has no more than
 * their READMEs. Prints what was tried on which Node, and ends with 1 where something went wrong.
 */

import { rmSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPostgres } from '@tillkit/servers'
import { check, packAll } from '@tillkit/tarballs'
import pg from 'pg'
import { installCompilers } from './compilers.ts'
import { newFolder } from './folder.ts'
import { installNodes } from './nodes.ts'
import { serveTarballs } from './registry.ts'
import { newResults } from './results.ts'
import type { Stay, Visit } from './stay.ts'
import { table } from './table.ts'
import { bundlesVisit } from './visits/bundles.ts'
import { conformanceVisit } from './visits/conformance.ts'
import { everythingVisit } from './visits/everything.ts'
import { fetchHostVisit } from './visits/fetch-host.ts'
import { merchantVisits } from './visits/merchants.ts'
import { oldestPeersVisits } from './visits/oldest-peers.ts'
import { projectVisit } from './visits/project.ts'
import { readmeVisits } from './visits/readmes.ts'
import { sdkTwoVisit } from './visits/sdk-two.ts'
import { telemetryVisit } from './visits/telemetry.ts'

const AT_ONCE = 2

const abroad = await realpath(await mkdtemp(join(tmpdir(), 'tillkit für Fremde ')))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    rmSync(abroad, { recursive: true, force: true })
    process.exit(130)
  })
}

const results = newResults(console.error)
console.log('packing')
const tarballs = await packAll(join(abroad, 'tarballs'))
for (const tarball of tarballs) {
  await results.try(
    tarball.manifest.name,
    'tarball: contents, publint, attw',
    process.versions.node,
    async () => {
      const problems = await check(tarball)
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
  )
}

console.log('installing Node and TypeScript')
const nodes = await installNodes(join(abroad, 'nodes'))
const registry = await serveTarballs(tarballs)
const postgres = await ownPostgres()
try {
  const node = nodes['24.21.0']
  const folder = (name: string) => newFolder(join(abroad, name), { registry: registry.url, node })
  const compile = await installCompilers(await folder('compilers'), node)
  let databases = 0
  const stay: Stay = { tarballs, nodes, results, folder, compile, database }
  async function database(): Promise<string> {
    const name = `stranger_${++databases}`
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`create database ${name}`).finally(() => client.end())
    return Object.assign(new URL(postgres.url), { pathname: name }).href
  }

  console.log('visiting')
  const visits: Visit[] = [
    everythingVisit,
    projectVisit,
    bundlesVisit,
    fetchHostVisit,
    conformanceVisit,
    sdkTwoVisit,
    telemetryVisit,
    ...merchantVisits,
    ...oldestPeersVisits(tarballs),
    ...readmeVisits(tarballs),
  ]
  const visit = async () => {
    for (let next = visits.shift(); next; next = visits.shift()) await next(stay)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
} finally {
  await postgres.remove()
  await registry.close()
  await rm(abroad, { recursive: true, force: true })
}

const failed = results.all.filter(({ problem }) => problem !== null)
console.log(`\n${table(results.all)}\n\n${results.all.length} things tried, ${failed.length} went wrong`)
for (const { of, what, node } of failed) console.log(`✗ ${of}, ${what}, Node ${node}`)
if (failed.length > 0) process.exitCode = 1
