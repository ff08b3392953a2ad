import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { describe, expect, onTestFinished, test } from 'vitest'

/** A receiver over TLS whose certificate, signed by itself, is for `name`. */
async function tlsReceiver(name: string) {
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name }] },
  ]
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], { extensions })
  const names: unknown[] = []
  const server = createServer({ key, cert }, (request, response) => {
    names.push((request.socket as TLSSocket & { servername: unknown }).servername)
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-'))
  const file = join(folder, 'certificate.pem')
  writeFileSync(file, cert)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  return { port: (server.address() as AddressInfo).port, file, names }
}

/** Posts once to `url` in a process of its own, which trusts what is in `certificate`. */
async function postFromProcess(url: string, certificate?: string): Promise<unknown> {
  const child = spawn(
    process.execPath,
    ['--conditions=@tillkit/source', join(import.meta.dirname, '../post-once.ts'), url],
    {
      env: { ...process.env, ...(certificate && { NODE_EXTRA_CA_CERTS: certificate }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return JSON.parse(output)
}

describe('over TLS', () => {
  test('a receiver whose certificate is trusted gets it, under the name of its URL', async () => {
    const { port, file, names } = await tlsReceiver('shop.example')
    for (const host of ['shop.example', 'shop.example.']) {
      expect(await postFromProcess(`https://${host}:${port}/hook`, file)).toEqual({
        status: 200,
        error: null,
        retryAfter: null,
        answer: null,
      })
    }
    expect(names).toEqual(['shop.example', 'shop.example'])
  })

  test('one whose certificate nobody vouches for does not', async () => {
    const { port, names } = await tlsReceiver('shop.example')
    expect(await postFromProcess(`https://shop.example:${port}/hook`)).toMatchObject({
      status: null,
      error: expect.stringMatching(/^certificate not accepted \([A-Z_]+\)$/),
    })
    expect(names).toEqual([])
  })

  test('one whose certificate is for another name, or for a name while it is called by its address, does not', async () => {
    const { port, file, names } = await tlsReceiver('other.example')
    for (const host of ['shop.example', '127.0.0.1']) {
      expect(await postFromProcess(`https://${host}:${port}/hook`, file)).toMatchObject({
        error: 'certificate not accepted (ERR_TLS_CERT_ALTNAME_INVALID)',
      })
    }
    expect(names).toEqual([])
  })
})
