import type { Adapter, Certificate, Host } from './adapter.ts'
import { type Client, clientOf } from './client.ts'
import type { Expect, TestRunner } from './test-runner.ts'

/** What the checks of one capability are written with. */
export interface Checks {
  test(name: string, body: () => Promise<void>): void
  expect: Expect
  adapter: Adapter
  /** Runs `body` with a client of a host, which is closed afterwards. */
  serving(host: Host, body: (client: Client) => Promise<void>): Promise<void>
  /** What a host over TLS is served with. */
  tls: Certificate
}

/** Runs the checks of one capability. */
export function capability(
  name: string,
  { describe, test, expect }: TestRunner,
  adapter: Adapter,
  tls: Certificate,
  define: (checks: Checks) => void,
): void {
  async function serving(host: Host, body: (client: Client) => Promise<void>): Promise<void> {
    const { port, close } = await adapter.serve(host)
    const client = clientOf(port, host.tls)
    try {
      await body(client)
    } finally {
      client.close()
      await close()
    }
  }

  describe(name, () =>
    define({ test: (title, body) => void test(title, body), expect, adapter, serving, tls }),
  )
}
