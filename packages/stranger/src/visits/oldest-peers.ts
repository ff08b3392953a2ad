import type { Tarball } from '@tillkit/tarballs'
import semver from 'semver'
import { runProgram } from '../program.ts'
import { programsOf, stepsOf } from '../readme.ts'
import type { Visit } from '../stay.ts'

const NODE = '22.23.3'

/** Its README installs the newest SDK, which takes no older API: `sdkTwoVisit` is the visit of that. */
const ELSEWHERE = '@tillkit/opentelemetry'

/** A visit for each package that has peers: its README's programs, with the oldest peers that it names. */
export function oldestPeersVisits(tarballs: readonly Tarball[]): Visit[] {
  return tarballs
    .filter(({ manifest }) => manifest.peerDependencies !== undefined && manifest.name !== ELSEWHERE)
    .map(({ manifest, files }) => async ({ nodes, results, folder, database }) => {
      const of = manifest.name
      const peers = Object.entries(manifest.peerDependencies ?? {}).map(([name, range]): [string, string] => [
        name,
        `${name}@${semver.minVersion(range)}`,
      ])
      const oldest = peers.map(([, word]) => word).join(', ')
      const steps = stepsOf(files.get('README.md') ?? '')
      const words = steps.flatMap(step => ('install' in step ? step.install : []))
      const others = words.filter(word => !word.startsWith('-') && !peers.some(([name]) => name === word))
      const place = await folder(`oldest peers of ${of.replace('/', ' ')}`)
      const install = () => place.install([...new Set([...others, ...peers.map(([, word]) => word)])])
      if (!(await results.try(of, `npm install, with ${oldest}`, NODE, install))) return
      for (const program of programsOf(steps)) {
        await results.try(of, `${program.name}, with the oldest peers`, NODE, async () => {
          const env = program.source.includes('DATABASE_URL') ? { DATABASE_URL: await database() } : {}
          await runProgram(place, program, { node: nodes[NODE], run: program.name.replace(' ', '-'), env })
        })
      }
    })
}
