import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../process/free-port.ts'
import { NOBODY } from '../process/nobody.ts'
import type { OwnServer } from '../process/own-server.ts'
import { serverOf } from '../process/server-of.ts'

export interface OwnPrometheusOptions {
  /** What it has measured, as OpenMetrics text with a time at each sample. */
  samples: string
  /** The rules that it goes by, as a file of its has them. */
  rules: string
}

/** Starts a Prometheus that has measured something; rejects, saying why, where it cannot be started. */
export async function ownPrometheus({ samples, rules }: OwnPrometheusOptions): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-prometheus-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const data = join(folder, 'data')
  const [text, config, own] = ['samples.txt', 'prometheus.yml', 'rules.yml'].map(name =>
    join(folder, name),
  ) as [string, string, string]
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  try {
    await mkdir(data)
    await writeFile(text, samples)
    await writeFile(config, 'global: { evaluation_interval: 1s }\nrule_files: [rules.yml]\n')
    await writeFile(own, rules)
    if (user) for (const path of [folder, data, text, config, own]) await chown(path, user.uid, user.gid)
    await promisify(execFile)('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', text, data], user)
    return await serverOf({
      name: 'Prometheus',
      url,
      command: [
        ...['prometheus', `--config.file=${config}`, `--storage.tsdb.path=${data}`],
        ...[`--web.listen-address=${new URL(url).host}`, '--log.level=warn'],
      ],
      supervision: { folder, signal: 'TERM', ...user },
      async isThere() {
        const answer = await fetch(`${url}/api/v1/status/flags`, { signal: AbortSignal.timeout(5000) })
        const { data: flags } = (await answer.json()) as { data: Record<string, string> }
        return flags['storage.tsdb.path'] === data
      },
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
