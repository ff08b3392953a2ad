import type { Logger } from '@tillkit/till'
import type { Values } from '../settings/settings.ts'
import type { Listening } from './server.ts'
import { readCredentials } from './tls.ts'

/**
 * Reads the certificate again at SIGHUP, so that one that was renewed is taken with no request lost, until what is returned
 * is called.
 */
export function renewOn(
  server: Listening,
  settings: Values,
  logger: Pick<Logger, 'info' | 'error'>,
): () => void {
  if (settings.tlsCert === undefined) return () => {}
  const renew = () => {
    try {
      const credentials = readCredentials(settings)
      if (credentials) server.renew(credentials)
      logger.info({ file: settings.tlsCert }, 'the certificate was read again')
    } catch (error) {
      logger.error({ error }, 'the certificate could not be read again: the one before stays')
    }
  }
  process.on('SIGHUP', renew)
  return () => process.off('SIGHUP', renew)
}
