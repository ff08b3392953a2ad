import { once } from 'node:events'
import { join } from 'node:path'
import { ownCollector } from '@tillkit/servers'
import { start } from '../command.ts'
import type { Folder } from '../folder.ts'
import type { Visit } from '../stay.ts'

const OF = '@tillkit/cli'
const NODE = '22.23.3'
const WORDS = ['--database', 'till.db', '--insecure-http', '--port', '0', '--telemetry']

/** `tillkit serve --telemetry`, without the SDK that it needs and with it. */
export const telemetryVisit: Visit = async stay => {
  const { nodes, results } = stay
  const folder = await stay.folder('telemetry')
  const node = nodes[NODE]
  if (!(await results.try(OF, 'npm install, alone', NODE, () => folder.install([OF])))) return
  await results.try(OF, '--telemetry, without an SDK', NODE, async () => {
    const { status, said } = await serve(folder, node, {}, /never/)
    if (status !== 2 || !said.includes('npm install @opentelemetry/sdk-node'))
      throw new Error(`ended with ${status}, and said ${said}`)
  })
  const sdk = '@opentelemetry/sdk-node'
  if (!(await results.try(OF, `npm install ${sdk}`, NODE, () => folder.install([sdk])))) return
  await results.try(OF, '--telemetry, with one', NODE, async () => {
    const collector = await ownCollector()
    try {
      const env = {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      }
      const { status, said } = await serve(folder, node, env, /^Serving /m)
      if (status !== 0) throw new Error(`ended with ${status}, and said ${said}`)
      if (!collector.metrics().includes('tillkit.delivery.pending')) throw new Error('sent no backlog')
    } finally {
      await collector.close()
    }
  })
}

/** Serves until it has said something, or ends by itself. */
async function serve({ path }: Folder, node: string, env: NodeJS.ProcessEnv, enough: RegExp) {
  const command = join(path, 'node_modules/.bin/tillkit')
  const child = start([command, 'serve', ...WORDS], { cwd: path, node, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', text => {
      said += text
      // Once: a second signal ends it at once.
      if (!child.killed && enough.test(said)) child.kill('SIGTERM')
    })
  }
  const [status] = await once(child, 'close')
  return { status, said }
}
