import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { generate } from 'selfsigned'
import type { Folder, Running } from './folder.ts'
import { fileOf } from './page.ts'

/** A proxy of the page, on ports that are free. */
export interface Proxy {
  http: number
  https: number
  running: Running
}

interface Kind {
  name: string
  /** How it says its version; not there where it is not installed. */
  version: string[]
  /** Writes its configuration, that of the page with other ports and paths, and starts it. */
  start(folder: Folder, at: { hosts: number[]; http: number; https: number }): Promise<Running>
}

const nginx: Kind = {
  name: 'nginx',
  version: ['nginx', '-v'],
  async start(folder, { hosts, http, https }) {
    const site = moved(fileOf('production.md', 'tillkit.conf'), hosts)
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`)
      .replaceAll(
        /\/etc\/ssl\/pay\.example\.com(\.\w+)/g,
        (_, ending) => `"${join(folder.path, `tls${ending}`)}"`,
      )
    await folder.write('tillkit.conf', site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const lines = [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      // One process, so that nothing of it is left when it is killed.
      'daemon off; master_process off; pid nginx.pid; events {}',
      'http {',
      '  access_log off;',
      ...temporary.map(use => `  ${use}_temp_path temporary-${use};`),
      '  include tillkit.conf;',
      '}',
    ]
    await folder.write('nginx.conf', lines.join('\n'))
    return folder.run('nginx', ['-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr'])
  },
}

const caddy: Kind = {
  name: 'Caddy',
  version: ['caddy', 'version'],
  async start(folder, { hosts, http, https }) {
    const site = moved(fileOf('production.md', 'Caddyfile'), hosts)
      .replace('http://pay.example.com {', `http://:${http} {\n  bind 127.0.0.1`)
      // In place of a certificate that it would get from an authority.
      .replace(
        'https://pay.example.com {',
        `https://:${https} {\n  bind 127.0.0.1\n  tls "${folder.path}/tls.pem" "${folder.path}/tls.key"`,
      )
    await folder.write('Caddyfile', `{\n  admin off\n  auto_https off\n}\n${site}`)
    const env = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path }
    return folder.run('caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], env)
  },
}

function moved(site: string, [first, second]: number[]): string {
  return site.replaceAll('3001', String(first)).replaceAll('3002', String(second))
}

/** What the page shows, and whether it is installed here. */
export const PROXIES = [nginx, caddy].map(kind => {
  const [command = '', ...args] = kind.version
  const installed = spawnSync(command, args).status === 0
  return { ...kind, installed, title: installed ? kind.name : `${kind.name}, which is not installed` }
})

export async function startProxy(kind: Kind, folder: Folder, hosts: number[]): Promise<Proxy> {
  const names = [{ name: 'commonName', value: 'pay.example.com' }]
  const { private: key, cert } = await generate(names, { keySize: 2048 })
  await folder.write('tls.key', key)
  await folder.write('tls.pem', cert)
  const [http, https] = [await freePort(), await freePort()]
  return { http, https, running: await kind.start(folder, { hosts, http, https }) }
}
