import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tarball } from '@tillkit/tarballs'

/** A registry that has the tarballs and nothing else, at an address on loopback. */
export interface Registry {
  url: string
  close(): Promise<void>
}

/** Serves tarballs as a registry does, so that `npm install` takes them, and what they depend on, by their names. */
export async function serveTarballs(tarballs: readonly Tarball[]): Promise<Registry> {
  const answers = new Map<string, string | Uint8Array>()
  const server = createServer((request, response) => {
    const answer = answers.get(decodeURIComponent(request.url ?? ''))
    response.statusCode = answer === undefined ? 404 : 200
    response.setHeader('Cache-Control', 'no-store')
    if (typeof answer === 'string') response.setHeader('Content-Type', 'application/json')
    response.end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (const { manifest, bytes } of tarballs) {
    const { name, version } = manifest
    const path = `/tarballs/${name}-${version}.tgz`
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const dist = { tarball: new URL(path, url).href, integrity }
    const versions = { [version]: { ...manifest, dist } }
    answers.set(path, bytes)
    answers.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  }
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url, close }
}
