import type { CommandSpec } from '../program/command-spec.ts'
import { ODD_TOTALS } from '../serve/processor/demo-processor.ts'
import { STORE_SETTINGS } from '../settings/settings.ts'

/** Serves everything from one process. */
export const serve: CommandSpec = {
  name: 'serve',
  about:
    'Serves the API at /v1, QR codes at /qr and its health at /health, and delivers webhooks, until it is stopped.',
  settings: [
    ...STORE_SETTINGS,
    ...([
      'host',
      'port',
      'tlsCert',
      'tlsKey',
      'trustProxy',
      'insecureHttp',
      'qrBaseUrl',
      'corsOrigins',
    ] as const),
    ...(['processor', 'currency', 'locale', 'timeZone', 'brand'] as const),
    ...(['consoleUser', 'consolePassword', 'consolePermissions'] as const),
    ...([
      'webhookHttp',
      'webhookNetworks',
      'withoutWorker',
      'withoutMigrate',
      'reconcileAfter',
      'drainSeconds',
    ] as const),
    ...(['logLevel', 'accessLog', 'telemetry'] as const),
  ],
  examples: [
    [
      'tillkit serve --database till.db --insecure-http --processor demo --currency EUR',
      'everything on your machine, with a page to pay on that moves no money',
    ],
    [
      'tillkit serve --trust-proxy loopback --qr-base-url https://pay.example.com --access-log',
      'behind a proxy of this machine, with TILLKIT_DATABASE set',
    ],
    [
      'tillkit serve --tls-cert pay.pem --tls-key pay.key --qr-base-url https://pay.example.com --port 443 --host 0.0.0.0',
      'with TLS of its own',
    ],
  ],
  notes: `
Without --processor a scan shows who is to be paid, and takes no payment. A module is imported and exports processor, as
docs/processor.md has it. The demo's processor completes what it is asked for, but of a total of
${ODD_TOTALS.map(([cents, outcome]) => `  ….${cents} ${outcome}`).join('\n')}

The console asks for the name and the password by HTTP Basic. Ten wrong ones in a minute from one address are enough for a minute.

Log lines are JSON on stderr. SIGTERM or SIGINT stops it: requests in flight are answered, charges and webhooks under way are
finished, and it says what it waited for. A second signal ends it at once. SIGHUP reads the certificate again.`,
  async check(values, given, found) {
    const { checkServe } = await import('../serve/check.ts')
    return checkServe(values, given, found)
  },
  async run(job) {
    const { serveTill } = await import('../serve/serve-till.ts')
    await serveTill(job)
    return 0
  },
}
