import { freePort } from '@tillkit/servers'
import { expect, test } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'

overPostgres(({ create }) => {
  test.each(['any', 'read-write', 'primary'])(
    'the next host is tried: target_session_attrs=%s',
    async wanted => {
      const { address, drop } = await create()
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const { connectionString, schema } = address
      const url = new URL(connectionString)
      url.searchParams.set('target_session_attrs', wanted)
      // `URL` knows one host only.
      const several = url.href.replace(url.host, `${url.hostname}:${await freePort()},${url.host}`)
      const storage = postgresStorage({ connectionString: several, ...PATIENT }, { schema })
      await storage.migrate()
      await openShop(storage)
      expect((await storage.payments.start(attempt(), NOW)).payment.id).toBe(1)
      await storage.close()
      await drop()
    },
  )
})
