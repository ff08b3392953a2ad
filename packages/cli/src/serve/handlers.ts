import { createCheckout, type PaymentProcessor } from '@tillkit/checkout'
import { createConsole, type Permission } from '@tillkit/console'
import { type HttpHandler, type Mounts, merchantApi, qrEndpoints } from '@tillkit/http'
import type { Till } from '@tillkit/till'
import type { Values } from '../settings/settings.ts'
import { operatorOf } from './operator.ts'

/** What answers, and what is to be ended with it. */
export interface Handlers {
  mounts: Mounts
  /** Waits for charges under way, and for their outcomes to be recorded. */
  close(): Promise<void>
}

/** What handlers are made of beside the settings. */
export interface HandlerParts {
  till: Till
  qrBaseUrl: string
  processor: PaymentProcessor | undefined
}

/** Makes a part, or notes why it cannot be made. */
export type Attempt = <Made>(make: () => Made) => Made | undefined

/** The handlers that the settings ask for, by the paths they are mounted at; each is made by `attempt`. */
export function createHandlers(
  { till, qrBaseUrl, processor }: HandlerParts,
  settings: Values,
  attempt: Attempt,
): Handlers {
  const { corsOrigins, currency, locale = 'en-IE', timeZone, brand } = settings
  const https = settings.insecureHttp ? 'off' : 'required'
  const cors = corsOrigins && { origins: corsOrigins }
  const mounts: Mounts = {}
  const mount = (path: string, handler: HttpHandler | undefined) => {
    if (handler) mounts[path] = handler
  }

  mount(
    '/v1',
    attempt(() => merchantApi(till, { https, ...(cors && { cors }) })),
  )
  if (
    settings.consoleUser !== undefined &&
    settings.consolePassword !== undefined &&
    currency !== undefined
  ) {
    const { consolePermissions: permissions } = settings
    const made = attempt(() =>
      createConsole(till, {
        ...{ currency, locale, https, qrBaseUrl, authorize: operatorOf(settings) },
        ...(timeZone !== undefined && { timeZone }),
        ...(brand !== undefined && { brand: { name: brand } }),
        ...(permissions !== undefined && { permissions: permissions as Permission[] }),
        ...(processor?.lookup && { lookup: processor.lookup.bind(processor) }),
        challenge: 'Basic realm="Console", charset="UTF-8"',
        onAction: action => till.logger.info(action, 'console'),
      }),
    )
    mount('/console', made?.handler)
  }
  if (processor === undefined || currency === undefined) {
    mount(
      '/qr',
      attempt(() => qrEndpoints(till, { qrBaseUrl, https })),
    )
    return { mounts, close: async () => {} }
  }
  const checkout = attempt(() =>
    createCheckout(till, {
      ...{ qrBaseUrl, processor, currency, locale, https },
      ...(timeZone !== undefined && { timeZone }),
      ...(brand !== undefined && { brand: { name: brand } }),
    }),
  )
  mount('/qr', checkout?.handler)
  return { mounts, close: async () => checkout?.close() }
}
